"""A fake on a real port of this machine, with the ways in which servers break."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Literal

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

Fault = Literal["status", "garbage", "cut", "hang"]
Handler = Callable[[Request], Awaitable[Response]]


class Refusal(Exception):
    """The real server would not take this request."""


class Fake:
    """Base of all fakes: remembers what was asked, and can be told to break.

    Attributes:
        fault: How the next requests break, None for not at all.
        failing: The path that breaks; all of them where it is None.
        seen: Method, path and body of every request.
    """

    routes: ClassVar[dict[tuple[str, str], str]] = {}

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.failing: str | None = None
        self.seen: list[tuple[str, str, Any]] = []

    def app(self) -> Starlette:
        """Return the server."""
        routes = [
            Route(path, self._wrapped(getattr(self, name)), methods=[method])
            for (method, path), name in self.routes.items()
        ]
        return Starlette(routes=routes)

    def asked(self, path: str) -> list[Any]:
        """Return the bodies of all requests to a path."""
        return [body for _, seen, body in self.seen if seen == path]

    def _wrapped(self, handler: Handler) -> Handler:
        async def handle(request: Request) -> Response:
            body = await request.body()
            self.seen.append((request.method, request.url.path, body))
            if self.fault and self.failing in (None, request.url.path):
                return await self._broken(self.fault)
            try:
                return await handler(request)
            except (Refusal, KeyError, ValueError) as refusal:
                return PlainTextResponse(f"bad input: {refusal}", 400)

        return handle

    async def _broken(self, fault: Fault) -> Response:
        if fault == "hang":
            await asyncio.sleep(60)
        if fault == "garbage":
            return PlainTextResponse("<html>not what you think")
        if fault == "cut":
            return Response(b"{", headers={"content-length": "1000"})
        return PlainTextResponse("Internal Server Error", 500)


async def body_of(request: Request, kind: type[Any]) -> Any:
    """Return the JSON of a request, which must be of a kind."""
    data = json.loads(await request.body())
    if not isinstance(data, kind):
        raise Refusal(f"{type(data).__name__} is no {kind.__name__}")
    return data


def exactly(data: dict[str, Any], **shape: type[Any] | tuple[type[Any], ...]) -> None:
    """Demand exactly these keys, of these types."""
    if set(data) != set(shape):
        raise Refusal(f"the keys are {sorted(data)}, not {sorted(shape)}")
    for name, kind in shape.items():
        if not isinstance(data[name], kind):
            raise Refusal(f"{name} is {data[name]!r}")


class Hall:
    """Any number of fakes behind one port, each below a number of its own; to start a server takes half a second."""

    def __init__(self) -> None:
        self.address = ""
        self._apps: dict[str, Starlette] = {}
        self._front: Starlette | None = None

    def put_in_front(self, fake: Fake) -> str:
        """Return the address, without any path, at which a fake is served from now on."""
        self._front = fake.app()
        return self.address

    def admit(self, fake: Fake) -> str:
        """Return the address at which a fake is served from now on."""
        number = str(len(self._apps))
        self._apps[number] = fake.app()
        return f"{self.address}/{number}"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Hand a request to the fake that its path begins with."""
        number, _, rest = scope["path"][1:].partition("/")
        app, path = (self._apps[number], f"/{rest}") if number in self._apps else (self._front, scope["path"])
        assert app is not None
        await app({**scope, "path": path, "raw_path": path.encode()}, receive, send)


@contextmanager
def serving() -> Iterator[Hall]:
    """Serve on a free port until the end of the block."""
    hall = Hall()
    config = uvicorn.Config(hall, log_level="critical", lifespan="off", timeout_graceful_shutdown=0)
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        hall.address = "http://{}:{}".format(*listening.getsockname())
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield hall
        server.should_exit = server.force_exit = True
        thread.join(5)
