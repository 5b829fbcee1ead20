"""Stages prepare a desktop for a task and read its state afterwards."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.model import Instance


class Stage(ABC):
    """Prepares applications and reads their state: through our guest, or by a suite's own stage for other machines.

    Attributes:
        state_seconds: Timeout of reading the state.
        has_revision: Whether the state has a revision and is cheap enough to read after every step.
        calls: The description, for the agent, of each API call that the task's application accepts.
    """

    state_seconds: float = 60.0
    has_revision: bool = True
    calls: Mapping[str, str] = {}

    async def lacking(self, instance: Instance) -> str | None:
        """Return the missing software of an instance with the command that installs it; None if none is missing."""
        return None

    @abstractmethod
    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Show the instance's starting point, with a timeout in seconds."""

    @abstractmethod
    async def state(self) -> State:
        """Return the desktop's data, read through a channel that the agent cannot reach."""

    async def idle(self) -> tuple[str, ...] | None:
        """Return what a world behind the desktop still does; None where there is none that tells."""
        return None

    async def locate(self, target: str) -> Found | None:
        """Return the one element that a selector matches, or None.

        Raises:
            LookupError: It matches several elements, is malformed, or the stage has no selectors.
        """
        raise LookupError(f"this machine finds no elements by selectors, such as {target}")

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Make one of `calls` and return its reply.

        Raises:
            ActionError: There is no such call, or the application does not accept these arguments.
        """
        raise ActionError(f"call_api: there is no {name}")


class GuestStage(Stage):
    """The stage of our guest, which prepares its applications itself."""

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
