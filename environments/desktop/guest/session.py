"""One desktop session: X server, buses, window manager, and the connections to them."""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from guest import processes, program, xserver
from guest.accessibility import Accessibility
from guest.box import Box
from guest.buses import Buses, OwnBus, address, start_buses, start_own_bus
from guest.data import Launch
from guest.display import Display
from guest.display_state import display_state
from guest.errors import DesktopFailure
from guest.input import Input
from guest.places import Place
from guest.program import Program
from guest.screen import Screen
from guest.timeouts import scaled
from guest.xserver import XServer

LABEL = "CUABENCH_DESKTOP"  # environment variable of all programs
# Fixed hash seeds, so that Qt and Python programs draw the same at every start.
_STEADY = {
    "QT_HASH_SEED": "0",
    "PYTHONHASHSEED": "0",
    "QT_QPA_PLATFORMTHEME": "kde",
    "KDE_SESSION_VERSION": "5",
}
_WINDOW_MANAGER_SECONDS = scaled(10.0)
# The properties that a window manager sets first, and when it has finished its start.
_MANAGED = ("_NET_SUPPORTING_WM_CHECK", "_NET_SUPPORTED", "_NET_WORKAREA")


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a desktop; `display` names an existing X server."""

    state: Path
    screen: tuple[int, int]
    display: str | None = None


@dataclass(slots=True)
class Session:
    """The running parts of one desktop; created by `start`.

    Attributes:
        programs: All that were started since the reset, ended ones included.
        launches: By application, those of them that the guest started for it.
    """

    options: Options
    box: Box
    server: XServer
    buses: Buses
    manager: Program | None
    screen: Screen
    input: Input
    accessibility: Accessibility
    programs: list[Program] = field(default_factory=list)
    launches: defaultdict[str, list[Program]] = field(default_factory=lambda: defaultdict(list))
    own_buses: list[OwnBus] = field(default_factory=list)

    @property
    def display(self) -> Display:
        """The connection to the X server."""
        return self.server.display

    def failure(self) -> str | None:
        """Return which part of the desktop has ended; None if all are running."""
        if (server := self.server.program) is not None and not server.alive:
            return f"the X server of this desktop ended {server.end}"
        # Its connection closes slightly before its program is known to have exited, and ends the others.
        if self.display.ended:
            return "the X server of this desktop has ended"
        for name, one in {"message bus": self.buses.daemon, "window manager": self.manager}.items():
            if one is not None and not one.alive:
                return f"the {name} of this desktop ended {one.end}"
        return None if self.buses.connected else "a message bus of this desktop has ended"

    async def display_state(self) -> dict[str, Any]:
        """Return the state of the X server, including the picture; equal for equal desktops."""
        found = await self.display.run(lambda: display_state(self.display))
        return {**found, "picture": f"{zlib.crc32(await self.screen.frame()):08x}"}

    async def launch(self, launch: Launch, name: str, binds: Sequence[Place] = ()) -> Program:
        """Start a program of the session; a channel is then its own alone."""
        environment = {**session_environment(self.box, self.server.name, self.options.state), **launch.env}
        log = _log(self.box, f"{name}-{len(self.programs)}")
        stdin = asyncio.subprocess.DEVNULL if launch.channel is None else launch.channel.fileno()
        started = await program.start(self.box, launch.argv, environment, log, launch.folder, binds, stdin)
        if launch.channel is not None:
            launch.channel.close()
        self.programs.append(started)
        return started

    async def launch_with_own_bus(self, launch: Launch, name: str, binds: Sequence[Place] = ()) -> Program:
        """Start a program of the session whose tree no other program of the desktop can change or add to.

        Raises:
            DesktopFailure: Its bus does not start.
        """
        await self._end_buses(ended=True)
        log = _log(self.box, f"{name}-{len(self.programs)}-bus")
        environment = session_environment(self.box, self.server.name, self.options.state)
        own = await start_own_bus(self.box, environment, self.options.state / "buses", name, log)
        self.own_buses.append(own)
        binds = [*binds, own.place] if self.box.name == "bwrap" else binds
        launch = replace(launch, env={**launch.env, **own.environment})
        try:
            await self._name_bus(own.location)
            own.program = await self.launch(launch, name, binds)
            await own.joined()
        finally:
            await self._name_bus(self.buses.location)
        self.accessibility.add(own)
        return own.program

    async def _name_bus(self, location: str) -> None:
        """Tell programs that start now where the accessibility bus is; Qt 5 takes it from nowhere else."""
        await self.display.run(lambda: self.display.set_text("AT_SPI_BUS", location))

    async def end_programs(self) -> None:
        """Kill all programs except the desktop's own, with their orphans."""
        await asyncio.gather(*(one.kill() for one in self.programs))
        self.programs.clear()
        self.launches.clear()
        await self._end_buses()
        if self.box.name == "user":
            own = (self.server.program, self.buses.daemon, self.manager)
            await processes.end_orphans({one.process.pid for one in own if one is not None})

    async def _end_buses(self, ended: bool = False) -> None:
        """Stop the buses of launches; with `ended`, only of those whose program has ended."""
        needless = [own for own in self.own_buses if not (ended and own.alive)]
        self.own_buses = [own for own in self.own_buses if own not in needless]
        await asyncio.gather(*(own.close() for own in needless))
        for own in needless:
            shutil.rmtree(own.place.host, ignore_errors=True)

    async def close(self) -> None:
        """End everything."""
        with suppress(DesktopFailure):
            if self.server.program is None:  # it keeps running, so release everything
                await self.input.release_all()
        with suppress(DesktopFailure):
            await self.end_programs()
        if self.manager is not None:
            await self.manager.kill()
        await self.buses.close()
        await self.server.close()


