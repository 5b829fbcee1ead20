"""An org in a browser: the web world's environment, which passes the task's resources to the source of orgs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.drivers.chromium.world import WorldSession
from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.snapshot import Component
from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.machine import Reset

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance


class OrgSession(WorldSession, Protocol):
    """A session in an org."""

    @property
    def reset(self) -> Reset:
        """How the org was reset for the session."""

    async def prepare(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Perform a task's setup before the first state is read; the next reset reverts it."""


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
    resources = tuple(sorted(instance.task.scope.resources))
    session = await orgs.open(instance.task.application, instance.seed, resources)
    if steps := instance.task.setup(instance.seed):
        try:
            await session.prepare(steps)
        except BaseException:
            await session.close()
            raise
    return session


async def deploy(client: OrgClient, steps: Sequence[Mapping[str, Any]]) -> None:
    """Deploy the metadata components of a setup: `{"deploy": type, "name": full name, "path": file, "text": XML}`.

    Raises:
        CheckerFailure: The org refuses them.
    """
    components: dict[str, dict[str, Component]] = {}
    for step in steps:
        components.setdefault(step["deploy"], {})[step["name"]] = Component({}, step["path"], step["text"])
    try:
        await client.metadata.deploy(components, {})
    except OrgError as refusal:
        raise CheckerFailure(f"the org refuses the task's setup: {refusal}") from refusal
    client.clear_descriptions()
