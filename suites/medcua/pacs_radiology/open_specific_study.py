"""Open one of two studies of the same patient, by its date."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room


def case(state: State, random: Random) -> Values:
    both = [reading_room.the(state, story) for story in ("chest", "prior")]
    random.shuffle(both)
    twin = next(
        row
        for row in state.rows("studies", alike=reading_room.the(state, "chest")["study_uid"])
        if row["_key"] != reading_room.the(state, "prior")["study_uid"]
    )
    first, second = (reading_room.job(state, study) for study in both)
    return first | {"other": second, "twin": reading_room.job(state, twin)}


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end."""
    yield reading_room.open_in_the_end(evidence, case)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it from the list."""
    await reading_room.open_study(pilot, case)


@wrong("milestone:study_open")
async def opened_the_other_date(pilot: Pilot, case: Case) -> None:
    """There is another examination of the same kind."""
    await solve(pilot, confused(case))


@wrong("milestone:study_open")
async def opened_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(case, **case["twin"]))
