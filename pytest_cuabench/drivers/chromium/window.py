"""A browser's window on a private X display: `--cua-world browser=xvfb`.

The desktop's guest (`environments/desktop`) runs the X server and the window manager, sends the input, and takes the
pictures. The browser is a process of the plugin's own, as without a window, so that tabs, origins, requests and states
are watched in the same way. Its window is larger than the screen: borders, tabs and toolbar lie beyond the edges, and
the page fills the screen exactly as it does without a window.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.parts import beyond_the_page
from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.guest import Guest
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, Size

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.input import Input
    from pytest_cuabench.drivers.chromium.session import Session
    from pytest_cuabench.drivers.chromium.tab import Tab
    from pytest_cuabench.drivers.leases import Leases

_BY_HAND = frozenset(
    {act.Move, act.Click, act.MouseDown, act.MouseUp, act.Drag, act.Scroll}
    | {act.Key, act.KeyDown, act.KeyUp, act.HoldKey, act.Type}
)
_FRAME = "[outerWidth - innerWidth, outerHeight - innerHeight]"
_PAGE = """[innerWidth, innerHeight, screenX + (outerWidth - innerWidth) / 2,
  screenY + outerHeight - innerHeight - (outerWidth - innerWidth) / 2]"""
_PLACED = 5.0  # seconds until a window is where it was placed
_TOOLBAR = 15  # parts of a toolbar and tab strip at most that take the focus one after the other
# Keys arrive at the page slightly after its window has taken them.
_FOCUSED = "new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(document.hasFocus())), 30))"
_APPLICATION = "screen"  # of the guest: an empty one
_START = 60.0  # seconds
_PATIENCE = 20.0  # seconds


class Display:
    """A private screen of one browser, started on demand and started anew with every browser.

    Every method raises `EnvironmentFailure` when the screen is broken.
    """

    def __init__(self, screen: Size, leases: Leases) -> None:
        self.screen = screen
        self._machine = Xvfb(screen, leases)
        self._guest: Guest | None = None

    async def start(self) -> str:
        """Start with an empty screen, and return the socket of its X server.

        Raises:
            Missing: A program that it needs is not installed.
        """
        if not await self._machine.alive():
            await self._disconnect()
        if self._guest is None:
            guest = await connect(self._machine, _PATIENCE)
            assert isinstance(guest, Guest)
            self._guest = guest
        await self._guest.begin(_APPLICATION, (), _START)
        state = await self._guest.state()
        return str(state.collections["display"]["socket"]["path"])

    async def perform(self, *actions: Action) -> None:
        """Send input.

        Raises:
            ActionError: It is not possible.
        """
        for result in await self._running().perform(actions, settle=False):
            if result.error is not None:
                raise ActionError(result.error)

    async def settle(self) -> None:
        """Wait until the screen has stopped changing."""
        await self._running().settle()

    async def picture(self, *, pointer: bool = True) -> bytes:
        """Return a PNG of the screen."""
        return await self._running().screenshot(pointer=pointer)

    async def close(self) -> None:
        """End it; may be called twice."""
        await self._disconnect()
        await self._machine.close()

    async def _disconnect(self) -> None:
        guest, self._guest = self._guest, None
        if guest is not None:
            await guest.close()

    def _running(self) -> Guest:
        if self._guest is None:
            raise EnvironmentFailure("No screen is running; call reset first.")
        return self._guest


async def fill_screen(tab: Tab, screen: Size) -> None:
    """Place the window of a tab so that its page fills the screen.

    Raises:
        EnvironmentFailure: The window manager places it elsewhere.
    """
    window = (await tab.cdp.send("Browser.getWindowForTarget"))["windowId"]
    across, down = await tab.evaluate(_FRAME)
    side = across // 2
    place = {
        "left": -side,
        "top": side - down,
        "width": screen.width + across,
        "height": screen.height + down,
    }
    await tab.cdp.send("Browser.setWindowBounds", {"windowId": window, "bounds": place})
    clock = asyncio.get_running_loop().time
    end = clock() + _PLACED
    while tuple(await tab.evaluate(_PAGE)) != (*screen, 0, 0):
        if clock() > end:
            raise EnvironmentFailure(
                f"The browser's window does not fill the screen of {screen}: {await tab.evaluate(_PAGE)}."
            )
        await asyncio.sleep(0.01)


class Hands:
    """Mouse and keyboard of one episode in a window.

    A key that leads to what is not on the screen (the toolbar, another window) goes to the page alone.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._keys: dict[str, None] = {}  # that are held, in order
        self._buttons: dict[Button, None] = {}

    async def perform(self, session: Session, input: Input, action: Action) -> bool:
        """Carry out an action by mouse and keyboard; return False for any other action, and for keys of the page alone."""
        chord = (*self._keys, *_keys(action))
        if type(action) not in _BY_HAND or (_keys(action) and beyond_the_page(chord)):
            return False
        for one in _pieces(action):
            if isinstance(one, act.Key) and one.keys[-1] == "tab" and set(one.keys) <= {"shift", "tab"}:
                await self._tab(session, one)
            else:
                await self._display.perform(one)
        self._note(action)
        if points := action.points():
            input.cursor = points[-1]
        return True

    async def release(self) -> None:
        """Let go of everything that is held."""
        ups = [act.KeyUp(key) for key in reversed(self._keys)]
        await self._display.perform(*ups, *(act.MouseUp(button=button) for button in self._buttons))
        self._keys.clear()
        self._buttons.clear()

    async def _tab(self, session: Session, key: act.Key) -> None:
        """Move the focus, past the toolbar, which is not on the screen."""
        inside = await _focused(session)
        await self._display.perform(key)
        for _ in range(_TOOLBAR if inside else 0):
            if await _focused(session):
                return
            await self._display.perform(act.Key(key.keys))

    def _note(self, action: Action) -> None:
        match action:
            case act.KeyDown(key=key):
                self._keys[key] = None
            case act.KeyUp(key=key):
                self._keys.pop(key, None)
            case act.MouseDown(button=button):
                self._buttons[button] = None
            case act.MouseUp(button=button):
                self._buttons.pop(button, None)


def _keys(action: Action) -> tuple[str, ...]:
    match action:
        case act.Key(keys=keys) | act.HoldKey(keys=keys):
            return keys
        case act.KeyDown(key=key):
            return (key,)
    return ()


def _pieces(action: Action) -> Iterator[Action]:
    """Split an action into Tab keys and the rest."""
    match action:
        case act.Type(text=text) if "\t" in text:
            for number, piece in enumerate(text.split("\t")):
                if number:
                    yield act.Key(("tab",))
                if piece:
                    yield act.Type(piece)
        case act.Key(keys=keys, repeat=repeat) if keys[-1] == "tab":
            yield from [act.Key(keys)] * repeat
        case _:
            yield action


async def _focused(session: Session) -> bool:
    """Whether the page has the focus; True while a dialog is open, which keeps it."""
    from playwright.async_api import Error

    try:
        return await session.interrupts.unless_interrupted(session.active.evaluate(_FOCUSED)) is not False
    except Error:
        return True  # the page was replaced
