"""A clipboard for each episode, where several episodes share a browser, which has one clipboard for all its contexts.

What a page copies is kept with its episode. A key that pastes pastes that (`paste.js`): the browser's clipboard, to
which every page writes, is read by none. Texts and rich texts are kept; images are not. To a page such a paste is an
event that is not trusted, and input of the type insertText.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.session.scripts import script

if TYPE_CHECKING:
    from playwright import async_api as playwright

_ORIGIN = "http://localhost"  # the clipboard's API needs a secure page; nothing is requested
_WRITE = """(content) => navigator.clipboard.write([new ClipboardItem(Object.fromEntries(
  Object.entries(content).map(([type, text]) => [type, new Blob([text], {type})])))])"""


def pastes(held: Collection[str], key: str) -> bool:
    """Whether a key pastes while others are held."""
    chord = {"insert": "shift", "v": "ctrl"}.get(key.lower())
    return chord is not None and chord in held


class BrowserClipboard:
    """The clipboard of one browser, with the hidden page that writes and reads it.

    Attributes:
        shared: Whether several episodes use the browser at the same time.
    """

    def __init__(self, shared: bool = False) -> None:
        self.shared = shared
        self._page: playwright.Page | None = None

    async def write(self, browser: playwright.Browser, content: Mapping[str, str]) -> None:
        """Replace what is on the clipboard; `content` holds texts by their types."""
        await (await self._hidden(browser)).evaluate(_WRITE, {"text/plain": "", **content})

    async def read(self, browser: playwright.Browser) -> str:
        """Return the text on the clipboard."""
        return str(await (await self._hidden(browser)).evaluate("() => navigator.clipboard.readText()"))

    async def _hidden(self, browser: playwright.Browser) -> playwright.Page:
        if self._page is None or self._page.is_closed():
            context = await browser.new_context()
            await context.grant_permissions(["clipboard-read", "clipboard-write"], origin=_ORIGIN)
            await context.route("**/*", lambda route: route.fulfill(body="", content_type="text/html"))
            self._page = await context.new_page()
            await self._page.goto(_ORIGIN)
        return self._page


class Clipboard:
    """The clipboard of one episode; one that has the browser for itself uses the browser's own."""

    def __init__(self, browser: BrowserClipboard) -> None:
        self.shared = browser.shared
        self._browser = browser
        self._content: Mapping[str, str] = {}

    async def keep(self, context: playwright.BrowserContext, text: str) -> None:
        """Put a text on the clipboard, which a dialog of the browser copied."""
        self._content = {"text/plain": text}
        if not self.shared:
            assert context.browser is not None
            await self._browser.write(context.browser, self._content)

    async def text(self, context: playwright.BrowserContext) -> str:
        """Return the text on the clipboard, for a dialog of the browser."""
        if self.shared:
            return self._content.get("text/plain", "")
        assert context.browser is not None
        return await self._browser.read(context.browser)

    async def paste(
        self, evaluate_everywhere: Callable[[str], Awaitable[object]], key: Awaitable[object]
    ) -> None:
        """Paste by pressing a key, for which the browser itself does nothing; scripts are evaluated in all frames."""
        await evaluate_everywhere(f"({script('paste.js')})({json.dumps(self._content)})")
        await key
        await evaluate_everywhere("globalThis.pasted")

    def copied(self, content: object) -> None:
        """Take what a page copied (`clipboard.js`); pages are not trusted."""
        if isinstance(content, dict):
            self._content = {
                kind: text
                for kind in ("text/plain", "text/html")
                if isinstance(text := content.get(kind), str)
            }
