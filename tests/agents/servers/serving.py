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


class Cut(Response):
    """A response whose connection breaks in the middle."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send less than was promised."""
        headers = [(b"content-type", b"application/json"), (b"content-length", b"1000")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b'{"id": "', "more_body": True})


async def silence(request: Request) -> Response:
    """Say nothing until the other side goes away."""
    while not await request.is_disconnected():
        await asyncio.sleep(0.01)
    return Response()
