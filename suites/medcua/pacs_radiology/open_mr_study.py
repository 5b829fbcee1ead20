"""Open the MR of a patient who also has a CT of the same region."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room


def case(state: State, random: Random) -> Values:
    study = reading_room.the(state, "liver")
    twin = next(row for row in state.rows("studies", alike=study["study_uid"]) if row["modality"] == "MR")
    companion = reading_room.job(state, reading_room.the(state, "companion"))
    return reading_room.job(state, study) | {"other": companion, "twin": reading_room.job(state, twin)}


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end."""
    yield reading_room.open_in_the_end(evidence, case)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it from the list."""
    await reading_room.open_study(pilot, case)


@wrong("milestone:study_open")
async def opened_the_ct(pilot: Pilot, case: Case) -> None:
    """It shows the same region of the same patient."""
    await solve(pilot, confused(case))


@wrong("milestone:study_open")
async def opened_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(case, **case["twin"]))
