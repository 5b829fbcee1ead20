"""Order a laboratory test for one of two patients of nearly the same name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from . import charting


def case(state: State, random: Random) -> Values:
    return chart.about(state, random) | charting.new_tests(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """One test was ordered as told, and nothing else was written."""
    yield from charting.ordered(evidence, case, 1.0)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], {charting.ORDER: 1}))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and fill in the dialog of an order."""
    await charting.open_record(pilot, case)
    await charting.order_test(pilot, case)


@wrong("patient_identity/critical")
async def ordered_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def ordered_another_test(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was chosen."""
    await solve(pilot, misread(case, test=case["wrong_test"]))


@wrong("record_integrity/major")
async def ordered_it_twice(pilot: Pilot, case: Case) -> None:
    """The dialog was sent a second time."""
    await solve(pilot, case)
    await charting.order_test(pilot, case)
