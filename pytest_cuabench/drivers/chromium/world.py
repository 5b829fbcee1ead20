"""The interface between the driver and a web world: its origin, and out-of-band access to its state."""

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
        """The URL of the episode's first page."""

    async def state(self) -> State:
        """Read the application's state."""

    async def revision(self) -> int | None:
        """Return a number that grows with every write; None if it takes as long as reading the state."""

    async def idle(self) -> tuple[str, ...] | None:
        """Return what the application still has to do for this session, such as open requests and jobs.

        None where the application does not tell.
        """

    async def close(self) -> None:
        """End the session."""


class World(Protocol):
    """A source of sessions."""

    async def open(self, application: str, seed: int) -> WorldSession:
        """Return a fresh session of an application.

        Raises:
            EnvironmentFailure: The world did not start.
        """
