"""What an agent may try on a desktop with programs of its own: none is ungraded, none passes, nothing is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from drivers.desktop_here import require_desktop

from pytest_cuabench.proof.arena import Arena, Stage, Way, told
from pytest_cuabench.proof.ways import DESKTOP, OUTBURSTS, RELAUNCH, kind
from pytest_cuabench.task.action import Click
from pytest_cuabench.task.model import Instance

from .conftest import SUITES, Graded, ids

pytestmark = pytest.mark.slow
SUITE = Path(__file__).parents[1] / "desktop_suite"


@pytest.fixture(scope="module")
def probe(arena: Arena) -> Stage:
    """A window with two fields; to write a word into the upper one is the task."""
    require_desktop()
    return Stage.of(arena, SUITE, "probe/write")


# GTK lays a line out again for each of its characters: this one takes many minutes, and the lines above some seconds.
ONE_LINE = Way("20,000 characters in one line", (Click(500, 60), told("type", text="aé日 " * 5_000)))


@pytest.mark.parametrize("way", [*DESKTOP, pytest.param(ONE_LINE, marks=pytest.mark.nightly)], ids=ids)
def test_no_way_out_of_a_desktop(probe: Stage, way: Way, graded: Graded) -> None:
    """Whatever an agent does on a desktop, its attempt is graded and fails, and the next episode is unharmed."""
    graded("probe", probe, way)


def test_relaunched_programs(probe: Stage, graded: Graded) -> None:
    """Whatever an agent puts in a program's way before it opens it again, its attempt is graded and fails."""
    graded("probe", probe, *RELAUNCH)


def test_no_way_out_of_an_application(arena: Arena, graded: Graded) -> None:
    """An application that people use, whose state is read from its files, holds against one way of each kind."""
    require_desktop()
    task, environment = arena.task(SUITES / "docos", "geany/type_past_line_ends")
    if lacking := arena.runner.run(environment.lacking(Instance(task, next(iter(task.goals))))):
        pytest.skip(lacking)
    costs = Way("report costs of a million", (), OUTBURSTS["report costs of a million"])
    first = {kind(way): way for way in reversed([*RELAUNCH, *DESKTOP, costs])}
    graded("geany", Stage(arena, task, environment), *first.values(), *RELAUNCH[1:3])
