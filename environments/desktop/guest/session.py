"""One desktop session: X server, buses, window manager, and the connections to them."""

from __future__ import annotations

import asyncio
import hashlib
import os
import zlib
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from guest import processes, program, xserver
from guest.accessibility import Accessibility
from guest.box import Box
from guest.buses import Buses, address, start_buses
from guest.display import Display
from guest.errors import Trouble
from guest.hands import Hands
from guest.imprint import imprint
from guest.patience import patient
from guest.program import Program
from guest.screen import Screen
from guest.xserver import XServer

LABEL = "CUABENCH_DESKTOP"  # in the environment of everything that we start
# Programs draw the same at every start: Qt's and Python's dictionaries keep one order.
_STEADY = {
    "QT_HASH_SEED": "0",
    "PYTHONHASHSEED": "0",
    "QT_QPA_PLATFORMTHEME": "kde",
    "KDE_SESSION_VERSION": "5",
}
_WINDOW_MANAGER_SECONDS = patient(10.0)
# What a window manager says of itself first, and what it says when it knows where windows may be.
_MANAGED = ("_NET_SUPPORTING_WM_CHECK", "_NET_SUPPORTED", "_NET_WORKAREA")


@dataclass(frozen=True, slots=True)
class Options:
    """How a desktop is made; `display` names an X server that is there already."""

    state: Path
    screen: tuple[int, int]
    display: str | None = None


@dataclass(slots=True)
class Session:
    """What runs for one desktop; made by `start`."""

    options: Options
    box: Box
    server: XServer
    buses: Buses
    manager: Program | None
    screen: Screen
    hands: Hands
    accessibility: Accessibility
    programs: list[Program] = field(default_factory=list)

    @property
    def display(self) -> Display:
        """The connection to the X server."""
        return self.server.display

    def trouble(self) -> str | None:
        """Return what of the desktop has ended, None while all of it lives."""
        parts = {
            "X server": self.server.program,
            "message bus": self.buses.daemon,
            "window manager": self.manager,
        }
        for name, one in parts.items():
            if one is not None and not one.alive:
                return f"the {name} of this desktop ended {one.end}"
        # A connection ends a moment before its program is seen to; and the accessibility bus is a bus's service.
        if self.display.ended:
            return "the X server of this desktop has ended"
        return None if self.buses.connected else "a message bus of this desktop has ended"

    async def print(self) -> dict[str, Any]:
        """Return all that the X server keeps, the picture included; equal for two desktops that are alike."""
        found = await self.display.run(lambda: imprint(self.display))
        return {**found, "picture": f"{zlib.crc32(await self.screen.frame()):08x}"}

    async def launch(self, argv: tuple[str, ...], env: Mapping[str, str], folder: str, name: str) -> Program:
        """Start a program of the session."""
        environment = {**session_environment(self.box, self.server.name, self.options.state), **env}
        log = _log(self.box, f"{name}-{len(self.programs)}")
        self.programs.append(await program.start(self.box, argv, environment, log, folder))
        return self.programs[-1]

    async def end_programs(self) -> None:
        """End all programs but the desktop's own, with what they left behind."""
        await asyncio.gather(*(one.kill() for one in self.programs))
        self.programs.clear()
        if self.box.name == "user":
            own = (self.server.program, self.buses.daemon, self.manager)
            await processes.end_orphans({one.process.pid for one in own if one is not None})

    async def close(self) -> None:
        """End everything."""
        with suppress(Trouble):
            if self.server.program is None:  # it stays, so nothing may stay pressed
                await self.hands.let_go()
        with suppress(Trouble):
            await self.end_programs()
        if self.manager is not None:
            await self.manager.kill()
        await self.buses.close()
        await self.server.close()


async def start(options: Options, box: Box) -> Session:
    """Start a desktop in folders that nobody has written to: X server, then both buses and the window manager.

    Raises:
        Trouble: Something did not come up.
    """
    environment = session_environment(box, options.display or ":0", options.state)
    manager = None
    async with AsyncExitStack() as started:  # what has come up is ended again when something does not
        server = await _server(options, box, environment)
        started.push_async_callback(server.close)
        if server.program is not None:
            manager = await _manager(options, box, environment)
            started.push_async_callback(manager.kill)
        buses = await start_buses(box, environment, _log(box, "buses"))
        started.push_async_callback(buses.close)
        screen, hands = Screen(server.display, server.memory), Hands(server.display)
        if manager is not None:
            await _managed(server.display, manager)
            await hands.keep_still()
        started.pop_all()
    return Session(options, box, server, buses, manager, screen, hands, Accessibility(buses.accessibility))


async def _server(options: Options, box: Box, environment: Mapping[str, str]) -> XServer:
    if options.display is not None:
        return xserver.use_display(options.display)
    return await xserver.start_xvfb(box, options.screen, environment, _log(box, "xserver"))


async def _manager(options: Options, box: Box, environment: Mapping[str, str]) -> Program:
    argv = ("openbox", "--sm-disable", "--config-file", f"{box.guest}/openbox.xml")
    return await program.start(box, argv, environment, _log(box, "openbox"))


async def _managed(display: Display, manager: Program) -> None:
    """Wait until the window manager manages: programs that ask earlier are placed and told otherwise."""
    clock = asyncio.get_running_loop().time
    end = clock() + _WINDOW_MANAGER_SECONDS
    while not await display.run(lambda: all(display.property(display.root, name) for name in _MANAGED)):
        if not manager.alive:
            raise Trouble(f"the window manager did not start: openbox ended {manager.end}")
        if clock() > end:
            raise Trouble(f"the window manager did not start within {_WINDOW_MANAGER_SECONDS:g} s")
        await asyncio.sleep(0.005)


def label(state: Path) -> str:
    """Return what tells a desktop's programs from others', and nothing about where its folder lies."""
    return hashlib.sha256(os.fsencode(state)).hexdigest()[:16]


def session_environment(box: Box, display: str, state: Path) -> dict[str, str]:
    """Return the variables that every program of a desktop gets, and nothing of the supervisor's own."""
    inside = {
        "DISPLAY": display,
        "HOME": box.places.home.inside,
        "XDG_RUNTIME_DIR": box.places.runtime.inside,
        "DBUS_SESSION_BUS_ADDRESS": address(box),
        "USER": box.user,
        "LOGNAME": box.user,
        "SHELL": "/bin/bash",
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "XDG_SESSION_TYPE": "x11",
        "QT_QPA_PLATFORM": "xcb",
        "QT_ACCESSIBILITY": "1",
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",  # its own sandbox cannot be nested in ours
        "GTK_MODULES": "gail:atk-bridge",
        "GDK_BACKEND": "x11",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        LABEL: label(state),
        **_STEADY,
    }
    authority = {name: os.environ[name] for name in ("XAUTHORITY",) if name in os.environ}
    return inside | (authority if box.name == "none" else {})


def _log(box: Box, name: str) -> Path:
    folder = box.places.space / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.log"
