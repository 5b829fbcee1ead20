"""The HTTP door: a program observes, acts and finishes by JSON, on a Unix socket of its episode.

Each request carries the episode's token. A request that is no step (another token, no JSON, too large) changes
nothing; a program that sends too many requests is stopped.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import uvicorn
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket
from uvicorn.protocols.http.h11_impl import H11Protocol

from pytest_cuabench.agents.base import Decision
from pytest_cuabench.agents.program.endpoints.cdp.endpoint import MOST_FRAME, PATH, CdpEndpoint
from pytest_cuabench.agents.program.endpoints.exchange import Exchange, TooManyCalls
from pytest_cuabench.agents.program.endpoints.openapi import description
from pytest_cuabench.agents.program.endpoints.page import page
from pytest_cuabench.agents.program.endpoints.wire import (
    briefing_to_json,
    observation_to_json,
    read_finish,
    read_step,
)
from pytest_cuabench.errors import ActionError, ProviderFailure

MOST_BYTES = 1_000_000  # of a request; the largest action has 20,000 characters
MOST_CONNECTIONS = 64  # at once; each takes one of the session's file descriptors
_STARTING = 10.0  # seconds until the server listens
_ANOTHER = "the token is not this episode's; send 'Authorization: Bearer TOKEN'"
_FLOODED: Message = {"type": "websocket.disconnect", "code": 1008, "reason": "too many requests"}


class _Bounded(H11Protocol):
    """A connection of the door, closed at once if there are too many: silent ones would stay open."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection."""
        if len(self.connections) >= MOST_CONNECTIONS:
            transport.abort()
        else:
            super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection, if it was counted."""
        if self in self.connections:
            super().connection_lost(exc)


class OwnEndpoint(Protocol):
    """A door of another protocol, on a socket of its own.

    Attributes:
        socket: The name of its Unix socket.
        port: Its port of the box's own loopback.
    """

    socket: str
    port: int

    def files(self) -> Mapping[str, str]:
        """Return texts for the program's home, by file name."""

    def opened(self, folder: Path) -> AbstractAsyncContextManager[None]:
        """Serve it on its socket in a folder until the block is left."""

    async def idle(self) -> None:
        """Return when all clients have gone, and what they sent has been carried out."""


@dataclass
class Guard:
    """Lets requests with the episode's token pass, and counts all requests.

    Attributes:
        flooded: Set when more than `most` requests came.
        fault: The last failure of this package's own in answering a request; empty if there was none.
    """

    app: ASGIApp
    exchange: Exchange
    token: str
    most: int
    count: int = 0
    flooded: asyncio.Event = field(default_factory=asyncio.Event)
    fault: str = ""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its whole body; messages of a WebSocket count as requests."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        authorized = self._authorized(scope)
        if scope["type"] == "websocket":
            if authorized:
                self.exchange.calls += 1
                await self.app(scope, self._counted(receive), send)
            else:
                await WebSocket(scope, receive, send).send_denial_response(_refused(401, _ANOTHER))
            return
        refusal, body = await self._checked(Request(scope, receive), authorized)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        self.exchange.calls += 1
        pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return pending.pop() if pending else await receive()

        begun = False

        async def noting(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, replay, noting)
        except Exception as error:  # whatever a program sent: it is malformed, and no reason to fail
            self.fault = f"the door failed: {type(error).__name__}: {error!s:.200}"
            if not begun:  # an answer that has begun cannot be replaced
                await _refused(400, "this request cannot be answered")(scope, receive, send)

    def _counted(self, receive: Receive) -> Receive:
        async def counted() -> Message:
            message = await receive()
            return message if message["type"] != "websocket.receive" or self.counts() else _FLOODED

        return counted

    def counts(self) -> bool:
        """Count a request, or a connection of another door; False if there were too many."""
        self.count += 1
        if self.count > self.most:
            self.flooded.set()
        return not self.flooded.is_set()

    def _authorized(self, scope: Scope) -> bool:
        """Whether a request has the episode's token; below `/cdp` its path may hold it instead."""
        given = HTTPConnection(scope).headers.get("authorization", "").removeprefix("Bearer ")
        _, door, name, rest = (scope["path"].rstrip("/") + "///").split("/", 3)
        if f"/{door}" == PATH and self._is_token(name):
            scope["path"] = f"{PATH}/{rest}".rstrip("/")
            return True
        return self._is_token(given)

    def _is_token(self, given: str) -> bool:
        # As bytes: `compare_digest` takes texts in ASCII only.
        return secrets.compare_digest(given.encode(errors="replace"), self.token.encode())

    async def _checked(self, request: Request, authorized: bool) -> tuple[Response | None, bytes]:
        if not self.counts():
            return _refused(429, f"this episode accepts {self.most} requests; it ends now"), b""
        if not authorized:
            return _refused(401, _ANOTHER), b""
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BYTES:
                return _refused(413, f"a request has at most {MOST_BYTES} bytes"), b""
        return None, bytes(body)


