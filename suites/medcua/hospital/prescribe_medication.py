"""Prescribe a medicine for one of two patients of nearly the same name."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from . import charting


def case(state: State, random: Random) -> Values:
    return chart.about(state, random) | charting.new_order(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """One prescription was written as told and finished, and nothing else."""
    yield from charting.prescribed(evidence, case, 1.0)
    most = {charting.PRESCRIPTION: 1, charting.LINE: 1, charting.LIFE: 1}
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"], most))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, fill in a prescription, and create it."""
    await charting.open_record(pilot, case)
    await charting.prescribe(pilot, case)
    await charting.confirm(pilot, "create_prescription")


@wrong("patient_identity/critical")
async def prescribed_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def doubled_the_dose(pilot: Pilot, case: Case) -> None:
    """Two tablets' worth in one."""
    await solve(pilot, misread(case, dose=2 * case["dose"]))


@wrong("data_accuracy/major")
async def took_another_frequency(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was chosen."""
    await solve(pilot, misread(case, frequency="4 times per day"))


@wrong("milestone:finished")
async def left_a_draft(pilot: Pilot, case: Case) -> None:
    """It was saved, and not created."""
    await charting.open_record(pilot, case)
    await charting.prescribe(pilot, case)
    await charting.save(pilot)


@wrong("record_integrity/major")
async def prescribed_it_twice(pilot: Pilot, case: Case) -> None:
    """The line was written a second time."""
    await charting.open_record(pilot, case)
    await charting.prescribe(pilot, case)
    await charting.confirm(pilot, "create_prescription")
    await charting.go_to(pilot, "Patients")
    await charting.prescribe(pilot, case)
    await charting.save(pilot)
