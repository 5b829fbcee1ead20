"""Open the CT of one of two people whose names are alike."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import reading_room
from .reading_room import open_only as check
from .reading_room import open_study as solve

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    return reading_room.pair(state, random, "abdomen")


@wrong("milestone:study_open")
async def opened_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:study_open")
async def selected_it_only(pilot: Pilot, case: Case) -> None:
    """A row that is selected shows no image."""
    await reading_room.select(pilot, case)
