"""The X server of a desktop: an Xvfb of its own, or one that is there already."""

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
from guest.errors import Trouble
from guest.patience import patient
from guest.program import Program

_START_SECONDS = patient(20.0)
_POLL = 0.005
_NUMBER = 0  # each desktop has a /tmp of its own, so all of them may be display 0
_REPEAT = ("-ardelay", "500", "-arinterval", "33")  # milliseconds, as on usual desktops


@dataclass(frozen=True, slots=True)
class XServer:
    """A server that we are connected to; `program` is None for one that we did not start."""

    display: Display
    name: str
    memory: Path | None
    program: Program | None

    async def close(self) -> None:
        """Disconnect, and end what we started."""
        if self.program is not None:
            await self.program.kill()
        self.display.close()


async def start_xvfb(box: Box, size: tuple[int, int], environment: Mapping[str, str], log: Path) -> XServer:
    """Start an Xvfb in its box and connect to it.

    Raises:
        Trouble: It ended, or took too long.
    """
    frames, sockets = box.places.frames, box.places.tmp.host / ".X11-unix"
    _clean(frames.host, sockets)
    box.own(frames.host)
    argv = (
        "Xvfb", f":{_NUMBER}", "-screen", "0", f"{size[0]}x{size[1]}x24", "-fbdir", frames.inside,
        "-nolisten", "tcp", "-nolisten", "local", "-noreset", *_REPEAT,
    )  # fmt: skip
    server = await program.start(box, argv, environment, log, binds=(frames,))
    display = await _connect(server, sockets / f"X{_NUMBER}")
    return XServer(display, f":{_NUMBER}", frames.host / "Xvfb_screen0", server)


def use_display(name: str) -> XServer:
    """Connect to a server that is there.

    Raises:
        Trouble: There is none of this name, or it refuses.
    """
    try:
        return XServer(connect_display(name), name, None, None)
    except xcffib.ConnectionException:
        raise Trouble(f"no X server answers as {name!r}; say one with --display, for example :0") from None


async def _connect(server: Program, socket: Path) -> Display:
    clock = asyncio.get_running_loop().time
    end = clock() + _START_SECONDS
    while clock() < end:
        if not server.alive:
            raise Trouble(f"the X server did not start: Xvfb ended {server.end}")
        try:
            return connect_socket(socket)
        except (OSError, xcffib.ConnectionException):
            await asyncio.sleep(_POLL)
    await server.kill()
    raise Trouble(f"the X server did not start within {_START_SECONDS:g} s")


def _clean(frames: Path, sockets: Path) -> None:
    """Remove what a killed server left, which would stop or mislead the next one."""
    frames.mkdir(exist_ok=True)
    sockets.mkdir(exist_ok=True)
    sockets.chmod(0o1777)
    left = (frames / "Xvfb_screen0", sockets / f"X{_NUMBER}", sockets.parent / f".X{_NUMBER}-lock")
    for path in left:
        if os.path.lexists(path):
            path.unlink()
