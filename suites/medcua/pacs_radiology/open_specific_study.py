"""Open one of two studies of the same patient, by its date."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import reading_room
from .reading_room import open_only as check
from .reading_room import open_study as solve
from .reading_room import opened_the_other_patient

__all__ = ["check", "opened_the_other_patient", "solve"]


def case(state: State, random: Random) -> Values:
    both = [reading_room.the(state, story) for story in ("chest", "prior")]
    twin = reading_room.twin(state, both[0])
    random.shuffle(both)
    return reading_room.among(state, both[0], other=both[1], twin=twin)


@wrong("milestone:study_open")
async def opened_the_other_date(pilot: Pilot, case: Case) -> None:
    """There is another examination of the same kind."""
    await solve(pilot, confused(case))
