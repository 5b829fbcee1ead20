"""Divide the viewer's screen into rows and columns."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room


def case(state: State, random: Random) -> Values:
    rows, columns = random.choice([(1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2)])
    return reading_room.pair(state, random, "abdomen") | {"rows": rows, "columns": columns}


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end, in a grid of this size."""
    yield reading_room.open_in_the_end(evidence, case, 0.3)
    grid = evidence.after.row("layout")
    same = (grid["rows"], grid["columns"]) == (case["rows"], case["columns"])
    wanted, told = (f"{of['rows']} by {of['columns']}" for of in (case, grid))
    yield Milestone("layout", same, 0.7, wanted, told)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it, and choose the grid."""
    await reading_room.open_study(pilot, case)
    await reading_room.split(pilot, case["rows"], case["columns"])


@wrong("milestone:layout")
async def took_rows_for_columns(pilot: Pilot, case: Case) -> None:
    """The grid is turned about."""
    await solve(pilot, misread(case, rows=case["columns"], columns=case["rows"]))


@wrong("milestone:study_open")
async def divided_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))
