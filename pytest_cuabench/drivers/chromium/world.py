"""What the driver asks of a web world: an origin to show, and an out-of-band view of the truth in it."""

from __future__ import annotations

from typing import Protocol

from pytest_cuabench.task.evidence import State


class WorldSession(Protocol):
    """One seeded, isolated copy of a web application.

    Every method raises `EnvironmentFailure` when the world's server failed.
    """

    @property
    def origin(self) -> str:
        """Scheme, host and port of the application, for example `http://3f2a.localhost:8123`."""

    @property
    def start_url(self) -> str:
        """Where the episode begins."""

    async def state(self) -> State:
        """Return what is true in the application."""

    async def revision(self) -> int | None:
        """Return a number that grows with every write; None where that is not known cheaply."""

    async def close(self) -> None:
        """Give the copy up."""


class World(Protocol):
    """A source of sessions."""

    async def open(self, application: str, seed: int) -> WorldSession:
        """Return a fresh session of an application.

        Raises:
            EnvironmentFailure: The world did not start.
        """
