"""What prepares a desktop for a task and tells afterwards what is true on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.evidence import State
from pytest_cuabench.task import Instance


class Stage(Protocol):
    """The seam to whatever knows the applications: our guest does; beside a foreign one stands a stage of its own.

    Attributes:
        state_seconds: What reading the state may take.
        watched: Whether the state is cheap enough to be read after every step, and tells by its revision of changes.
    """

    state_seconds: float
    watched: bool

    async def lacking(self, instance: Instance) -> str | None:
        """Return what is not installed for an instance, in a sentence that says what to type; None where all is."""

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Bring the instance's starting point on the screen, within so many seconds."""

    async def state(self) -> State:
        """Return what is true, by a channel the agent cannot reach."""

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector finds.

        Raises:
            LookupError: It finds several, or is no selector.
        """


@runtime_checkable
class Calls(Protocol):
    """A stage whose applications take calls beside their screen.

    Attributes:
        calls: What an agent is told of each call, by name; none where the task's application takes none.
    """

    calls: Mapping[str, str]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Make a call and return what it gave back.

        Raises:
            ActionError: There is no such call, or the application does not take these arguments.
        """


class GuestStage:
    """Our guest knows its applications itself."""

    state_seconds = 60.0
    watched = True

    def __init__(self, guest: Guest) -> None:
        self._guest = guest

    async def lacking(self, instance: Instance) -> str | None:
        """See `Stage.lacking`."""
        return self._guest.lacking(instance.task.application)

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """See `Stage.begin`."""
        return await self._guest.begin(instance.task.application, instance.task.setup(instance.seed), seconds)

    async def state(self) -> State:
        """See `Stage.state`."""
        return await self._guest.state()

    async def locate(self, target: str) -> Found | None:
        """See `Stage.locate`."""
        return await self._guest.locate(target)
