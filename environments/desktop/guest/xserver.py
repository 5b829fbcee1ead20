"""The X server of a desktop: its own Xvfb, or an existing server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import xcffib

from guest import program
from guest.box import Box
from guest.display import Display, connect_display, connect_socket
from guest.errors import DesktopFailure
from guest.program import Program
from guest.timeouts import scaled

_START_SECONDS = scaled(20.0)
_POLL = 0.005
_NUMBER = 0  # each desktop has its own /tmp, so all may use display 0
_REPEAT = ("-ardelay", "500", "-arinterval", "33")  # milliseconds, as on usual desktops


@dataclass(frozen=True, slots=True)
class XServer:
    """A connected server; `program` is None if we did not start it."""

    display: Display
    name: str
    memory: Path | None
    program: Program | None

    async def close(self) -> None:
        """Disconnect, and stop the server if we started it."""
        if self.program is not None:
            await self.program.kill()
        self.display.close()


def socket_of(box: Box) -> Path:
    """Return where the X server of a box listens, as the guest sees it."""
    return box.places.sockets.host / f"X{_NUMBER}"


async def start_xvfb(box: Box, size: tuple[int, int], environment: Mapping[str, str], log: Path) -> XServer:
    """Start Xvfb in its box and connect to it.

    Raises:
        DesktopFailure: It ended, or took too long.
    """
    frames, sockets = box.places.frames, box.places.sockets
    _clean(frames.host, sockets.host, box.places.tmp.host)
    box.own(frames.host)
    argv = (
        "Xvfb", f":{_NUMBER}", "-screen", "0", f"{size[0]}x{size[1]}x24", "-fbdir", frames.inside,
        "-nolisten", "tcp", "-nolisten", "local", "-noreset", *_REPEAT,
    )  # fmt: skip
    server = await program.start(box, argv, environment, log, binds=(frames, sockets))
    display = await _connect(server, socket_of(box))
    return XServer(display, f":{_NUMBER}", frames.host / "Xvfb_screen0", server)


def use_display(name: str) -> XServer:
    """Connect to an existing server.

    Raises:
        DesktopFailure: There is no such display, or it denies access.
    """
    try:
        return XServer(connect_display(name), name, None, None)
    except xcffib.ConnectionException:
        raise DesktopFailure(
            f"no X server answers as {name!r}; say one with --display, for example :0"
        ) from None


async def _connect(server: Program, socket: Path) -> Display:
    clock = asyncio.get_running_loop().time
    end = clock() + _START_SECONDS
    while clock() < end:
        if not server.alive:
            raise DesktopFailure(f"the X server did not start: Xvfb ended {server.end}")
        try:
            return connect_socket(socket)
        except (OSError, xcffib.ConnectionException):
            await asyncio.sleep(_POLL)
    await server.kill()
    raise DesktopFailure(f"the X server did not start within {_START_SECONDS:g} s")


def _clean(frames: Path, sockets: Path, tmp: Path) -> None:
    """Remove files of a killed server, which would disturb the next one."""
    frames.mkdir(exist_ok=True)
    sockets.mkdir(exist_ok=True)
    sockets.chmod(0o1777)
    left = (frames / "Xvfb_screen0", sockets / f"X{_NUMBER}", tmp / f".X{_NUMBER}-lock")
    for path in left:
        if os.path.lexists(path):
            path.unlink()
