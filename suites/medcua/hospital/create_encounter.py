"""Begin a visit for one of two patients of nearly the same name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from . import charting


def case(state: State, random: Random) -> Values:
    return chart.about(state, random) | chart.new_reason(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """One evaluation was begun as told, and nothing else was written."""
    yield from charting.evaluated(evidence, case)
    scope = charting.scope(evidence, case["mrn"], {charting.EVALUATION: 1})
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and begin an evaluation."""
    await charting.open_record(pilot, case)
    await charting.evaluate(pilot, case)
    await charting.save(pilot)


@wrong("patient_identity/critical")
async def began_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def wrote_another_reason(pilot: Pilot, case: Case) -> None:
    """What the patient did not say."""
    await solve(pilot, misread(case, reason="Annual physical examination"))


@wrong("record_integrity/major")
async def finished_it(pilot: Pilot, case: Case) -> None:
    """The patient was discharged at once, which also writes a page of life."""
    await solve(pilot, case)
    await charting.confirm(pilot, "end_evaluation")
