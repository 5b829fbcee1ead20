"""The drivers of desktops: one environment on whichever machine the user chose."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.desktop.environment import DesktopEnvironment, StageMaker
from pytest_cuabench.leases import Leases

if TYPE_CHECKING:
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.environment import Environment
    from pytest_cuabench.pool import DriverContext

_SECONDS = 60.0  # until a starting point must be on the screen
_RECORD_SECONDS = 300.0  # a record's may begin with a VM that is reverted, and programs started in it


def open_xvfb(context: DriverContext) -> Environment:
    """Return a desktop of this computer's own."""
    from pytest_cuabench.drivers.desktop.xvfb import Xvfb

    return _on(Xvfb(context.suite.screen, leases(context), context.suite.world), context)


def open_docker(context: DriverContext) -> Environment:
    """Return a desktop in a container."""
    from pytest_cuabench.drivers.desktop.docker import Docker

    return _on(Docker(context.suite.screen, leases(context), context.place.detail), context)


def open_qemu(context: DriverContext) -> Environment:
    """Return a desktop in a VM."""
    from pytest_cuabench.drivers.desktop.qemu import Qemu

    return _on(Qemu(context.suite.screen, leases(context), context.place.detail), context)


def open_guest(context: DriverContext) -> Environment:
    """Return a desktop that somebody else started, by its address."""
    from pytest_cuabench.drivers.desktop.foreign import Foreign
    from pytest_cuabench.errors import SettingError

    if context.place.detail is None:
        world = context.suite.world
        raise SettingError(f"say where the desktop is: --cua-world {world}=http://host:5000")
    return _on(Foreign(context.place.detail), context)


def _on(machine: Machine, context: DriverContext) -> Environment:
    stage: StageMaker | None = None
    if context.settings.tasks.of(context.suite.name):
        from pytest_cuabench.scienceboard.stage import stage_beside

        stage = partial(stage_beside, machine, api=context.settings.api == "on")
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
