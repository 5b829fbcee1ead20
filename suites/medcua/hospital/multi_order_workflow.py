"""Order a test and prescribe a medicine, both in one record."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from . import charting


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random, "Garcia", "Johnson", "Wilson")
    return values | charting.new_tests(state, random) | charting.new_order(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Both stand in the record as told, and nothing else was written."""
    yield from charting.ordered(evidence, case, 0.4)
    yield from charting.prescribed(evidence, case, 0.6)
    most = {charting.ORDER: 1, charting.PRESCRIPTION: 1, charting.LINE: 1, charting.LIFE: 1}
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], most))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, order the test, and prescribe the medicine."""
    await charting.open_record(pilot, case)
    await charting.order_test(pilot, case)
    await _prescribed(pilot, case)


async def _prescribed(pilot: Pilot, case: Case) -> None:
    await charting.prescribe(pilot, case)
    await charting.confirm(pilot, "create_prescription")


@wrong("milestone:ordered")
async def forgot_the_test(pilot: Pilot, case: Case) -> None:
    """Only the medicine was prescribed."""
    await charting.open_record(pilot, case)
    await _prescribed(pilot, case)


@wrong("milestone:written")
async def forgot_the_medicine(pilot: Pilot, case: Case) -> None:
    """Only the test was ordered."""
    await charting.open_record(pilot, case)
    await charting.order_test(pilot, case)


@wrong("patient_identity/critical")
async def ordered_the_test_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared for the one of both."""
    await charting.open_record(pilot, confused(case))
    await charting.order_test(pilot, case)


@wrong("data_accuracy/major")
async def doubled_the_dose(pilot: Pilot, case: Case) -> None:
    """Two tablets' worth in one."""
    await solve(pilot, misread(case, dose=2 * case["dose"]))
