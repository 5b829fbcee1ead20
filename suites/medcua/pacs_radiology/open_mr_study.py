"""Open the MR of a patient who also has a CT of the same region."""

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
    mr, ct = (reading_room.the(state, story) for story in ("liver", "companion"))
    return reading_room.among(state, mr, other=ct, twin=reading_room.twin(state, mr))


@wrong("milestone:study_open")
async def opened_the_ct(pilot: Pilot, case: Case) -> None:
    """It shows the same region of the same patient."""
    await solve(pilot, confused(case))
