"""Open the CT of one of two people whose names are alike."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import reading_room


def case(state: State, random: Random) -> Values:
    return reading_room.pair(state, random, "abdomen")


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end."""
    yield reading_room.open_in_the_end(evidence, case)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it from the list."""
    await reading_room.open_study(pilot, case)


@wrong("milestone:study_open")
async def opened_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:study_open")
async def selected_it_only(pilot: Pilot, case: Case) -> None:
    """A row that is selected shows no image."""
    await reading_room.select(pilot, case)
