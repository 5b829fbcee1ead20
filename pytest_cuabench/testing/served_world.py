"""A fake world around any web application that is served already.

server = Server(application)  # of `probe_page`
environment = ChromiumEnvironment(Chromium(), FakeWorld(server.port), Size(1280, 720), downloads=tmp_path)
await environment.reset(instance("start/page"))
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.parts import Scope


@dataclass
class FakeSession:
    """A session whose origin is an application that is served already."""

    origin: str
    start_url: str
    closed: bool = False

    async def state(self) -> State:
        """Return that nothing is known but the number of the last write."""
        return State({}, revision=7)

    async def revision(self) -> int:
        """Return the number of the last write, always the same."""
        return 7

    async def idle(self) -> None:
        """Tell nothing."""

    async def close(self) -> None:
        """Remember that it was called."""
        self.closed = True


class FakeWorld:
    """Opens sessions on one port, each under a name of its own; the application's name is the start path."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sessions: list[FakeSession] = []

    async def open(self, application: str, seed: int) -> FakeSession:
        """Return a session at an origin of its own."""
        origin = f"http://{secrets.token_hex(4)}.localhost:{self.port}"
        self.sessions.append(FakeSession(origin, f"{origin}/{application}"))
        return self.sessions[-1]


def instance(application: str = "") -> Any:
    """Return as much of an instance as a driver reads."""
    return SimpleNamespace(task=SimpleNamespace(application=application, scope=Scope()), seed=1)
