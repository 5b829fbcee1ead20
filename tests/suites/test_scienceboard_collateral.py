"""After the reference of a task of ScienceBoard, no further write that its application offers leaves it a success."""

from __future__ import annotations

import pytest
from suites.scienceboard_collateral import TASKS, further_writes

from pytest_cuabench.proof.collateral.claims import declared, survivors, told
from pytest_cuabench.proof.collateral.report import FILE, kinds_table
from suites import scienceboard_collateral as world

SAMPLE = 6  # writes of each task that are tried by default
SHAPES = ("plot_", "replace_surface")  # compared at many points for each write; two of them by default


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
def test_a_further_write_is_no_success(task):
    """The reference is a success; after it some writes of a seeded sample are none."""
    extras = further_writes(task, sample=2 if task.id.startswith(SHAPES) else SAMPLE)
    assert extras
    assert not (left := survivors(extras, world)), told(left)


@pytest.mark.nightly
@pytest.mark.slow
def test_no_further_write_of_any_kind_is_a_success():
    """Every kind at every place of every task; each declaration is needed, and the figures are those of the docs."""
    tried = world.tried()
    extras = [extra for each in tried for extra in each.extras]
    assert not (left := survivors(extras, world)), told(left)
    used = {one for extra in extras if extra.survives for one in declared(extra, world)}
    assert not set(world.HARMLESS) - used
    assert kinds_table(tried, world) in FILE.read_text(encoding="utf-8")
