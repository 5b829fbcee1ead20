"""Serves both protocols on a Unix socket or a port, with token authentication."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import os
import signal
import socket
import stat
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from guest import NAME, PROTOCOL, VERSION, api, control_group, osworld, processes
from guest.data import SetupError
from guest.desktop import Desktop
from guest.errors import GuestError
from guest.plain import PlainResponse
from guest.session import Options


class Given(NamedTuple):
    """Where another process gives its listening socket away: to one in a container that can write no file there."""

    path: Path


Address = Path | Given | tuple[str, int]
_GIVEN_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Serving:
    """The server's options; without a token every client is accepted."""

    listen: Address
    token: str | None
    until_eof: bool
    options: Options
    confine: str


class TokenRequired:
    """Rejects requests without the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._expected = app, f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer 401 to a request without the token."""
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
        else:
            body = {"error": "this desktop wants its token: Authorization: Bearer TOKEN"}
            await PlainResponse(body, 401)(scope, receive, send)


class Listener(uvicorn.Server):
    """A uvicorn server that reports when it accepts connections, and does not handle signals."""

    def __init__(self, app: ASGIApp, listening: socket.socket) -> None:
        config = uvicorn.Config(
            app,
            lifespan="off",
            access_log=False,
            log_level="error",
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        super().__init__(config)
        self.accepting = asyncio.Event()
        self.listening = listening

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no handlers: the desktop must be ended first."""
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Set `accepting` once connections are accepted."""
        await super().startup(sockets)
        self.accepting.set()

    def stop(self) -> None:
        """Finish open requests and stop."""
        self.should_exit = True


def application(desktop: Desktop, token: str | None) -> ASGIApp:
    """Return both protocols as one ASGI application."""
    handlers = {GuestError: _error_reply, SetupError: _error_reply}
    app = Starlette(routes=[*api.routes(desktop), *osworld.routes(desktop)], exception_handlers=handlers)
    return TokenRequired(app, token) if token is not None else app


async def serve(serving: Serving) -> None:
    """Serve until a signal (or the end of standard input), then end the desktop.

    Raises:
        OSError: The address cannot be used.
        GuestError: The requested confinement is not available.
    """
    processes.adopt_orphans()
    control_group.enter(control_group.MOST_TASKS)
    desktop = Desktop(serving.options, serving.confine)
    with contextlib.closing(_bind(serving.listen)) as listening:
        listener = Listener(application(desktop, serving.token), listening)
        _stop_on(listener, serving.until_eof)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(listener.serve([listening]))
                await listener.accepting.wait()
                _announce(listening)
        finally:
            await desktop.end()
            if isinstance(serving.listen, Path):
                serving.listen.unlink(missing_ok=True)


async def _error_reply(request: Request, problem: Exception) -> Response:
    status = problem.status if isinstance(problem, GuestError) else 400
    return PlainResponse({"error": str(problem)}, status)


def _bind(address: Address) -> socket.socket:
    if isinstance(address, Path):
        return _bind_file(address)
    if isinstance(address, Given):
        return _received(address.path)
    listening = socket.socket(socket.AF_INET6 if ":" in address[0] else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(address)
    return listening


def _received(path: Path) -> socket.socket:
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_GIVEN_SECONDS)
        asking.connect(str(path))
        _, found, _, _ = socket.recv_fds(asking, 1, 1)
    if not found:
        raise OSError(f"nobody gives a socket at {path}")
    return socket.socket(fileno=found[0])


def _bind_file(path: Path) -> socket.socket:
    """Bind a socket for this user only, replacing one that a dead process left behind."""
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


def _announce(listening: socket.socket) -> None:
    name = listening.getsockname()
    where = f"unix:{name}" if isinstance(name, str) else f"{name[0]}:{name[1]}"
    ready = {"ready": True, "protocol": PROTOCOL, "name": NAME, "version": VERSION, "listen": where}
    sys.stdout.write(json.dumps(ready) + "\n")
    sys.stdout.flush()


def _stop_on(listener: Listener, until_eof: bool) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, listener.stop)
    if until_eof:
        threading.Thread(target=_wait_for_eof, args=(loop, listener), daemon=True).start()


def _wait_for_eof(loop: asyncio.AbstractEventLoop, listener: Listener) -> None:
    """Block on the raw descriptor: a buffered reader would hold its lock at interpreter exit."""
    with contextlib.suppress(OSError):
        while os.read(0, 4096):
            pass
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(listener.stop)
