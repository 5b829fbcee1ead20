"""A desktop as an environment: reset in layers, observed, acted on; recreated after two consecutive failures."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import TypeVar

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.drivers.desktop.acts import arguments_of, carry_out
from pytest_cuabench.drivers.desktop.client import GuestClient
from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.guest import Begun, Found, Guest
from pytest_cuabench.drivers.desktop.machine import Machine, Snapshots
from pytest_cuabench.drivers.desktop.observe import Sight
from pytest_cuabench.drivers.desktop.snapshots import SnapshotStage
from pytest_cuabench.drivers.desktop.stage import GuestStage, Stage
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
    """One desktop on one machine, made when it is first needed.

    Args:
        machine: Where it runs; closed with this environment.
        screen: What the suite wants the screen to be.
        tokens: How long an accessibility tree may be, by estimate.
        stage: Makes what prepares tasks, beside a guest that cannot do so itself.
        deadline: Seconds until a starting point must be on the screen, beside the time that a machine takes to start.
        patience: Seconds that the guest may take for one call.
    """

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
        self._sight = Sight(screen, tokens)
        self._troubles: list[str] = []  # one for each episode in a row that the desktop failed
        self._trouble: str | None = None  # of the episode that runs
        self._made: Reset | None = None  # a machine that no episode was reset on yet
        self._starts = 0
        self._known: State | None = None

    async def lacking(self, instance: Instance) -> str | None:
        """See `Environment.lacking`."""
        try:
            await self._ensure()
            return await self._staged().lacking(instance)
        except Missing as missing:
            return str(missing)
        except EnvironmentFailure:
            return None  # the attempt itself will meet it, and be tried again

    async def reset(self, instance: Instance) -> None:
        """See `Environment.reset`."""
        self._sight = Sight(self.screen, self._tokens)
        self.last_reset = self._known = None
        self._troubles = [*self._troubles, self._trouble] if self._trouble else []
        self._trouble = None
        await self._guarded(self._machine_ready())
        begun = await self._guarded(self._begin(instance))
        others = tuple(name for name in self.capabilities if name != "api")
        self.capabilities = (*others, "api") if self._calls() else others
        self.last_reset, self._made = self._made or Reset(self._machine.kind, begun.layer), None

    async def observe(self, kind: ObservationKind) -> Observation:
        """See `Environment.observe`."""
        if kind == "dom":
            raise SettingError("a desktop has no page text; use --cua-observation=tree")
        seen = await self._guarded(self._sight.observe(self._running(), kind))
        return replace(seen, cursor=await self._guarded(self._running().cursor()))

    async def perform(self, action: Action) -> ActionResult:
        """See `Environment.perform`."""
        self._known = None
        try:
            check_on_screen(action, self.screen, self.capabilities)
            if isinstance(action, CallApi):
                return await self._guarded(self._call(action))
            return await self._guarded(carry_out(action, self._running(), self.screen, self._sight.marks))
        except ActionError as error:
            return ActionResult(error=str(error))

    async def settle(self) -> None:
        """See `Environment.settle`."""
        self._known = None
        await self._guarded(self._running().settle())

    async def revision(self) -> int | None:
        """See `Environment.revision`."""
        return (await self.state()).revision if self._staged().has_revision else None

    async def state(self) -> State:
        """See `Environment.state`; it is read once after each action, since it may take a program to read it."""
        if self._known is None:
            self._known = await self._guarded(self._staged().state())
        return self._known

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
        return await self._guarded(self._staged().locate(target))

    async def _machine_ready(self) -> None:
        """See that there is a desktop that can be trusted."""
        why = "it had ended by itself"
        if len(self._troubles) >= _QUARANTINE:
            why = f"it failed {len(self._troubles)} times in a row, at last so: {self._troubles[-1]}"
            self._troubles = []
            await self._disconnect()
            await self._machine.recreate()
        elif not await self._machine.alive():
            await self._disconnect()
        await self._ensure(why)

    async def _ensure(self, why: str | None = None) -> None:
        if self._guest is not None:
            return
        kind, again, self._starts = self._machine.kind, self._starts > 0, self._starts + 1
        self._made = Reset(kind, "recreate", why) if again else Reset(kind, "start")
        guest = await connect(self._machine, self._call_patience)
        try:
            self._stage = self._stage_of(guest)
            self._fit(guest)
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

    def _fit(self, guest: GuestClient) -> None:
        """Take the guest as it is: its screen, and what it can do."""
        if guest.screen != self.screen and isinstance(guest, Guest):
            raise SettingError(
                f"the desktop's screen is {guest.screen}, but the suite needs {self.screen}; start the guest with "
                f"--screen {self.screen}"
            )
        self.screen = guest.screen
        self._sight = Sight(self.screen, self._tokens)
        if isinstance(guest, Guest) and guest.health.confinement != "none":
            self.capabilities = ("pointer", "keyboard", "elements", "apps", "code")

    def documents(self) -> tuple[str, ...]:
        """See `Environment.documents`: what an agent has to know of calls."""
        calls = self._calls()
        told = "\n".join(f"{name} {words}" for name, words in calls.items())
        return (
            (f"Calls that the application takes beside its screen, by name and JSON:\n{told}",)
            if calls
            else ()
        )

    def _calls(self) -> Mapping[str, str]:
        return self._stage.calls if self._stage is not None else {}

    async def _call(self, action: CallApi) -> ActionResult:
        result = ActionResult(text=await self._staged().call(action.name, arguments_of(action)))
        await self._running().settle()
        return result

    async def _begin(self, instance: Instance) -> Begun:
        seconds = self._deadline + self._machine.boot
        try:
            async with asyncio.timeout(seconds + _GRACE):  # the guest's answer may also trickle in for ever
                return await self._staged().begin(instance, seconds)
        except TimeoutError:
            raise EnvironmentFailure(
                f"the starting point of {instance.task.application} was not there after {seconds:g} s"
            ) from None

    async def _guarded(self, work: Awaitable[_T]) -> _T:
        """Await the desktop, and remember its first failure of this episode."""
        try:
            return await work
        except EnvironmentFailure as failure:
            self._trouble = self._trouble or str(failure)
            raise
        except SettingError as error:  # such as a token that was changed while it was played
            raise EnvironmentFailure(str(error)) from error

    async def _disconnect(self) -> None:
        guest, self._guest, self._stage = self._guest, None, None
        if guest is not None:
            await guest.close()

    def _running(self) -> GuestClient:
        if self._guest is None:
            raise EnvironmentFailure("No episode is running; reset comes first.")
        return self._guest

    def _staged(self) -> Stage:
        if self._stage is None:
            raise EnvironmentFailure("No episode is running; reset comes first.")
        return self._stage
