"""One desktop session: X server, buses, window manager, and the connections to them."""

from __future__ import annotations

import asyncio
import os
import pwd
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from guest import home, processes, program, xserver
from guest.accessibility import Accessibility
from guest.box import Box
from guest.buses import Buses, address, start_buses
from guest.display import Display
from guest.errors import Trouble
from guest.hands import Hands
from guest.patience import patient
from guest.program import Program
from guest.screen import Screen
from guest.xserver import XServer

LABEL = "CUABENCH_DESKTOP"  # in the environment of everything that we start
_SOCKETS = frozenset({".X11-unix", ".ICE-unix", ".X0-lock"})
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

    async def launch(self, argv: tuple[str, ...], env: Mapping[str, str], folder: str, name: str) -> Program:
        """Start a program of the session."""
        environment = {**session_environment(self.box, self.server.name, self.options.state), **env}
        log = _log(self.options.state, f"{name}-{len(self.programs)}")
        self.programs.append(await program.start(self.box, argv, environment, log, folder))
        return self.programs[-1]

    async def end_programs(self) -> None:
        """End all programs but the desktop's own, with what they left behind."""
        await asyncio.gather(*(one.kill() for one in self.programs))
        self.programs.clear()
        if self.box.name == "user":
            own = (self.server.program, self.buses.daemon, self.manager)
            await processes.end_orphans({one.process.pid for one in own if one is not None})

    async def renew_buses(self) -> None:
        """Start both buses anew: services that applications left on them remember things."""
        await self.buses.close()
        clean_shared(self.box)
        environment = session_environment(self.box, self.server.name, self.options.state)
        self.buses = await start_buses(self.box, environment, _log(self.options.state, "buses"))
        self.accessibility = Accessibility(self.buses.accessibility)

    async def close(self) -> None:
        """End everything."""
        with suppress(Trouble):
            await self.end_programs()
        if self.manager is not None:
            await self.manager.kill()
        await self.buses.close()
        await self.server.close()


async def start(options: Options, box: Box) -> Session:
    """Start a desktop: X server, then both buses and the window manager.

    Raises:
        Trouble: Something did not come up.
    """
    make_folders(box)
    clean_shared(box, sockets=True)
    environment = session_environment(box, options.display or ":0", options.state)
    manager = None
    async with AsyncExitStack() as started:  # what has come up is ended again when something does not
        server = await _server(options, box, environment)
        started.push_async_callback(server.close)
        if server.program is not None:
            manager = await _manager(options, box, environment)
            started.push_async_callback(manager.kill)
        buses = await start_buses(box, environment, _log(options.state, "buses"))
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
    return await xserver.start_xvfb(box, options.screen, environment, _log(options.state, "xserver"))


async def _manager(options: Options, box: Box, environment: Mapping[str, str]) -> Program:
    argv = ("openbox", "--sm-disable", "--config-file", f"{box.guest}/openbox.xml")
    return await program.start(box, argv, environment, _log(options.state, "openbox"))


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


def make_folders(box: Box) -> None:
    """Make the folders that programs and supervisor share."""
    for place in (box.places.home, box.places.tmp, box.places.runtime):
        place.host.mkdir(parents=True, exist_ok=True)
    box.places.runtime.host.chmod(0o700)
    box.own(box.places.runtime.host)


def clean_shared(box: Box, *, sockets: bool = False) -> None:
    """Empty /tmp and the runtime folder of what earlier programs left there."""
    home.empty(box.places.runtime.host)
    if box.name == "bwrap":
        home.empty(box.places.tmp.host, frozenset() if sockets else _SOCKETS)
    elif box.name == "user":
        home.empty(box.places.tmp.host, _SOCKETS, pwd.getpwnam(box.user).pw_uid)


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
        LABEL: str(state),
    }
    authority = {name: os.environ[name] for name in ("XAUTHORITY",) if name in os.environ}
    return inside | (authority if box.name == "none" else {})


def _log(state: Path, name: str) -> Path:
    folder = state / "logs"
    folder.mkdir(exist_ok=True)
    return folder / f"{name}.log"
