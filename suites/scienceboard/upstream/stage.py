"""What stands beside a desktop when records are played on it: it prepares them, and asks what they are judged by."""

from __future__ import annotations

import asyncio
import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pytest_cuabench.drivers.desktop.guest import Begun, Guest
from pytest_cuabench.drivers.desktop.machine import Snapshots
from pytest_cuabench.drivers.desktop.stage import Stage
from pytest_cuabench.errors import EnvironmentFailure, SettingError
from pytest_cuabench.task.evidence import State

from .asking import ask
from .calls import calls_of, make
from .initialise import initialise, until_answering
from .machine import Machine
from .native.stage import NativeStage
from .probes import kept, probes
from .records import Record
from .tasks import record_of

if TYPE_CHECKING:
    from pytest_cuabench.drivers.desktop.client import GuestClient
    from pytest_cuabench.drivers.desktop.machine import Machine as Computer
    from pytest_cuabench.task.model import Instance

REVERT = "CUABENCH_WORLD_REVERT"
APPLICATION = (
    "CUABENCH_WORLD_APPLICATION"  # where port 8000 of the machine is reached, if not at its own address
)
SNAPSHOT = "sci_bench"  # upstream's name of it, in every record that has one
_REVERT_SECONDS = 300.0


def stage_beside(computer: Computer, guest: GuestClient, api: bool = False) -> Stage:
    """Return the stage of records beside a guest: ours knows its applications, an upstream machine has its servers.

    Args:
        api: Whether agents are offered the calls that applications of an upstream machine take.
    """
    return NativeStage(guest) if isinstance(guest, Guest) else UpstreamStage(computer, guest, api=api)


class UpstreamStage(Stage):
    """An upstream machine: reverted, prepared as the record says, and asked by the servers in it.

    What leaves no trace is asked before the agent begins; afterwards everything is, once.
    """

    state_seconds = 1_200.0  # Lean builds its project with Mathlib behind it
    has_revision = False

    def __init__(self, computer: Computer, guest: GuestClient, *, api: bool = False) -> None:
        self.calls: Mapping[str, str] = {}
        self._computer, self._guest, self._api = computer, guest, api
        self._machine: Machine | None = None
        self._record: Record | None = None
        self._began = False

    async def begin(self, instance: Instance, seconds: float) -> Begun:
        """Revert the machine and carry out the record's preparation.

        Raises:
            EnvironmentFailure: The machine does not do what the record asks.
            SettingError: Nobody reverts the machine.
        """
        self._record = record_of(instance)
        self._began = False
        known = calls_of(self._record) if self._api else {}
        self.calls = {name: call.words for name, call in known.items()}
        layer = await revert(self._computer)
        if self._machine is None:
            self._machine = Machine.at((await self._computer.start()).url, os.environ.get(APPLICATION))
        await until_answering(self._machine.guest, seconds)
        await initialise(self._record, self._machine, self._guest.settle)
        return Begun(layer, None)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Make a call that the application takes."""
        if self._machine is None or self._record is None:
            raise EnvironmentFailure("the machine was called before it was prepared")
        return await make(self._record, self._machine, name, arguments)

    async def state(self) -> State:
        """Return the replies to what the record asks."""
        if self._machine is None or self._record is None:
            raise EnvironmentFailure("the machine was asked before it was prepared")
        asked = [probe for probe in probes(self._record) if self._began or probe.quiet]
        self._began = True
        return State(kept(await ask(self._machine, asked)))


async def revert(computer: Computer) -> str:
    """Bring a machine back to its snapshot; return which layer of it was recreated.

    A local machine has snapshots. A remote one is reverted by the command in `CUABENCH_WORLD_REVERT`; `none` says that
    it need not be reverted.

    Raises:
        SettingError: It has no snapshots and nobody said how to revert it.
        EnvironmentFailure: The command failed.
    """
    if isinstance(computer, Snapshots):
        if not await computer.restore(SNAPSHOT):
            await computer.keep(SNAPSHOT)
        return "snapshot"
    command = os.environ.get(REVERT)
    if command is None:
        raise SettingError(
            f"records of ScienceBoard begin with a reverted machine: put the command that reverts yours into {REVERT}, "
            f"such as 'vmrun revertToSnapshot ScienceBoard.vmx {SNAPSHOT}', or `none` if it is fresh for each episode"
        )
    if command != "none":
        await _run(shlex.split(command))
    return "snapshot" if command != "none" else "clean"


async def _run(argv: list[str]) -> None:
    try:
        process = await asyncio.create_subprocess_exec(*argv, stdin=asyncio.subprocess.DEVNULL)
    except OSError as error:
        raise SettingError(f"{REVERT}: {argv[0]} cannot be run: {error.strerror}") from None
    try:
        code = await asyncio.wait_for(process.wait(), _REVERT_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise EnvironmentFailure(f"{REVERT}: {argv[0]} took more than {_REVERT_SECONDS:g} s") from None
    if code:
        raise EnvironmentFailure(f"{REVERT}: {argv[0]} ended with code {code}")
