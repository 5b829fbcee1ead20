"""What all makers' servers share: a free port of this machine, a thread, and ways not to answer."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

BROKEN = ("silent", "cut", "drips", "stalls")  # how any server's reply may break


@contextmanager
def served(app: Starlette) -> Iterator[str]:
    """Serve an application, and give its address."""
    running = uvicorn.Server(
        uvicorn.Config(app, log_level="critical", lifespan="off", ws="none", timeout_graceful_shutdown=1)
    )
    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=running.run, kwargs={"sockets": [door]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            running.should_exit = running.force_exit = True
            thread.join(10)


class Part(Response):
    """A response of which less arrives than was promised.

    Args:
        every: Seconds between two further bytes; None breaks the connection instead.
    """

    def __init__(self, every: float | None = None) -> None:
        super().__init__()
        self._every = every

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the beginning, and then slowly or not at all until the other side goes away."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"id": "', "more_body": True})
        if self._every is None:
            return
        gone = asyncio.ensure_future(receive())  # the request was read, so this is the end of the connection
        for _ in range(900):
            await asyncio.wait({gone}, timeout=self._every)
            if gone.done():
                return
            await send({"type": "http.response.body", "body": b"x", "more_body": True})


async def broken(how: object, request: Request) -> Response | None:
    """Return a reply that breaks in a way that all makers' servers know; None for any other trouble."""
    match how:
        case "silent":
            return await _silence(request)
        case "cut":
            return Part()
        case "drips":
            return Part(0.05)
        case "stalls":
            return Part(60)
    return None


async def _silence(request: Request) -> Response:
    """Say nothing until the other side goes away."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.01)
    return Response()
