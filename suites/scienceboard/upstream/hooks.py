"""What pytest-cuabench calls to play ScienceBoard's published task files: `task_files` in `suite.toml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .tasks import task_of_case, with_task_files

if TYPE_CHECKING:
    from pytest_cuabench.drivers.desktop.client import GuestClient
    from pytest_cuabench.drivers.desktop.machine import Machine
    from pytest_cuabench.drivers.desktop.stage import Stage

__all__ = ["stage", "task_of_case", "with_task_files"]


def stage(machine: Machine, guest: GuestClient, api: bool) -> Stage:
    """Return the stage of records beside a guest; its clients are imported only where a desktop is played on."""
    from .stage import stage_beside

    return stage_beside(machine, guest, api)
