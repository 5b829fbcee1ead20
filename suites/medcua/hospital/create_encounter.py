"""Begin an evaluation for one of two patients of nearly the same name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from . import charting, screen


def case(state: State, random: Random) -> Values:
    return charting.about(state, random) | charting.new_reason(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """One evaluation was begun as told, and nothing else was written."""
    yield from charting.evaluated(evidence, case, 1.0)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], {charting.EVALUATION: 1}))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and fill in the form of an evaluation."""
    await screen.open_record(pilot, case)
    await screen.new_evaluation(pilot, case)
    await screen.save(pilot)


@wrong("patient_identity/critical")
async def began_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def wrote_another_complaint(pilot: Pilot, case: Case) -> None:
    """What the patient did not say."""
    await solve(pilot, misread(case, reason="Annual physical examination"))


@wrong("milestone:evaluation")
async def forgot_to_save(pilot: Pilot, case: Case) -> None:
    """The form was filled in, and left."""
    await screen.open_record(pilot, case)
    await screen.new_evaluation(pilot, case)
