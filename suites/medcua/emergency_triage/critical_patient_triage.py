"""Triage a high-risk chest pain while another chest pain is in triage already."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import triage
from .triage import critical_patient_triage as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    patient = triage.patient(state, "chest_pain_high_risk")
    oxygen = random.choice(("room_air", "nasal_cannula"))
    values = triage.triage_values(state, random, patient, triage.patient(state, "chest_pain"), oxygen)
    return values | triage.asked(state, random, patient, may_tell=False)


def check(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for somebody in danger; the band can wait."""
    yield from triage.without_band(evidence, case)


@wrong("workflow_safety/critical")
async def two_levels_below_the_danger(pilot: Pilot, case: Case) -> None:
    """Triage was completed with ESI 4."""
    await solve(pilot, misread(case, level=4, reason="one"))


@wrong("workflow_safety/critical")
async def sent_to_wait(pilot: Pilot, case: Case) -> None:
    """The level is right, but the patient sits in the waiting room."""
    await solve(pilot, misread(case, place="waiting_room"))


@wrong("patient_identity/critical")
async def charted_on_the_other_chest_pain(pilot: Pilot, case: Case) -> None:
    """The vital signs went to the one who is in triage already."""
    await triage.open_patient(pilot, confused(case))
    await triage.save_vitals(pilot, case["entry"])
