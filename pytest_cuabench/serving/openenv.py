"""The OpenEnv server: one session for each WebSocket, with the server and the message formats of the package `openenv`.

What that package leaves open is decided here, in front of it (`Gate`): who may connect, how long a silent connection
is kept, and that HTTP requests without a session start nothing.
"""

from __future__ import annotations

import asyncio
import functools
import json
import secrets
import socket
import threading
import uuid
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from openenv.core.env_server import http_server
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import (
    Action,
    ConcurrencyConfig,
    EnvironmentMetadata,
    Observation,
    State,
)
from pydantic import Field
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pytest_cuabench.agents.program.endpoints.wire import briefing_to_json, observation_to_json
from pytest_cuabench.errors import ActionError, SettingError
from pytest_cuabench.serving.catalogue import TEST, TRAIN
from pytest_cuabench.serving.sessions import Session, Sessions, Turn
from pytest_cuabench.task.action import ACTIONS
from pytest_cuabench.task.http_limits import TooLarge, bounded_body, checked_json, is_allowed

MOST_BYTES = 1_000_000  # of a message to the server; the largest action has 20,000 characters
CONNECTIONS = 256  # sockets; a session without an episode costs no place
_ENDING = tuple(kind for kind, cls in ACTIONS.items() if cls.ends)  # or by its budget
_STATELESS = ("/reset", "/step", "/state", "/mcp")
_GRACE = 5  # seconds for the goodbye to connected clients
_STARTING = 10.0


class Step(Action):
    """One step: actions that are carried out in order."""

    actions: list[dict[str, Any]] = Field(description="Actions, such as {'kind': 'click', 'x': 1, 'y': 2}")
    thought: str = Field(default="", description="A comment for the record")
    usage: dict[str, Any] | None = Field(default=None, description="Tokens and cost of the step")


class Seen(Observation):
    """The screen after the last step; pictures are PNG in base64."""

    briefing: dict[str, Any] | None = Field(
        default=None,
        description="The task, or the phase before it: after a reset, and when a phase has ended",
    )
    step: int = 0
    max_steps: int = 0
    size: list[int] | None = None
    screenshot: str | None = None
    tree: list[dict[str, Any]] | None = None
    marks: list[dict[str, Any]] | None = None
    dom: str | None = None
    tabs: list[dict[str, Any]] = Field(default_factory=list)
    cursor: list[int] | None = None
    results: list[dict[str, Any]] = Field(default_factory=list)
    notices: list[str] = Field(default_factory=list)


class Where(State):
    """Where a session is; nothing of the verdict."""

    instance: str | None = None
    max_steps: int | None = None
    done: bool = True


