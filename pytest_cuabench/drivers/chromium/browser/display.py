"""A private X display for a browser with a window: `--cua-world browser=xvfb`.

The desktop's guest (`environments/desktop`) runs the X server and the window manager, sends the input, and takes the
pictures. The browser is a process of the plugin's own, as without a window, so that tabs, origins, requests and states
are watched in the same way. Its window is larger than the screen: borders, tabs and toolbar lie beyond the edges, and
the page fills the screen exactly as it does without a window.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.guest import Guest
from pytest_cuabench.drivers.desktop.xvfb import Xvfb
from pytest_cuabench.errors import ActionError, EnvironmentFailure
from pytest_cuabench.task.action import Action, Size

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab
    from pytest_cuabench.drivers.leases import Leases

_FRAME = "[outerWidth - innerWidth, outerHeight - innerHeight]"
_PAGE = """[innerWidth, innerHeight, screenX + (outerWidth - innerWidth) / 2,
  screenY + outerHeight - innerHeight - (outerWidth - innerWidth) / 2]"""
_PLACED = 5.0  # seconds until a window is where it was placed
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
    # The border at the bottom is as wide as at each side; the rest of the height is tabs and toolbar.
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
    # The call returns before the window manager has placed the window.
    while tuple(await tab.evaluate(_PAGE)) != (*screen, 0, 0):
        if clock() > end:
            raise EnvironmentFailure(
                f"The browser's window does not fill the screen of {screen}: {await tab.evaluate(_PAGE)}."
            )
        await asyncio.sleep(0.01)
