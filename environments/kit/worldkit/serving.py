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
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from worldkit import PROTOCOL


@dataclass(frozen=True)
class Certificate:
    """PEM files: a certificate with those it was issued by, and its key."""

    chain: Path
    key: Path


@dataclass(frozen=True)
class Program:
    """A world program to serve.

    Attributes:
        public: The application for browsers and other clients.
        control: Creates the control application, given the port of the public listener.
        certificate: Of the public listener, which speaks TLS if there is one.
    """

    name: str
    version: str
    applications: tuple[str, ...]
    public: ASGIApp
    control: Callable[[int], ASGIApp]
    certificate: Certificate | None = None


@dataclass(frozen=True)
class Options:
    """The addresses to serve, and whether to stop at the end of standard input."""

    listen: tuple[str, int]
    control: Path
    until_eof: bool


class Listener(uvicorn.Server):
    """A uvicorn server that reports when it accepts connections, and does not handle signals."""

    def __init__(
        self, app: ASGIApp, listening: socket.socket, certificate: Certificate | None = None
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                lifespan="off",
                access_log=False,
                log_level="error",
                server_header=False,
                timeout_graceful_shutdown=1,
                timeout_keep_alive=60,  # longer than the interval of tools that poll every 5 s
                ssl_certfile=certificate.chain if certificate else None,
                ssl_keyfile=certificate.key if certificate else None,
            )
        )
        self.accepting = asyncio.Event()
        self.listening = listening

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no handlers: two servers share one process."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Set `accepting` once connections are accepted."""
        await super().startup(sockets)
        self.accepting.set()

    async def run_until_stopped(self) -> None:
        """Serve on the given socket until stopped."""
        await self.serve([self.listening])

    def stop(self) -> None:
        """Finish open requests and stop."""
        self.should_exit = True


def public_socket(address: tuple[str, int]) -> socket.socket:
    """Bind the public listener as an explicit TCP socket, for which asyncio sets TCP_NODELAY."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(address)
    return listening


def control_socket(path: Path) -> socket.socket:
    """Bind the control socket for this user only, replacing that of a dead process."""
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


async def serve(program: Program, options: Options) -> None:
    """Serve until a signal (or the end of standard input) and leave no socket behind."""
    with contextlib.closing(public_socket(options.listen)) as outside:
        host, port = outside.getsockname()[:2]
        with contextlib.closing(control_socket(options.control)) as inside:
            public = Listener(program.public, outside, program.certificate)
            listeners = (public, Listener(program.control(port), inside))
            try:
                await _run(options, listeners, _ready(program, options, f"{host}:{port}"))
            finally:
                options.control.unlink(missing_ok=True)


async def _run(options: Options, listeners: tuple[Listener, ...], ready: dict[str, Any]) -> None:
    def stop() -> None:
        for listener in listeners:
            listener.stop()

    _stop_on(stop, options.until_eof)
    async with asyncio.TaskGroup() as serving:
        for listener in listeners:
            serving.create_task(listener.run_until_stopped())
        for listener in listeners:
            await listener.accepting.wait()
        sys.stdout.write(json.dumps(ready) + "\n")
        sys.stdout.flush()


def _ready(program: Program, options: Options, address: str) -> dict[str, Any]:
    return {
        "ready": True,
        "protocol": PROTOCOL,
        "name": program.name,
        "version": program.version,
        "listen": address,
        "control": str(options.control),
        "applications": list(program.applications),
    }


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
