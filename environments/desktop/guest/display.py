"""A connection to an X server with a thread of its own, so that a hanging server blocks nothing else."""

from __future__ import annotations

import asyncio
import select
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import xcffib
import xcffib.xfixes
import xcffib.xkb
import xcffib.xproto
import xcffib.xtest

from guest.errors import DesktopFailure
from guest.timeouts import scaled

_T = TypeVar("_T")
_ANSWER_SECONDS = scaled(10.0)


class Display:
    """A connected X server.

    `run` passes a call to the thread; everything else may be called in that thread only.
    """

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.core: Any = connection.core
        self.xtest: Any = connection(xcffib.xtest.key)
        self.xfixes: Any = connection(xcffib.xfixes.key)
        self.xkb: Any = connection(xcffib.xkb.key)
        self.root: int = connection.get_setup().roots[0].root
        self._thread = ThreadPoolExecutor(1, "display")
        self._atoms: dict[str, int] = {}
        self._events: list[Any] = []
        self.xfixes.QueryVersion(4, 0).reply()
        self.xkb.UseExtension(1, 0).reply()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen in pixels."""
        screen = self.connection.get_setup().roots[0]
        return screen.width_in_pixels, screen.height_in_pixels

    @property
    def ended(self) -> bool:
        """Whether the server has closed the connection; thread-safe, without a request."""
        watch = select.poll()
        try:
            watch.register(self.connection.get_file_descriptor(), 0)  # hang-up events are always reported
        except xcffib.ConnectionException:  # noticed before
            return True
        return bool(watch.poll(0))

    async def run(self, call: Callable[[], _T], seconds: float = _ANSWER_SECONDS) -> _T:
        """Call a function in the thread and return its result.

        Raises:
            DesktopFailure: The server has ended, or did not answer in time.
        """
        try:
            future = asyncio.get_running_loop().run_in_executor(self._thread, call)
            return await asyncio.wait_for(asyncio.shield(future), seconds)
        except TimeoutError:
            raise DesktopFailure(f"the X server of this desktop did not answer for {seconds:g} s") from None
        except (xcffib.ConnectionException, RuntimeError) as error:
            raise DesktopFailure("the X server of this desktop has ended") from error

    def has(self, extension: str) -> bool:
        """Return whether the server has an extension."""
        return bool(self.core.QueryExtension(len(extension), extension).reply().present)

    def atom(self, name: str) -> int:
        """Return the atom of a name."""
        if name not in self._atoms:
            self._atoms[name] = self.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def property(self, window: int, name: str) -> list[int]:
        """Return a window's property of 32-bit numbers; empty if the property or window does not exist."""
        try:
            reply = self.core.GetProperty(False, window, self.atom(name), 0, 0, 4096).reply()
        except xcffib.xproto.WindowError:
            return []
        return list(reply.value.to_atoms()) if reply.format == 32 else []

    def set_text(self, name: str, text: str) -> None:
        """Set a property of the root window to a text."""
        what = (self.root, self.atom(name), xcffib.xproto.Atom.STRING, 8)
        self.core.ChangeProperty(xcffib.xproto.PropMode.Replace, *what, len(text.encode()), text.encode())
        self.sync()

    def sync(self) -> None:
        """Wait until the server has processed all requests."""
        self.core.GetInputFocus().reply()

    def events(self, deadline: float) -> Any:
        """Yield events until a deadline of the monotonic clock."""
        while True:
            event = self.connection.poll_for_event()
            if event is not None:
                yield event
                continue
            rest = deadline - time.monotonic()
            if rest <= 0 or not select.select([self.connection.get_file_descriptor()], [], [], rest)[0]:
                return

    def close(self) -> None:
        """Disconnect; the thread ends by itself once the server's socket is closed."""
        with suppress(xcffib.ConnectionException):
            self.connection.disconnect()
        self._thread.shutdown(wait=False, cancel_futures=True)


def connect_socket(path: Path) -> Display:
    """Connect to a server by the path of its socket.

    Raises:
        OSError: Nothing listens on the socket.
        xcffib.ConnectionException: The server does not speak X11, or ended.
    """
    link = socket.socket(socket.AF_UNIX)
    try:
        link.connect(str(path))
    except OSError:
        link.close()
        raise
    return Display(xcffib.Connection(fd=link.detach()))  # type: ignore[no-untyped-call]


def connect_display(name: str) -> Display:
    """Connect to the server of a display such as :0, with the user's own authority.

    Raises:
        xcffib.ConnectionException: There is no such display, or it denies access.
    """
    return Display(xcffib.connect(name))  # type: ignore[no-untyped-call]
