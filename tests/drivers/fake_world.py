"""A fake world around any web application that is served already."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from pytest_cuabench.evidence import State


@dataclass
class FakeSession:
    """A session whose origin is an application that is served already."""

    origin: str
    start_url: str
    closed: bool = False

    async def state(self) -> State:
        return State({}, revision=7)

    async def revision(self) -> int:
        return 7

    async def close(self) -> None:
        self.closed = True


class FakeWorld:
    """Opens sessions on one port, each under a name of its own; the application's name is the start path."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sessions: list[FakeSession] = []

    async def open(self, application: str, seed: int) -> FakeSession:
        origin = f"http://{secrets.token_hex(4)}.localhost:{self.port}"
        self.sessions.append(FakeSession(origin, f"{origin}/{application}"))
        return self.sessions[-1]


def instance(application: str = "") -> Any:
    """Return as much of an instance as a driver reads."""
    return SimpleNamespace(task=SimpleNamespace(application=application), seed=1)
