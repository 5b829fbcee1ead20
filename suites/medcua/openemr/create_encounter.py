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
    """One visit was begun as told, and nothing else was written."""
    yield from charting.visit_begun(evidence, case, 1.0)
    most = {"form_encounter": 1, "forms": 1}
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], most=most))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart, and fill in the form of a new visit."""
    await charting.open_chart(pilot, case)
    await charting.new_visit(pilot, case)


@wrong("patient_identity/critical")
async def began_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The date of birth was not compared."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def wrote_another_reason(pilot: Pilot, case: Case) -> None:
    """What the patient did not say."""
    await solve(pilot, misread(case, reason="Annual physical examination"))


@wrong("record_integrity/major")
async def began_two_visits(pilot: Pilot, case: Case) -> None:
    """The form was saved a second time."""
    await solve(pilot, case)
    await charting.another_visit(pilot, case)