class SuiteEnvironment(Environment[Step, Seen, Where]):
    """One WebSocket's session."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, sessions: Sessions, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._sessions, self._loop = sessions, loop
        self._session: Session | None = (
            None  # made by a reset: most instances of this class only tell of tasks
        )
        self._episode: str | None = None

    async def reset_async(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
        instance: str | None = None,
        **others: Any,
    ) -> Seen:
        """Begin an episode: of an instance, of a split's index, or of one that `seed` chooses.

        Raises:
            SettingError: There is no such instance.
        """
        for name, value, kind in (("seed", seed, int), ("index", index, int), ("split", split, str)):
            if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
                raise SettingError(f"reset: {name} is {value!r:.80}, but must be {kind.__name__} or null")
        catalogue = self._sessions.catalogue
        named = instance is not None
        offer = catalogue.named(str(instance)) if named else catalogue.chosen(split, index, seed)
        self._episode = str(episode_id)[:255] if episode_id else str(uuid.uuid4())
        self._session = self._session or self._sessions.session()
        return self._seen(await self._session.reset(offer))

    async def step_async(self, action: Step, timeout_s: float | None = None, **others: Any) -> Seen:
        """Carry out a step.

        Raises:
            ActionError: There is nothing to step in, or the step has another form.
        """
        if self._session is None:
            raise ActionError("no episode has begun: reset the session before its first step")
        data = {"actions": action.actions, "thought": action.thought, "usage": action.usage}
        return self._seen(await self._session.step(data))

    def reset(self, seed: int | None = None, episode_id: str | None = None, **others: Any) -> Seen:
        """Refuse: the server calls `reset_async`."""
        raise NotImplementedError("this environment is asynchronous; use reset_async")

    def step(self, action: Step, timeout_s: float | None = None, **others: Any) -> Seen:
        """Refuse: the server calls `step_async`."""
        raise NotImplementedError("this environment is asynchronous; use step_async")

    @property
    def state(self) -> Where:
        """Where the session is."""
        session = self._session
        if session is None or session.offer is None:
            return Where()
        briefing = session.briefing
        return Where(
            episode_id=self._episode,
            step_count=session.steps,
            instance=session.offer.instance.id,
            max_steps=briefing.max_steps if briefing else None,
            done=session.done,
        )

    def close(self) -> None:
        """End the session; the server calls this on a thread of the session when its client is gone."""
        session, self._session = self._session, None
        if session is None:
            return
        closing = asyncio.run_coroutine_threadsafe(session.close(), self._loop)
        if threading.current_thread() is not threading.main_thread():  # which runs the loop
            closing.result()

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the suite's name and title."""
        suite = self._sessions.catalogue.offers[0].suite
        return EnvironmentMetadata(name=suite.name, description=suite.title)

    # Tasks

    def list_splits(self) -> list[dict[str, str]]:
        """Return the splits; parts of `train` are of the type train, parts of `test` of the type test."""
        return [
            {"name": name, "type": TRAIN if name.partition(":")[0] == TRAIN else TEST}
            for name in self._sessions.catalogue.splits
        ]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """Return the instances of a split."""
        return self.get_task_range(split)

    def num_tasks(self, split: str) -> int:
        """Return how many instances a split has."""
        return len(self._offers(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """Return an instance of a split."""
        offers = self._offers(split)
        if not 0 <= index < len(offers):
            raise IndexError(index)
        told: dict[str, Any] = offers[index].to_json(index)
        return told

    def get_task_range(
        self, split: str, start: int | None = None, stop: int | None = None
    ) -> list[dict[str, Any]]:
        """Return some instances of a split, as a slice does."""
        told = [offer.to_json(index) for index, offer in enumerate(self._offers(split))]
        return told[start:stop]

    def _offers(self, split: str) -> tuple[Any, ...]:
        try:
            return self._sessions.catalogue.split(split)
        except SettingError as error:
            raise http_server.HTTPException(404, str(error)) from None

    def _seen(self, turn: Turn) -> Seen:
        assert self._session is not None
        known = self._session.briefing
        most = known.max_steps if known else 0
        told = observation_to_json(turn.seen, turn.steps, most)
        told.pop("ended")
        briefing = briefing_to_json(turn.briefing) if turn.briefing else None
        if briefing:
            briefing["actions"] += _ENDING
        return Seen(**told, briefing=briefing, done=turn.done, reward=turn.reward, metadata=dict(turn.info))


@dataclass
class Gate:
    """Lets connections of known clients pass.

    Attributes:
        token: What clients send as `Authorization: Bearer TOKEN`; None to let every local program pass.
        idle: Seconds of silence after which a connection is closed.
        hosts: Names that clients may call the server by, besides loopback's; None for any.
    """

    app: ASGIApp
    token: str | None
    idle: float
    hosts: Collection[str] | None = ()
    _refusals: dict[int, str] = field(
        default_factory=lambda: {
            401: "the token is not this server's; send 'Authorization: Bearer TOKEN'",
            400: "the body is not JSON, or nested too deeply",
            403: "requests of web pages are refused",
            413: f"a request has at most {MOST_BYTES} bytes",
            421: "this server answers to localhost only; allow a proxy's name with --allow-host",
            409: "one HTTP request is no session; connect a client of openenv, which uses /ws",
        }
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a connection on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if status := self._refusal(scope):
            await self._refuse(status, scope, send)
        elif scope["type"] == "websocket":
            await self.app(scope, self._patient(receive), send)
        else:
            await self._request(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on whose body has a size and a form that can be read."""
        try:
            body = await bounded_body(Request(scope, receive).stream(), MOST_BYTES)
            if body:
                checked_json(body)
        except ClientDisconnect:
            return
        except ValueError as error:
            await self._refuse(413 if isinstance(error, TooLarge) else 400, scope, send)
            return

        read: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
        await self.app(scope, lambda: _next(read, receive), send)

    def _refusal(self, scope: Scope) -> int | None:
        headers = dict(scope["headers"])
        # A page whose name was made to lead here (DNS rebinding) tells that name.
        if self.hosts is not None and not is_allowed(headers.get(b"host", b"").decode("latin-1"), self.hosts):
            return 421
        if b"origin" in headers:  # a page in a browser of this computer, perhaps of an agent
            return 403
        given = headers.get(b"authorization", b"")
        if self.token and not secrets.compare_digest(given, f"Bearer {self.token}".encode()):
            return 401
        if scope["type"] == "http":
            return 409 if scope["path"].rstrip("/") in _STATELESS else None
        return 403 if scope["query_string"] else None  # another session's id

    async def _refuse(self, status: int, scope: Scope, send: Send) -> None:
        kind = "http.response" if scope["type"] == "http" else "websocket.http.response"
        # Without this extension of ASGI a socket can only be closed, and not answered with a status.
        if scope["type"] == "websocket" and kind not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": 1008})
            return
        body = json.dumps({"detail": self._refusals[status]}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": f"{kind}.start", "status": status, "headers": headers})
        await send({"type": f"{kind}.body", "body": body})

    def _patient(self, receive: Receive) -> Receive:
        async def within() -> Message:
            try:
                async with asyncio.timeout(self.idle):
                    return await receive()
            except TimeoutError:
                return {"type": "websocket.disconnect", "code": 1001, "reason": "idle"}

        return within


async def _next(read: list[Message], receive: Receive) -> Message:
    """Return a message that was read already, else the next one."""
    return read.pop() if read else await receive()


def application(
    sessions: Sessions, token: str | None, idle: float, hosts: Collection[str] | None = ()
) -> ASGIApp:
    """Return the server's application; called on the loop that plays."""
    app = http_server.create_fastapi_app(
        functools.partial(SuiteEnvironment, sessions, asyncio.get_running_loop()),
        Step,
        Seen,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=CONNECTIONS, session_timeout=idle),
        env_name=sessions.catalogue.offers[0].suite.name,
        state_cls=Where,
        mode="simulation",
    )
    # A lease of the episode ends first, which its client can be told of; then the socket's.
    return Gate(app, token, 2 * idle, hosts)


def bound(host: str, port: int) -> socket.socket:
    """Return a socket at an address.

    Raises:
        SettingError: It cannot be had.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        made = socket.socket(family)
    except OSError as error:
        raise SettingError(f"--host {host}: {error.strerror or error}") from error
    # Else a server that is started again soon finds connections of the last one at its port.
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise SettingError(
            f"cannot listen at {host}:{port} ({error.strerror or error}); choose another --port, or 0 for any free one"
        ) from error
    return made


@asynccontextmanager
async def serving(
    sessions: Sessions,
    at: socket.socket,
    token: str | None,
    idle: float,
    hosts: Collection[str] | None = (),
) -> AsyncIterator[str]:
    """Serve on a bound socket during the block, and yield the address; see `Gate` for the arguments."""
    config = uvicorn.Config(
        application(sessions, token, idle, hosts),
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        timeout_graceful_shutdown=_GRACE,
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server._serve(sockets=[at]))  # `serve` would take over the signals
    try:
        async with asyncio.timeout(_STARTING):
            while not server.started:
                if task.done():
                    raise SettingError(f"the server cannot start: {task.exception()}")
                await asyncio.sleep(0.01)
        host, port = at.getsockname()[:2]
        yield f"http://{f'[{host}]' if ':' in host else host}:{port}"
    finally:
        server.should_exit = True
        await sessions.close()  # first, so that no client waits for a step that will not end
        await asyncio.wait({task})