async def start(options: Options, box: Box) -> Session:
    """Start a desktop in fresh folders: X server, then both buses and the window manager.

    Raises:
        DesktopFailure: A part did not start.
    """
    environment = session_environment(box, options.display or ":0", options.state)
    manager = None
    async with AsyncExitStack() as started:  # on failure, parts already started are stopped
        server = await _server(options, box, environment)
        started.push_async_callback(server.close)
        if server.program is not None:
            manager = await _manager(options, box, environment)
            started.push_async_callback(manager.kill)
        buses = await start_buses(box, environment, _log(box, "buses"))
        started.push_async_callback(buses.close)
        screen, input = Screen(server.display, server.memory), Input(server.display)
        if manager is not None:
            await _managed(server.display, manager)
            await input.disable_repeat()
        started.pop_all()
    return Session(options, box, server, buses, manager, screen, input, Accessibility(buses.accessibility))


async def _server(options: Options, box: Box, environment: Mapping[str, str]) -> XServer:
    if options.display is not None:
        return xserver.use_display(options.display)
    return await xserver.start_xvfb(box, options.screen, environment, _log(box, "xserver"))


async def _manager(options: Options, box: Box, environment: Mapping[str, str]) -> Program:
    argv = ("openbox", "--sm-disable", "--config-file", f"{box.guest}/openbox.xml")
    return await program.start(box, argv, environment, _log(box, "openbox"))


async def _managed(display: Display, manager: Program) -> None:
    """Wait until the window manager has started: earlier windows would be placed differently."""
    clock = asyncio.get_running_loop().time
    end = clock() + _WINDOW_MANAGER_SECONDS
    while not await display.run(lambda: all(display.property(display.root, name) for name in _MANAGED)):
        if not manager.alive:
            raise DesktopFailure(f"the window manager did not start: openbox ended {manager.end}")
        if clock() > end:
            raise DesktopFailure(f"the window manager did not start within {_WINDOW_MANAGER_SECONDS:g} s")
        await asyncio.sleep(0.005)


def label(state: Path) -> str:
    """Return the label that identifies a desktop's programs, without revealing its folder."""
    return hashlib.sha256(os.fsencode(state)).hexdigest()[:16]


def session_environment(box: Box, display: str, state: Path) -> dict[str, str]:
    """Return the environment variables of a desktop's programs, without the supervisor's own."""
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
        "QTWEBENGINE_DISABLE_SANDBOX": "1",  # it cannot be nested in the desktop's sandbox
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
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # not for programs, also where they see it
    return folder / f"{name}.log"
