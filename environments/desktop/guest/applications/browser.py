"""A browser on a desktop, for web worlds.

It can reach one port of the machine, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from guest import steps
from guest.applications.base import Desk
from guest.data import Collections, Launch, SetupError, Step
from guest.relay import Relay

_VERBS = {"browse": {"url": str}}
_PROGRAM = "/usr/lib/chromium/chromium"  # bypasses the wrapper script, which reads the machine's settings
_SOCKET = "world"
_PREFERENCES = '{"credentials_enable_service": false, "profile": {"password_manager_enabled": false}}'
_FLAGS = (
    "--no-sandbox",  # it runs in a sandbox, in which no other can be created
    "--test-type",  # hides the warning about the flag above
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

    async def prepare(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Start the relay to the world, and write settings for a start without dialogs.

        Raises:
            SetupError: A step is not understood.
        """
        _, port = _place(setup)
        if desktop in self._relays:
            await self._relays[desktop].close()
        relay = Relay(desktop.box.places.runtime.host / _SOCKET, port)
        await relay.start()
        self._relays[desktop] = relay
        desktop.write(".config/chromium/Default/Preferences", _PREFERENCES)

    def launch(self, desktop: Desk, setup: Sequence[Step]) -> Launch:
        """Return the command of the browser with its relay."""
        url, port = _place(setup)
        socket = f"{desktop.box.places.runtime.inside}/{_SOCKET}"
        start = ("/usr/bin/python3", f"{desktop.box.guest}/browser_window.py", str(port), socket)
        return Launch((*start, _PROGRAM, *_FLAGS, url))

    async def ready(self, desktop: Desk) -> str | None:
        """Return what is missing: the window or its page."""
        pages = await desktop.find_all("document-web")
        if not pages:
            return "the window of the browser is not there"
        return None if any(page.name for page in pages) else "the page is still empty"

    async def arrange(self, desktop: Desk, setup: Sequence[Step]) -> None:
        """Do nothing: the page is open already."""

    async def state(self, desktop: Desk) -> Collections:
        """Return nothing: the state belongs to the world behind the page."""
        return {}


def _place(setup: Sequence[Step]) -> tuple[str, int]:
    """Return the URL to open and its port.

    Raises:
        SetupError: There is not exactly one URL, or it is not on this machine.
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
