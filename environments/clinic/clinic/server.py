"""Runs the public listener and the control socket in one event loop."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from clinic import NAME, PROTOCOL, VERSION
from clinic.application import Application
from clinic.control import Control
from clinic.fixtures import Fixtures
from clinic.public import Public
from clinic.sessions import Sessions
from clinic.staging import prepare
from clinic.starting_points import StartingPoints


@dataclass(frozen=True)
class Options:
    """How to serve."""

    listen: tuple[str, int]
    control: Path
    fixtures: Fixtures
    applications: dict[str, Application]
    until_eof: bool


class Listener(uvicorn.Server):
    """A uvicorn server that says when it accepts and leaves signals to its owner."""

    def __init__(self, app: ASGIApp, listening: socket.socket) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                access_log=False,
                log_level="error",
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )
        self.accepting = asyncio.Event()
        self.listening = listening

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install nothing: two servers share one process."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell the owner once connections are accepted."""
        await super().startup(sockets)
        self.accepting.set()

    async def run_until_stopped(self) -> None:
        """Serve on the socket given at the start."""
        await self.serve([self.listening])

    def stop(self) -> None:
        """Finish the open requests and end."""
        self.should_exit = True


def public_socket(address: tuple[str, int]) -> socket.socket:
    """Bind the public listener."""
    listening = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(address)
    return listening


def control_socket(path: Path) -> socket.socket:
    """Bind the control socket for this user only, replacing one that a dead process left behind."""
    with contextlib.suppress(FileNotFoundError):
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    umask = os.umask(0o177)
    try:
        listening.bind(str(path))
    finally:
        os.umask(umask)
    return listening


async def serve(options: Options) -> None:
    """Serve until a signal (or the end of standard input) and leave no socket behind."""
    stages = {name: prepare(app, options.fixtures) for name, app in options.applications.items()}
    public = Public(Sessions(StartingPoints(options.fixtures), stages))
    with contextlib.closing(public_socket(options.listen)) as outside:
        host, port = outside.getsockname()[:2]
        with contextlib.closing(control_socket(options.control)) as inside:
            control = Control(public, port).application()
            try:
                await _run(options, Listener(public, outside), Listener(control, inside), f"{host}:{port}")
            finally:
                options.control.unlink(missing_ok=True)


async def _run(options: Options, outer: Listener, inner: Listener, address: str) -> None:
    def stop() -> None:
        outer.stop()
        inner.stop()

    _stop_on(stop, options.until_eof)
    async with asyncio.TaskGroup() as serving:
        for listener in (outer, inner):
            serving.create_task(listener.run_until_stopped())
        await outer.accepting.wait()
        await inner.accepting.wait()
        _announce(options, address)


def _announce(options: Options, address: str) -> None:
    ready = {
        "ready": True,
        "protocol": PROTOCOL,
        "name": NAME,
        "version": VERSION,
        "listen": address,
        "control": str(options.control),
        "applications": list(options.applications),
    }
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()


def _stop_on(stop: Callable[[], None], until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    if until_eof:
        threading.Thread(target=_wait_for_eof, args=(loop, stop), daemon=True).start()


def _wait_for_eof(loop: asyncio.AbstractEventLoop, stop: Callable[[], None]) -> None:
    """Block on the raw descriptor: a buffered reader would hold its lock at interpreter exit."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(stop)
