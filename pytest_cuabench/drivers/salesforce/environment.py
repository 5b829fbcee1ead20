"""An org in a browser: the web world's environment, which passes the task's resources to the source of orgs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.world import WorldSession
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance


class OrgSession(WorldSession, Protocol):
    """A session in an org."""

    @property
    def reset(self) -> Reset:
        """How the org was reset for the session."""


class Orgs(Protocol):
    """A source of orgs.

    Attributes:
        seconds: The timeout of a reset.
    """

    seconds: float

    async def open(self, application: str, seed: int, resources: Sequence[str] = ()) -> OrgSession:
        """Return a session in an org that was reset, for a task with declared resources."""

    async def close(self) -> None:
        """Reset and release all orgs."""


class OrgEnvironment(ChromiumEnvironment):
    """A browser in an org; its resets report how the org was reset."""

    def __init__(
        self, browser: Chromium, orgs: Orgs, screen: Size, *, downloads: Path, headed: bool = False
    ) -> None:
        super().__init__(browser, orgs, screen, downloads=downloads, headed=headed, deadline=orgs.seconds)
        self.reset_seconds = 2 * orgs.seconds
        self._orgs = orgs

    async def reset(self, instance: Instance) -> None:
        """See `Environment.reset`."""
        self.last_reset = None
        await super().reset(instance)

    async def _open(self, instance: Instance) -> WorldSession:
        session = await open_org(self._orgs, instance)
        self.last_reset = session.reset
        return session


async def open_org(orgs: Orgs, instance: Instance) -> OrgSession:
    """Return a session in an org for the task of an instance."""
    resources = tuple(sorted(instance.task.resources))
    return await orgs.open(instance.task.application, instance.seed, resources)
