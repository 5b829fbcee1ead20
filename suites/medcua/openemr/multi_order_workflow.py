"""Prescribe a medicine and order a test, both in one chart."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import misread
from . import charting


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random, "Garcia", "Johnson", "Wilson")
    order = charting.as_told(chart.new_order(random))
    test = charting.new_test(state, random, values["pid"])
    newest = charting.visits_of(state, values["other"]["pid"])[0]
    visit = {"encounter": newest["encounter"], "visit_date": newest["date"][:10]}
    return {
        **values,
        **order,
        **test,
        "order": order,
        "other_visit": {**values["other"], **visit},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Both stand in the chart as told, and nothing else was written."""
    yield from charting.prescribed(evidence, case, 0.5)
    yield from charting.ordered(evidence, case, 0.5)
    most = {"prescriptions": 1, "lists": 1, "procedure_order": 1, "procedure_order_code": 1, "forms": 1}
    scope = charting.scope(evidence, case["mrn"], most=most, more="lists_medication procedure_answers")
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart, prescribe, open the visit, and order."""
    await charting.open_chart(pilot, case)
    await charting.prescribe(pilot, case["order"])
    await charting.open_visit(pilot, case)
    await charting.order_test(pilot, case)


@wrong("milestone:ordered")
async def forgot_the_test(pilot: Pilot, case: Case) -> None:
    """Only the medicine was prescribed."""
    await charting.open_chart(pilot, case)
    await charting.prescribe(pilot, case["order"])


@wrong("milestone:prescribed")
async def forgot_the_medicine(pilot: Pilot, case: Case) -> None:
    """Only the test was ordered."""
    await charting.open_chart(pilot, case)
    await charting.open_visit(pilot, case)
    await charting.order_test(pilot, case)


@wrong("patient_identity/critical")
async def ordered_the_test_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """Two charts were open, and the second was the wrong one."""
    await charting.open_chart(pilot, case)
    await charting.prescribe(pilot, case["order"])
    confused = misread(case, **case["other_visit"])
    await charting.open_chart(pilot, confused)
    await charting.open_visit(pilot, confused)
    await charting.order_test(pilot, confused)


@wrong("data_accuracy/major")
async def doubled_the_dose(pilot: Pilot, case: Case) -> None:
    """Two tablets' worth in one."""
    order = {**case["order"], "dose": 2 * case["order"]["dose"]}
    await solve(pilot, misread(case, order=order))
