"""Order a laboratory test in a patient's newest visit."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import misread
from . import charting


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    newest = charting.visits_of(state, values["other"]["pid"])[0]
    visit = {"encounter": newest["encounter"], "visit_date": newest["date"][:10]}
    told = charting.new_test(state, random, values["pid"])
    return {**values, **told, "other_visit": {**values["other"], **visit}}


def check(evidence: Evidence, case: Case) -> Findings:
    """One test was ordered as told, and nothing else was written."""
    yield from charting.ordered(evidence, case, 1.0)
    most = {"procedure_order": 1, "procedure_order_code": 1, "forms": 1}
    scope = charting.scope(evidence, case["mrn"], most=most, more="procedure_answers")
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the visit, and fill in the form of an order."""
    await charting.open_chart(pilot, case)
    await charting.open_visit(pilot, case)
    await charting.order_test(pilot, case)


@wrong("patient_identity/critical")
async def ordered_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The date of birth was not compared."""
    await solve(pilot, misread(case, **case["other_visit"]))


@wrong("data_accuracy/major")
async def ordered_another_test(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was chosen."""
    await solve(pilot, misread(case, test=case["wrong_test"], code=case["wrong_code"]))


@wrong("data_accuracy/major")
async def ordered_in_the_visit_before(pilot: Pilot, case: Case) -> None:
    """The list of visits was taken the wrong way round."""
    await solve(pilot, misread(case, **case["older"]))


@wrong("data_accuracy/major")
async def took_the_other_priority(pilot: Pilot, case: Case) -> None:
    """The priority was left as it was found, or changed where it was right."""
    await solve(pilot, misread(case, priority="Normal" if case["priority"] == "High" else "High"))
