"""Serves the page of a run on loopback.

The address holds a token; the first request keeps it in a cookie, so that it leaves the address. Requests with another
`Host` (DNS rebinding), without the token, or commands from another site are refused. Pictures are served as they were
recorded: their names never change their content, so that a browser asks for each of them once.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pytest_cuabench.errors import CuabenchError, RecordFailure, SettingError
from pytest_cuabench.ledger import live
from pytest_cuabench.ledger.inspection import TRAJECTORIES
from pytest_cuabench.reporting.page.writing import ASSETS
from pytest_cuabench.reporting.watch.following import Following
from pytest_cuabench.task.http_limits import TooLarge, bounded_body, checked_json, host_name
from pytest_cuabench.task.outcome import Outcome

HOST = "127.0.0.1"
_EACH = 0.5  # seconds between two looks at the folder, and at most one picture of an episode in that time
_QUIET = 15.0  # seconds without a change after which a line keeps the connection open
_MAX_PAGES = 32
_MOST_BYTES = 100_000  # of a command
_HERE = Path(__file__).parent / "assets"
_STYLES = (ASSETS / "base.css", ASSETS / "table.css", ASSETS / "detail.css", _HERE / "watch.css")
_SCRIPTS = (
    *(ASSETS / name for name in ("dom.js", "words.js", "player.js", "frame.js")),
    *(_HERE / name for name in ("tiles.js", "takeover.js", "episode.js", "watch.js")),
)
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def listen(port: int = 0) -> socket.socket:
    """Return a socket that listens on loopback; port 0 is any free one.

    Raises:
        SettingError: The port is in use, or not allowed.
    """
    found = socket.socket()
    # Else the port of a server that has just ended could not be used for a while.
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
        found.listen()
    except OSError as error:
        found.close()
        raise SettingError(
            f"cannot listen on port {port} of {HOST}: {error.strerror}; leave --port out for a free one"
        ) from error
    return found


def address(listening: socket.socket, token: str) -> str:
    """Return the address that a person opens."""
    return f"http://{HOST}:{listening.getsockname()[1]}/?token={token}"


def new_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(24)


class Hub:
    """Looks at the run while pages are open, and tells them when something changed."""

    def __init__(self, following: Following) -> None:
        self.following = following
        self.over = False
        self.pages = 0
        self._changed = asyncio.Condition()
        self._looking: asyncio.Task[None] | None = None

    async def events(self) -> AsyncIterator[str]:
        """Yield server-sent events: all that is known, then what changes."""
        self.pages += 1
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            seen = 0
            yield _event(self.following.changes(0))
            seen = self.following.looks
            while not self.over:
                if not await self._newer(seen):
                    yield ": still here\n\n"
                elif self.following.looks > seen:
                    data, seen = self.following.changes(seen), self.following.looks
                    yield _event(data)
            yield "event: over\ndata: {}\n\n"
        finally:
            self.pages -= 1

    async def look(self) -> None:
        """Read what is new."""
        if await asyncio.to_thread(self.following.look):
            async with self._changed:
                self._changed.notify_all()

    async def close(self) -> None:
        """Send what is new for the last time, and end all connections."""
        if self._looking:
            self._looking.cancel()
            await asyncio.wait({self._looking})
        await self.look()
        self.over = True
        async with self._changed:
            self._changed.notify_all()

    async def _look(self) -> None:
        while self.pages:
            await self.look()
            await asyncio.sleep(_EACH)

    async def _newer(self, seen: int) -> bool:
        """Wait until something changed; return whether it did within the time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_QUIET), self._changed:
                await self._changed.wait_for(lambda: self.over or self.following.looks > seen)
                return True
        return False


