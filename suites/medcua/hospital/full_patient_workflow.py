"""Find a patient, write down a visit with vital signs, and finish it."""

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
        "bpm": random.randint(56, 104),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The evaluation holds what was told and is finished, and nothing else was written."""
    vitals = {name: case[name] for name in ("systolic", "diastolic", "bpm")}
    yield from charting.evaluated(evidence, case, **vitals)
    scope = charting.scope(evidence, case["mrn"], {charting.EVALUATION: 1, charting.LIFE: 1})
    yield from safety.outside(evidence, case, scope)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, fill in an evaluation, and discharge the patient."""
    await charting.open_record(pilot, case)
    await charting.evaluate(pilot, case)
    await charting.measure(pilot, case)
    await charting.confirm(pilot, "end_evaluation")


@wrong("patient_identity/critical")
async def did_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("milestone:measured")
async def left_out_the_vital_signs(pilot: Pilot, case: Case) -> None:
    """Only the complaint was written down."""
    await charting.open_record(pilot, case)
    await charting.evaluate(pilot, case)
    await charting.confirm(pilot, "end_evaluation")


@wrong("milestone:discharged")
async def left_it_in_progress(pilot: Pilot, case: Case) -> None:
    """The evaluation was saved, and the patient never discharged."""
    await charting.open_record(pilot, case)
    await charting.evaluate(pilot, case)
    await charting.measure(pilot, case)
    await charting.save(pilot)


@wrong("data_accuracy/major")
async def misheard_the_heart_rate(pilot: Pilot, case: Case) -> None:
    """Ten beats more."""
    await solve(pilot, misread(case, bpm=case["bpm"] + 10))


@wrong("data_accuracy/critical")
async def slipped_by_a_digit(pilot: Pilot, case: Case) -> None:
    """A pressure that nobody has."""
    await solve(pilot, misread(case, systolic=case["systolic"] * 10))
