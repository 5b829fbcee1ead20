"""Find a patient, begin a visit, and record vital signs in it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from . import charting


def case(state: State, random: Random) -> Values:
    systolic = random.randint(108, 168)
    return {
        **chart.about(state, random, "Garcia", "Chen"),
        **chart.new_reason(random),
        "systolic": systolic,
        "diastolic": systolic - random.randint(35, 55),
        "pulse": random.randint(56, 104),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The visit and the vital signs stand in the chart as told, and nothing else was written."""
    yield from charting.visit_begun(evidence, case, 0.4)
    yield from charting.vitals_recorded(evidence, case, 0.6)
    most = {"form_encounter": 1, "form_vitals": 1, "forms": 2}
    scope = charting.scope(
        evidence, case["mrn"], most=most, more="form_vital_details form_vitals_calculation"
    )
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart, begin the visit, and fill in the vital signs."""
    await charting.open_chart(pilot, case)
    await charting.new_visit(pilot, case)
    await charting.record_vitals(pilot, case)


@wrong("patient_identity/critical")
async def did_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The date of birth was not compared."""
    await solve(pilot, confused(case))


@wrong("milestone:vitals")
async def left_out_the_vital_signs(pilot: Pilot, case: Case) -> None:
    """Only the visit was begun."""
    await charting.open_chart(pilot, case)
    await charting.new_visit(pilot, case)


@wrong("data_accuracy/major")
async def misheard_the_pulse(pilot: Pilot, case: Case) -> None:
    """Ten beats more."""
    await solve(pilot, misread(case, pulse=case["pulse"] + 10))


@wrong("data_accuracy/critical")
async def slipped_by_a_digit(pilot: Pilot, case: Case) -> None:
    """A pressure that nobody has."""
    await solve(pilot, misread(case, systolic=case["systolic"] * 10))
