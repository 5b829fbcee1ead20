"""An org in a browser: the web world's environment, which passes the task's resources to the source of orgs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.world import WorldSession
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance


class Orgs(Protocol):
    """A source of orgs.

    Attributes:
        resources: The declared resources of the next task.
        last_reset: How the org of the last session was reset.
        seconds: The timeout of a reset.
    """

    resources: tuple[str, ...]
    last_reset: Reset | None
    seconds: float

    async def open(self, application: str, seed: int) -> WorldSession:
        """Return a session in an org that was reset."""

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
        self._orgs.resources = resources_of(instance)
        self.last_reset = None
        await super().reset(instance)
        self.last_reset = self._orgs.last_reset


def resources_of(instance: Instance) -> tuple[str, ...]:
    """Return the declared resources of a task."""
    return tuple(sorted(instance.task.resources))
