"""Opening a desktop: its environment, its stage, and the leases of what it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment, StageMaker
from pytest_cuabench.drivers.leases import Leases

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.desktop.client import GuestClient
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.drivers.desktop.stage import Stage
    from pytest_cuabench.drivers.pool import DriverContext

_SECONDS = 120.0  # until a starting point must be on the screen: GRASS took 70 where ten programs shared each processor
_RECORD_SECONDS = 300.0  # a record's may begin with a VM that is reverted, and programs started in it


def on_machine(machine: Machine, context: DriverContext) -> Environment:
    """Return a desktop on a machine, prepared by the suite's own stage where its published task files are played."""
    stage: StageMaker | None = None
    files = context.suite.task_files if context.settings.tasks.of(context.suite.name) else None
    if files is not None and files.stage is not None:
        make, api = files.stage, context.settings.api == "on"

        def stage(guest: GuestClient) -> Stage:
            return make(machine, guest, api)  # type: ignore[no-any-return]

    return DesktopEnvironment(
        machine,
        context.suite.screen,
        tokens=context.settings.tree_tokens,
        stage=stage,
        deadline=_RECORD_SECONDS if stage else _SECONDS,
    )


def leases(context: DriverContext) -> Leases:
    """Return this worker's leases; what a killed worker held is ended first, as its memory may be needed."""

    def reaped() -> Leases:
        made = Leases()
        made.reap()
        return made

    return context.shared("leases", reaped)
