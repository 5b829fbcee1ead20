"""A browser on a desktop, for web worlds that are played with a whole screen instead of a page.

It reaches one port of the machine that the desktop is on, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from guest import steps
from guest.applications.base import Collections, Launch, SetupError, Step
from guest.relay import Relay

if TYPE_CHECKING:
    from guest.desk import Desk

_VERBS = {"browse": {"url": str}}
_PROGRAM = "/usr/lib/chromium/chromium"  # without the script that reads this machine's settings
_SOCKET = "world"
_PREFERENCES = '{"credentials_enable_service": false, "profile": {"password_manager_enabled": false}}'
_FLAGS = (
    "--no-sandbox",  # the box is one, and no other can be made in it
    "--test-type",  # says nothing about the flag above
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--force-renderer-accessibility",
    "--password-store=basic",
    "--start-maximized",
)


class Browser:
    """Chromium with one tab on the address of `{"do": "browse", "url": ...}`."""

    name = "browser"
    packages = ("chromium",)
    programs = (_PROGRAM, "/usr/bin/python3")

    def __init__(self) -> None:
        self._relays: WeakKeyDictionary[Desk, Relay] = WeakKeyDictionary()

    async def prepare(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Open the way to the world, and write the settings of a quiet start.

        Raises:
            SetupError: A step is not understood.
        """
        _, port = _place(setup)
        if desk in self._relays:
            await self._relays[desk].close()
        relay = Relay(desk.box.places.runtime.host / _SOCKET, port)
        await relay.start()
        self._relays[desk] = relay
        desk.write(".config/chromium/Default/Preferences", _PREFERENCES)

    def launch(self, desk: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command, with what passes on the browser's requests beside it."""
        url, port = _place(setup)
        socket = f"{desk.box.places.runtime.inside}/{_SOCKET}"
        start = ("/usr/bin/python3", f"{desk.box.guest}/browser_window.py", str(port), socket)
        return Launch((*start, _PROGRAM, *_FLAGS, url))

    async def ready(self, desk: Desk) -> str | None:
        """Return what is missing: the window, or the page in it."""
        pages = await desk.find_all("document-web")
        if not pages:
            return "the window of the browser is not there"
        return None if any(page.name for page in pages) else "the page is still empty"

    async def arrange(self, desk: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: the page is open."""

    async def state(self, desk: Desk) -> Collections:
        """Return nothing: what is true is true in the world behind the page."""
        return {}


def _place(setup: Sequence[Step]) -> tuple[str, int]:
    """Return the address to open and the port it is on.

    Raises:
        SetupError: There is not exactly one, or it is no page of this machine.
    """
    found = steps.own(setup, _VERBS)
    if len(found) != 1:
        raise SetupError("the browser needs exactly one step browse")
    parts = urlsplit(found[0]["url"])
    host = parts.hostname or ""
    if parts.scheme != "http" or not (host == "127.0.0.1" or host.endswith("localhost")) or not parts.port:
        raise SetupError(
            f"setup step browse: {found[0]['url']!r:.80} is no http address of this machine with a port"
        )
    return found[0]["url"], parts.port


APPLICATION = Browser()
