"""Opens a desktop: its environment, stage and leases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment, StageMaker
from pytest_cuabench.drivers.leases import Leases

if TYPE_CHECKING:
    from pytest_cuabench.drivers.base import Environment
    from pytest_cuabench.drivers.desktop.client import GuestClient
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.drivers.desktop.stage import Stage
    from pytest_cuabench.drivers.driver import DriverContext

_SECONDS = 120.0  # for preparing a task; GRASS took 70 on a very busy machine
_RECORD_SECONDS = 300.0  # the same for published task files, which may revert a VM and start programs


def on_machine(machine: Machine, context: DriverContext) -> Environment:
    """Return a desktop on a machine; published task files are prepared by the suite's own stage."""
    stage: StageMaker | None = None
    files = context.suite.task_files if context.settings.tasks.of(context.suite.name) else None
    if files is not None and files.stage is not None:
        make, api = files.stage, context.settings.api

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
    """Return this worker's leases, after releasing those of killed workers to free their memory."""

    def reaped() -> Leases:
        made = Leases()
        made.reap()
        return made

    return context.shared("leases", reaped)
