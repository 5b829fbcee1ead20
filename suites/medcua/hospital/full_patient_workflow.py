"""Find a patient, begin an evaluation, and record vital signs in it."""

from __future__ import annotations

from pytest_cuabench import Case, Evidence, Findings, Pilot, wrong

from ..openemr.full_patient_workflow import case
from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from . import charting, screen

__all__ = ["case"]


def check(evidence: Evidence, case: Case) -> Findings:
    """The evaluation stands in the record with its vital signs as told, and nothing else was written."""
    yield from charting.evaluated(evidence, case, 0.4)
    yield from charting.vital_signs(evidence, case, 0.6)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], {charting.EVALUATION: 1}))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and fill in two pages of an evaluation."""
    await screen.open_record(pilot, case)
    await screen.new_evaluation(pilot, case)
    await screen.vital_signs(pilot, case)
    await screen.save(pilot)


@wrong("patient_identity/critical")
async def did_it_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("milestone:vital_signs")
async def left_out_the_vital_signs(pilot: Pilot, case: Case) -> None:
    """Only the complaint was typed."""
    await screen.open_record(pilot, case)
    await screen.new_evaluation(pilot, case)
    await screen.save(pilot)


@wrong("data_accuracy/major")
async def misheard_the_heart_rate(pilot: Pilot, case: Case) -> None:
    """Ten beats more."""
    await solve(pilot, misread(case, pulse=case["pulse"] + 10))
