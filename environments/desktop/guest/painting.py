"""Tells when the screen shows what an application itself has painted, for what is read from its picture alone.

X lets every program draw into every window, so a picture is believed only while no program but the application's own
can have done that. After others have run it is believed again when they have ended, nothing of theirs is left in the X
server, and the application has painted its windows anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

import xcffib.res
import xcffib.shape
import xcffib.xproto as x

from guest.display import Display

if TYPE_CHECKING:
    from PIL import Image

    from guest.screen import Screen
    from guest.session import Session

_There = tuple[frozenset[int], frozenset[int]]  # connections to the X server, and processes of applications


class Painted(Protocol):
    """What is painted on: a desktop with its session."""

    @property
    def session(self) -> Session: ...
    @property
    def screen(self) -> Screen: ...
    async def settle(self) -> bool: ...


class Painting:
    """The pictures of one session of a desktop."""

    def __init__(self, desktop: Painted) -> None:
        self._desktop = desktop
        self._before: _There | None = None  # what was there before others began; None while all is believed
        self._running = self._begun = 0

    async def others_begin(self) -> None:
        """Note that a program starts which may draw anywhere."""
        self._before = self._before or await self._there()
        self._begun += 1

    async def own_begins(self) -> None:
        """Note that the application itself starts again, whose windows others cannot have drawn on yet."""
        await self._is_believed()

    @contextmanager
    def others(self) -> Iterator[None]:
        """Note that programs run, none of which is left after the block."""
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1

    async def picture(self) -> Image.Image | None:
        """Return the screen; None if others than the episode's application may have drawn on it."""
        begun = self._begun
        if not await self._is_believed():
            return None
        picture = await self._desktop.screen.image(cursor=False)
        return picture if begun == self._begun else None

    async def _is_believed(self) -> bool:
        """Return whether the screen shows what the application has painted, after having it painted again."""
        if self._before is not None and not self._running and await self._there() == self._before:
            begun, display = self._begun, self._desktop.session.display
            await display.run(lambda: _repaint(display))
            await self._desktop.settle()
            if begun == self._begun:
                self._before = None
        return self._before is None

    async def _there(self) -> _There:
        session = self._desktop.session
        clients = await session.display.run(lambda: _clients(session.display))
        return clients, frozenset(one.process.pid for one in session.programs if one.alive)


def _clients(display: Display) -> frozenset[int]:
    """Return the connections of the X server, also of programs that have ended and left something."""
    if not display.has("X-Resource"):  # of somebody's own display, where nothing is confined either
        return frozenset()
    clients = display.connection(xcffib.res.key).QueryClients().reply().clients
    return frozenset(client.resource_base for client in clients)


def _repaint(display: Display) -> None:
    """Have all programs paint all of their windows, each in its full shape."""
    shape = display.connection(xcffib.shape.key)
    for window in _windows(display, display.root):
        for kind in (xcffib.shape.SK.Bounding, xcffib.shape.SK.Clip):
            with suppress(x.WindowError):  # it has just been closed
                shape.Mask(xcffib.shape.SO.Set, kind, window, 0, 0, 0, is_checked=True).check()
    width, height = display.size
    setup = display.connection.get_setup()
    cover = display.connection.generate_id()
    display.core.CreateWindow(
        *(0, cover, display.root, 0, 0, width, height, 0, x.WindowClass.InputOutput),
        *(setup.roots[0].root_visual, x.CW.OverrideRedirect, [1]),
    )
    display.core.MapWindow(cover)  # without a background: nothing changes on the screen yet
    display.core.DestroyWindow(cover)
    display.sync()


def _windows(display: Display, window: int) -> Iterator[int]:
    try:
        children = list(display.core.QueryTree(window).reply().children)
    except x.WindowError:  # it has just been closed
        return
    for child in children:
        yield child
        yield from _windows(display, child)