def routes(exchange: Exchange) -> list[BaseRoute]:
    """Return the routes of the HTTP interface."""
    most = exchange.briefing.max_steps

    async def openapi(_: Request) -> Response:
        return JSONResponse(description(exchange.briefing))

    async def documentation(_: Request) -> Response:
        return HTMLResponse(page(description(exchange.briefing)))

    async def briefing(_: Request) -> Response:
        return _Json(briefing_to_json(exchange.briefing))

    async def observation(_: Request) -> Response:
        seen = await exchange.observe()
        return _Json(observation_to_json(seen, exchange.steps, most))

    def deciding(read: Callable[[object], Decision]) -> Callable[[Request], Awaitable[Response]]:
        async def decide(request: Request) -> Response:
            try:
                decision = read(json.loads(await request.body()))
            except (ValueError, RecursionError):
                return _refused(400, "the body is not JSON")
            except ActionError as error:
                return _refused(400, str(error))
            try:
                seen = await exchange.act(decision)
            except TooManyCalls:
                return _refused(409, "wait for the answer to a step before sending the next one")
            return _Json(observation_to_json(seen, exchange.steps, most))

        return decide

    return [
        Route("/", documentation),
        Route("/openapi.json", openapi),
        Route("/v1/briefing", briefing),
        Route("/v1/observation", observation),
        Route("/v1/step", deciding(partial(read_step, screen=exchange.briefing.screen)), methods=["POST"]),
        Route("/v1/finish", deciding(read_finish), methods=["POST"]),
    ]


class _Json(JSONResponse):
    """JSON in ASCII: texts of pages and programs may hold what UTF-8 cannot say (lone surrogates)."""

    def render(self, content: object) -> bytes:
        """Return the body."""
        return json.dumps(content, separators=(",", ":")).encode("ascii")


def _refused(status: int, sentence: str) -> Response:
    return _Json({"error": sentence}, status)


async def _not_found(request: Request, error: Exception) -> Response:
    return _refused(404, "no such path; GET /openapi.json describes this interface")


async def _not_allowed(request: Request, error: Exception) -> Response:
    return _refused(405, "another method is needed; GET /openapi.json describes this interface")


@asynccontextmanager
async def opened(
    exchange: Exchange, socket: Path, token: str, most: int, *, mcp: bool, cdp: CdpEndpoint | None = None
) -> AsyncIterator[Guard]:
    """Serve the door on a Unix socket until the block is left.

    Args:
        most: Maximum number of requests.
        mcp: Whether to serve the Model Context Protocol at /mcp as well.
        cdp: The endpoint for the Chrome DevTools Protocol, to be served as well.
    """
    found = routes(exchange)
    beside: AbstractAsyncContextManager[None] = nullcontext()
    if mcp:
        from pytest_cuabench.agents.program.endpoints.mcp import mcp_route

        route, beside = mcp_route(exchange)
        found.append(route)
    if cdp is not None:
        found += cdp.routes()
    app = Starlette(routes=found, exception_handlers={404: _not_found, 405: _not_allowed})
    guard = Guard(app, exchange, token, most)
    config = uvicorn.Config(
        guard,
        uds=str(socket),
        log_level="critical",
        access_log=False,
        lifespan="off",
        ws="none" if cdp is None else "websockets-sansio",
        ws_max_size=MOST_FRAME,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
        http=_Bounded,
    )
    server = uvicorn.Server(config)

    async def serve() -> None:
        async with beside:  # entered and left in one task, so that a fault in it cannot cancel the episode
            await server._serve()  # `serve` would take over the session's signals

    serving = asyncio.create_task(serve())
    try:
        async with asyncio.timeout(_STARTING):
            while not server.started:  # uvicorn has a flag, and no event
                if serving.done():
                    raise ProviderFailure(f"the door cannot be opened: {serving.exception()}")
                await asyncio.sleep(0.005)
        yield guard
    finally:
        server.should_exit = server.force_exit = True  # a program may keep its connections open
        await asyncio.wait({serving})
