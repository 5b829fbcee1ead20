"""The environment of a desktop: resets in layers; recreated after two consecutive failures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.desktop.actions import arguments_of, carry_out
from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.drivers.desktop.machine import Machine, Snapshots
from pytest_cuabench.drivers.desktop.observe import Observer
from pytest_cuabench.drivers.desktop.qemu.snapshots import SnapshotStage
from pytest_cuabench.drivers.desktop.stage import GuestStage, Stage
from pytest_cuabench.drivers.idling import until_idle
from pytest_cuabench.errors import ActionError, EnvironmentFailure, Missing, SettingError
from pytest_cuabench.task.action import Action, CallApi, Capability, Size, check_on_screen
from pytest_cuabench.task.evidence import State
from pytest_cuabench.task.machine import Reset
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import ActionResult, Box, Observation, ObservationKind

StageMaker = Callable[[GuestClient], Stage]
_T = TypeVar("_T")
_GRACE = 5.0
_QUARANTINE = 2  # consecutive failures after which a desktop is recreated instead of repaired


class DesktopEnvironment(Environment):
    """One desktop on one machine, started on first use.

    Args:
        machine: Runs the desktop; closed with this environment.
        screen: The screen size that the suite needs.
        tokens: Maximum size of an accessibility tree in estimated tokens.
        stage: Creates the `Stage` for a guest that cannot prepare tasks itself.
        deadline: Timeout in seconds of preparing a task, without the machine's start.
        patience: Timeout in seconds of one call to the guest.
    """

    late_seconds = 10.0

    def __init__(
        self,
        machine: Machine,
        screen: Size,
        *,
        tokens: int = 10_240,
        stage: StageMaker | None = None,
        deadline: float = 120.0,
        patience: float = 20.0,
    ) -> None:
        self.screen = screen
        self.capabilities: tuple[Capability, ...] = ("pointer", "keyboard", "elements")
        self.reset_seconds = 2 * (deadline + machine.boot + _GRACE)
        self._machine, self._make_stage = machine, stage
        self._tokens, self._deadline, self._call_patience = tokens, deadline, patience
        self._guest: GuestClient | None = None
        self._stage: Stage | None = None
        self._observer = Observer(screen, tokens)
        self._failures: list[str] = []  # of consecutive episodes
        self._failure: str | None = None  # the first one of this episode
        self._pending_reset: Reset | None = None  # set until the first reset on a new machine
        self._starts = 0
        self._state: State | None = None
        self._unsealed: str | None = None  # to be told with the next observation

    async def lacking(self, instance: Instance) -> str | None:
        """See `Environment.lacking`."""
        try:
            await self._ensure_connected()
            return await self._prepared_stage().lacking(instance)
        except Missing as missing:
            return str(missing)
        except EnvironmentFailure:
            return None  # the attempt will fail with it, and be retried

    async def reset(self, instance: Instance) -> None:
        """See `Environment.reset`."""
        self._observer = Observer(self.screen, self._tokens)
        self.last_reset = self._state = self._unsealed = None
        # One sound episode ends the row.
        self._failures = [*self._failures, self._failure] if self._failure else []
        self._failure = None
        await self._recording_failure(self._ensure_healthy_machine())
        begun = await self._recording_failure(self._begin(instance))
        # Which calls there are depends on the task's application.
        others = tuple(name for name in self.capabilities if name != "api")
        self.capabilities = (*others, "api") if self._calls() else others
        self.last_reset, self._pending_reset = (
            self._pending_reset or Reset(self._machine.kind, begun.layer),
            None,
        )

    async def observe(self, kind: ObservationKind) -> Observation:
        """See `Environment.observe`."""
        if kind == "dom":
            raise SettingError("a desktop has no page text; use --cua-observation=tree")
        seen = await self._recording_failure(self._observer.observe(self._connected_guest(), kind))
        notices = (*seen.notices, *((self._unsealed,) if self._unsealed else ()))
        self._unsealed = None
        return replace(
            seen, cursor=await self._recording_failure(self._connected_guest().cursor()), notices=notices
        )

    async def perform(self, action: Action) -> ActionResult:
        """See `Environment.perform`."""
        self._state = None
        try:
            check_on_screen(action, self.screen, self.capabilities)
            if isinstance(action, CallApi):
                return await self._recording_failure(self._call(action))
            return await self._recording_failure(
                carry_out(action, self._connected_guest(), self.screen, self._observer.marks)
            )
        except ActionError as error:
            return ActionResult(error=str(error))

    async def settle(self) -> None:
        """See `Environment.settle`."""
        self._state = None
        await self._recording_failure(self._connected_guest().settle())

    async def finish(self) -> tuple[str, ...]:
        """See `Environment.finish`; programs of the agent end with their action, and others are not ended."""
        return await self._recording_failure(until_idle(self._prepared_stage().idle, self.finish_seconds))

    async def revision(self) -> int | None:
        """See `Environment.revision`."""
        return (await self.state()).revision if self._prepared_stage().has_revision else None

    async def state(self) -> State:
        """See `Environment.state`; cached until the next action, since reading may be slow."""
        if self._state is None:
            self._state = await self._recording_failure(self._prepared_stage().state())
            self._unsealed = self._state.unsealed
        return self._state

    async def locate(self, target: str) -> Box | None:
        """See `Environment.locate`."""
        found = await self._find(target)
        return found.box if found else None

    async def read(self, target: str) -> str | None:
        """See `Environment.read`."""
        found = await self._find(target)
        return found.text if found else None

    async def close(self) -> None:
        """See `Environment.close`."""
        await self._disconnect()
        await self._machine.close()

    async def _find(self, target: str) -> Found | None:
        return await self._recording_failure(self._prepared_stage().locate(target))

    async def _ensure_healthy_machine(self) -> None:
        """Recreate the machine after repeated failures, and connect to it."""
        why = "it had ended by itself"
        if len(self._failures) >= _QUARANTINE:
            why = f"it failed {len(self._failures)} times in a row, at last so: {self._failures[-1]}"
            self._failures = []
            await self._disconnect()
            await self._machine.recreate()
        elif not await self._machine.alive():
            await self._disconnect()
        await self._ensure_connected(why)

    async def _ensure_connected(self, why: str | None = None) -> None:
        if self._guest is not None:
            return
        kind, again, self._starts = self._machine.kind, self._starts > 0, self._starts + 1
        self._pending_reset = Reset(kind, "recreate", why) if again else Reset(kind, "start")
        guest = await connect(self._machine, self._call_patience)
        try:
            self._stage = self._stage_of(guest)
            self._adopt_guest(guest)
        except BaseException:
            await guest.close()
            raise
        self._guest = guest
        self.state_seconds = self._stage.state_seconds

    def _stage_of(self, guest: GuestClient) -> Stage:
        if self._make_stage is not None:
            return self._make_stage(guest)
        if isinstance(guest, Guest):
            machine = self._machine
            return SnapshotStage(guest, machine) if isinstance(machine, Snapshots) else GuestStage(guest)
        raise SettingError(
            "--cua-world: an OSWorld machine cannot prepare these tasks nor tell their state; play task files that "
            "were made for it with --cua-tasks SUITE=PATH"
        )

    def _adopt_guest(self, guest: GuestClient) -> None:
        """Take screen size and capabilities from the guest."""
        if guest.screen != self.screen and isinstance(guest, Guest):
            raise SettingError(
                f"the desktop's screen is {guest.screen}, but the suite needs {self.screen}; start the guest with "
                f"--screen {self.screen}"
            )
        self.screen = guest.screen
        self._observer = Observer(self.screen, self._tokens)
        # Programs of an agent run only where they are kept apart from the guest.
        if isinstance(guest, Guest) and guest.health.confinement != "none":
            self.capabilities = ("pointer", "keyboard", "elements", "apps", "code")

    def documents(self) -> tuple[str, ...]:
        """See `Environment.documents`: a description of the API calls."""
        calls = self._calls()
        listing = "\n".join(f"{name} {words}" for name, words in calls.items())
        return (
            (f"Calls that the application takes beside its screen, by name and JSON:\n{listing}",)
            if calls
            else ()
        )

    def _calls(self) -> Mapping[str, str]:
        return self._stage.calls if self._stage is not None else {}

    async def _call(self, action: CallApi) -> ActionResult:
        result = ActionResult(text=await self._prepared_stage().call(action.name, arguments_of(action)))
        await self._connected_guest().settle()
        return result

    async def _begin(self, instance: Instance) -> Begun:
        seconds = self._deadline + self._machine.boot
        try:
            async with asyncio.timeout(
                seconds + _GRACE
            ):  # an answer that trickles in never times out by itself
                return await self._prepared_stage().begin(instance, seconds)
        except TimeoutError:
            raise EnvironmentFailure(
                f"the starting point of {instance.task.application} was not there after {seconds:g} s"
            ) from None

    async def _recording_failure(self, work: Awaitable[_T]) -> _T:
        """Await a call to the desktop, and record the first failure of this episode."""
        try:
            return await work
        except EnvironmentFailure as failure:
            self._failure = self._failure or str(failure)
            raise
        except SettingError as error:  # such as a token that changed during the episode
            raise EnvironmentFailure(str(error)) from error

    async def _disconnect(self) -> None:
        guest, self._guest, self._stage = self._guest, None, None
        if guest is not None:
            await guest.close()

    def _connected_guest(self) -> GuestClient:
        if self._guest is None:
            raise EnvironmentFailure("No episode is running; reset comes first.")
        return self._guest

    def _prepared_stage(self) -> Stage:
        if self._stage is None:
            raise EnvironmentFailure("No episode is running; reset comes first.")
        return self._stage
