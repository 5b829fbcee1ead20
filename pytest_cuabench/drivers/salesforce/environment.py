"""An org in a browser: the web world's environment, with what a task says of itself told to the source of orgs."""

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
        resources: What the task that is opened next declares.
        last_reset: How the org of the last session was brought to its start.
        seconds: What that may take.
    """

    resources: tuple[str, ...]
    last_reset: Reset | None
    seconds: float

    async def open(self, application: str, seed: int) -> WorldSession:
        """Return a session in an org that is as it should be."""

    async def close(self) -> None:
        """Leave all orgs as they were found."""


class OrgEnvironment(ChromiumEnvironment):
    """A browser in an org; its resets tell how the org was brought back."""

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
    """Return what a task declares to touch."""
    return tuple(sorted(instance.task.resources))
