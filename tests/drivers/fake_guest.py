"""A guest without a desktop: it speaks the protocol, keeps what it was asked, and fails on demand."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Size
from pytest_cuabench.testing import blank_png

SCREEN = Size(800, 600)
TOKEN = "right"
BUTTON = {
    "role": "push-button",
    "name": "Add",
    "value": None,
    "description": "",
    "states": ["showing", "visible", "enabled"],
    "box": [100, 100, 40, 20],
    "depth": 1,
    "parent": 0,
}
WINDOW = {**BUTTON, "role": "frame", "name": "Desk", "box": [0, 0, 800, 600], "depth": 0, "parent": None}


class FakeGuest:
    """What the guest says, and what it was asked. `trouble` maps a path to an answer that replaces the usual one."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.trouble: dict[str, Response | float] = {}
        self.layer = "home"
        self.confinement = "bwrap"
        self.screen = SCREEN
        self.applications: dict[str, Any] = {"desk": {"available": True, "missing": [], "packages": []}}
        self.nodes = [WINDOW, BUTTON]
        self.state: dict[str, Any] = {"collections": {"files": {}}, "revision": 1, "fingerprint": "f1"}
        self.results: list[dict[str, Any]] | None = None

    async def answer(self, request: Request) -> Response:
        """Answer one call."""
        path = request.url.path.removeprefix("/cuabench/1")
        body = await request.json() if await request.body() else None
        self.calls.append((f"{request.method} {path}", body))
        if request.headers.get("Authorization") != f"Bearer {TOKEN}":
            return JSONResponse({"error": "a token is needed"}, 401)
        trouble = self.trouble.get(path)
        if isinstance(trouble, Response):
            return trouble
        if trouble is not None:
            await asyncio.sleep(trouble)
        return self._usual(path, body, request)

    def asked(self, call: str) -> list[Any]:
        """Return the bodies of all calls of one kind."""
        return [body for name, body in self.calls if name == call]

    def _usual(self, path: str, body: Any, request: Request) -> Response:
        if path == "/screenshot":
            return Response(blank_png(self.screen), media_type="image/png")
        results = self.results or [{"error": None, "text": None}] * len((body or {}).get("actions", ()))
        answers: dict[str, Any] = {
            "/health": {
                "protocol": 1,
                "screen": self.screen,
                "confinement": self.confinement,
                "applications": self.applications,
            },
            "/session": {"seconds": 0.1, "layer": self.layer, "fingerprint": "f1"},
            "/session/state": self.state,
            "/session/revision": {"revision": self.state["revision"]},
            "/actions": {"results": results},
            "/tree": {"nodes": self.nodes},
            "/locate": {"box": [100, 100, 40, 20], "text": "Add"},
            "/cursor": {"x": 3, "y": 4},
            "/code": {"code": 1, "out": "5\n", "err": "oops\n"},
            "/settle": {},
        }
        return JSONResponse(answers[path])


class FakeMachine:
    """A machine whose guest is a `FakeGuest`; it counts how often it was made."""

    kind = "fake"
    boot = 0.3

    def __init__(self, guest: FakeGuest, socket: Path, token: str | None = TOKEN) -> None:
        self.guest, self._socket, self._token = guest, socket, token
        self.starts = self.recreations = 0
        self.running = False
        self.said = ""
        self.broken = False

    async def start(self) -> Address:
        """Count."""
        if self.broken:
            raise EnvironmentFailure("the machine does not start")
        self.starts += not self.running
        self.running = True
        return Address("http://desktop", self._socket, self._token)

    async def alive(self) -> bool:
        """Whether nobody ended it."""
        return self.running

    async def recreate(self) -> Address:
        """Count, and be well again."""
        self.recreations += 1
        self.guest.trouble.clear()
        self.running = False
        return await self.start()

    async def last_output(self) -> str:
        """Return what a test let it say."""
        return self.said

    async def close(self) -> None:
        """End."""
        self.running = False


@asynccontextmanager
async def fake_machine(token: str | None = TOKEN) -> AsyncIterator[FakeMachine]:
    """Serve a fake guest on a socket while the block runs."""
    guest = FakeGuest()
    routes = [Route("/cuabench/1/{rest:path}", guest.answer, methods=["GET", "POST", "DELETE"])]
    with tempfile.TemporaryDirectory(prefix="cua-fake-") as folder:
        socket = Path(folder) / "s"
        options = uvicorn.Config(
            Starlette(routes=routes), uds=str(socket), log_level="critical", lifespan="off"
        )
        server = uvicorn.Server(options)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.005)
        try:
            yield FakeMachine(guest, socket, token)
        finally:
            server.should_exit = server.force_exit = True
            with suppress(asyncio.CancelledError):
                await serving
