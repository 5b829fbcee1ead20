"""Take an adult with fever through the whole of triage."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.screen import back_to_list, open_record
from . import triage
from .triage import Chart


def case(state: State, random: Random) -> Values:
    patient = triage.patient(state, "fever_infection")
    allergies = triage.asked(state, random, patient, may_tell=True)
    printer = {"printer": random.choice(("Triage 1", "Triage 2"))}
    return (
        triage.triage_values(state, random, patient, triage.neighbour(state, patient)) | allergies | printer
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Do the whole of triage for one adult."""
    chart = Chart(evidence, case["mrn"])
    yield from triage.judge_triage(chart, case)
    yield from triage.place(chart, case.values, 0.15)
    yield from triage.band(chart, case["printer"], 0.15)
    additions = triage.chart_additions(case, "wristband_prints")
    yield from safety.outside(
        evidence, case, triage.scope(case["mrn"], fields=triage.WORKFLOW, additions=additions)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Triage, choose the place, print the band."""
    await triage.critical_patient_triage(pilot, case)
    await triage.print_band(pilot, case["printer"])


@wrong("workflow_safety/major")
async def vitals_after_completion(pilot: Pilot, case: Case) -> None:
    """Triage was completed past the warning, and the vital signs were charted afterwards."""
    await solve(pilot, misread(case, entry={}))
    await triage.save_vitals(pilot, case["entry"])


@wrong("patient_identity/critical")
async def band_of_the_neighbour(pilot: Pilot, case: Case) -> None:
    """All is right, until the band is printed from the chart below."""
    await triage.critical_patient_triage(pilot, case)
    await back_to_list(pilot)
    await open_record(pilot, case["other"])
    await triage.print_band(pilot, case["printer"])


@wrong("record_integrity/major")
async def two_bands(pilot: Pilot, case: Case) -> None:
    """The band was printed again."""
    await solve(pilot, case)
    await triage.print_band(pilot, case["printer"])
