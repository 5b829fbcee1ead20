"""A clipboard for each episode, where several episodes share a browser, which has one clipboard for all its contexts.

What a page copies is kept with its episode. Right before a key that pastes, it is put on the browser's clipboard, which
no other episode uses until the key is done. Texts and rich texts are kept; images are not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.chromium.scripts import script

if TYPE_CHECKING:
    from playwright import async_api as playwright

_BINDING = "screenCopied"  # removed by the script before a page can see it
_ORIGIN = "http://localhost"  # the clipboard's API needs a secure page; nothing is requested
_WRITE = """(content) => navigator.clipboard.write([new ClipboardItem(Object.fromEntries(
  Object.entries(content).map(([type, text]) => [type, new Blob([text], {type})])))])"""


def pastes(held: Collection[str], key: str) -> bool:
    """Whether a key pastes while others are held."""
    chord = {"insert": "shift", "v": "ctrl"}.get(key.lower())
    return chord is not None and chord in held


class BrowserClipboard:
    """The clipboard of one browser, with the hidden page that writes to it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self._page: playwright.Page | None = None

    async def write(self, browser: playwright.Browser, content: Mapping[str, str]) -> None:
        """Replace what is on the clipboard; `content` holds texts by their types."""
        if self._page is None or self._page.is_closed():
            context = await browser.new_context()
            await context.grant_permissions(["clipboard-read", "clipboard-write"], origin=_ORIGIN)
            await context.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
            self._page = await context.new_page()
            await self._page.goto(_ORIGIN)
        await self._page.evaluate(_WRITE, {"text/plain": "", **content})


class Clipboard:
    """The clipboard of one episode; without a `shared` one the browser's own is used."""

    def __init__(self, shared: BrowserClipboard | None) -> None:
        self.shared = shared
        self._content: Mapping[str, str] = {}

    async def watch(self, context: playwright.BrowserContext) -> None:
        """Keep what the pages of a context copy."""
        if self.shared is not None:
            await context.expose_binding(_BINDING, self._copied)
            await context.add_init_script(script("clipboard.js"))

    @asynccontextmanager
    async def pasting(self, context: playwright.BrowserContext) -> AsyncIterator[None]:
        """Have the episode's content on the browser's clipboard during a block."""
        if self.shared is None:
            yield
            return
        assert context.browser is not None
        async with self.shared.lock:
            await self.shared.write(context.browser, self._content)
            yield

    def _copied(self, source: Any, content: Any) -> None:
        """Take what a page copied; pages are not trusted."""
        if isinstance(content, dict):
            self._content = {
                kind: text
                for kind in ("text/plain", "text/html")
                if isinstance(text := content.get(kind), str)
            }