def application(
    hub: Hub, port: int, token: str, *, read_only: bool = False, allowed: Collection[str] = ()
) -> ASGIApp:
    """Return the page's application.

    Args:
        read_only: Refuse commands.
        allowed: Names of proxies in front of it.
    """
    following = hub.following

    def page(request: Request) -> Response:
        return Response(_page(read_only), media_type="text/html")

    def asset(kind: str, files: tuple[Path, ...]) -> Callable[[Request], Response]:
        return lambda request: Response(_joined(files), media_type=kind)

    def events(request: Request) -> Response:
        if hub.pages >= _MAX_PAGES:
            return PlainTextResponse(f"{_MAX_PAGES} pages are open; close one of them\n", 503)
        return StreamingResponse(
            hub.events(), media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )

    def steps(request: Request) -> Response:
        try:
            return JSONResponse({"frames": following.frames(request.query_params.get("key", ""))})
        except CuabenchError as error:
            return JSONResponse({"problem": str(error)}, 500)

    def picture(request: Request) -> Response:
        file = _picture(following, request.path_params["path"])
        if file is None:
            return PlainTextResponse("there is no such picture\n", 404)
        forever = {"Cache-Control": "private, max-age=31536000, immutable"}
        return FileResponse(file, media_type="image/png", headers=forever)

    async def command(request: Request) -> Response:
        if read_only:
            return _problem("this page was started with --read-only", 403)
        try:
            asked: Any = checked_json(await bounded_body(request.stream(), _MOST_BYTES))
            key, what = asked["attempt"], asked["command"]
            known = key in following.tiles or (key is None and what not in live.TAKE_OVER)
            if (
                what not in live.COMMANDS
                or not known
                or isinstance(asked.get("action"), dict) != (what == "act")
            ):
                raise ValueError
        except TooLarge as error:
            return _problem(f"a request with {error} is not read", 413)
        except (ValueError, KeyError, TypeError):
            return _problem("expected a command and an attempt of this run", 400)
        session = live.session_of(following.run.folder) if following.run else None
        if following.run is None or session is None:
            return _problem("no session plays this run", 409)
        if what in live.TAKE_OVER and not session["take_over"]:
            return _problem("start the session with --cua-take-over to take over its episodes", 403)
        try:
            live.ask(following.run.folder, what, key, asked.get("action"))
        except RecordFailure as failure:
            return _problem(str(failure), 409)
        return JSONResponse({})

    routes = [
        Route("/", page),
        Route("/watch.css", asset("text/css", _STYLES)),
        Route("/watch.js", asset("text/javascript", _SCRIPTS)),
        Route("/favicon.ico", lambda request: Response(status_code=204)),
        Route("/events", events),
        Route("/steps", steps),
        Route("/picture/{path:path}", picture),
        Route("/command", command, methods=["POST"]),
    ]
    return Guard(Starlette(routes=routes), port, token, allowed)


class Guard:
    """Refuses requests of other sites and without the token."""

    def __init__(self, app: ASGIApp, port: int, token: str, allowed: Collection[str] = ()) -> None:
        self._app, self._token, self._allowed = app, token, frozenset(map(str.lower, allowed))
        self._hosts = {f"{name}:{port}" for name in (HOST, "localhost")}
        self._cookie = f"cuabench-watch-{port}"  # cookies are shared by all ports

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        request = Request(scope)
        answer = self._refusal(request)
        given = request.query_params.get("token")
        if answer is None and given is not None:
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="lax")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await (answer or self._app)(scope, receive, sending)

    def _refusal(self, request: Request) -> Response | None:
        headers: Headers = request.headers
        host = headers.get("host", "")
        proxied = host_name(host) in self._allowed
        if host not in self._hosts and not proxied:
            words = "open the address that cuabench printed, or allow a proxy's name with --allow-host"
            return PlainTextResponse(f"{words}\n", 403)
        given = request.query_params.get("token", request.cookies.get(self._cookie, ""))
        if not secrets.compare_digest(given.encode(), self._token.encode()):
            return PlainTextResponse("open the address that cuabench printed; it holds the token\n", 403)
        origins = {f"http://{host}", *([f"https://{host}"] if proxied else [])}
        if request.method not in ("GET", "HEAD") and headers.get("origin") not in origins:
            return PlainTextResponse("commands come from this page only\n", 403)
        return None


@asynccontextmanager
async def serving(
    following: Following,
    listening: socket.socket,
    token: str,
    *,
    read_only: bool = False,
    allowed: Collection[str] = (),
) -> AsyncIterator[asyncio.Task[None]]:
    """Serve until the end of the block; yield the task, which ends on Ctrl-C."""
    hub = Hub(following)
    await hub.look()
    app = application(hub, listening.getsockname()[1], token, read_only=read_only, allowed=allowed)
    config = uvicorn.Config(
        app, log_level="critical", access_log=False, lifespan="off", ws="none", timeout_graceful_shutdown=1
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        yield task
    finally:
        await hub.close()
        server.should_exit = True
        await asyncio.wait({task})


# Answers


def _event(data: Any) -> str:
    return f"data: {json.dumps(data, separators=(',', ':'))}\n\n"


def _problem(words: str, status: int) -> Response:
    return JSONResponse({"problem": words}, status)


def _picture(following: Following, path: str) -> Path | None:
    """Return the file of a picture; None unless it is one of the run's trajectories."""
    if following.run is None:
        return None
    folder = (following.run.folder / TRAJECTORIES).resolve()
    with suppress(ValueError, OSError):  # such as a NUL in the path
        file = (following.run.folder / path).resolve()
        if file.is_relative_to(folder) and file.suffix == ".png" and file.is_file():
            return file
    return None


@cache
def _joined(files: tuple[Path, ...]) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _page(read_only: bool) -> str:
    known = {"outcomes": Outcome.table(), "readOnly": read_only}
    text = (_HERE / "watch.html").read_text(encoding="utf-8")
    return text.replace("{{ data }}", json.dumps(known).replace("<", "\\u003c"))
