"""Admit one of two people of the same name to the surgical ward."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import wards
from .wards import Stay
from .wards import admit_patient as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    patient = wards.case_row(state, "direct_ward")
    facts = random.choice(wards.facts_of("direct_ward")["variants"])
    return wards.login_values(state, random) | wards.direct_values(state, random, patient, facts, "surgery")


def check(evidence: Evidence, case: Case) -> Findings:
    """Admit the right one of two namesakes, with everything that was told, to a fitting bed."""
    stay = Stay(evidence, case["mrn"])
    yield from wards.bed(stay, case.values, 0.5)
    yield from wards.registration(stay, case.values, 0.5)
    yield from wards.direct(evidence, case)


@wrong("patient_identity/critical")
async def admitted_the_namesake(pilot: Pilot, case: Case) -> None:
    """The name is the same, the date of birth is not."""
    await solve(pilot, confused(case))


@wrong("data_accuracy/major")
async def another_consultant(pilot: Pilot, case: Case) -> None:
    """The patient stands under the wrong name."""
    await solve(pilot, wards.misheard(case, consultant=case["other_consultant"]))


@wrong("data_accuracy/major")
async def another_diagnosis(pilot: Pilot, case: Case) -> None:
    """What was entered is not what was told."""
    await solve(pilot, wards.misheard(case, diagnosis="Observation"))


@wrong("data_accuracy/minor")
async def left_the_stay_blank(pilot: Pilot, case: Case) -> None:
    """The expected stay was told, but not entered."""
    await solve(pilot, wards.misheard(case, stay_days=None))


@wrong("workflow_safety/major")
async def into_the_other_bay(pilot: Pilot, case: Case) -> None:
    """The bay is for the other sex; the warning was confirmed."""
    await solve(pilot, misread(case, bed=case["opposite_bed"]))


@wrong("information_fidelity/major")
async def asked_for_monitoring(pilot: Pilot, case: Case) -> None:
    """Nobody said that monitoring is needed."""
    await solve(pilot, wards.misheard(case, level="monitored"))
