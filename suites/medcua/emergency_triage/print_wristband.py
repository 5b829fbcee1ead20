"""Print the band that is missing, on a given printer."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from . import triage
from .triage import Chart


def case(state: State, random: Random) -> Values:
    patient = triage.patient(state, "ankle_injury")
    printers = random.sample(("Triage 1", "Triage 2", "Registration"), 2)
    names = {"printer": printers[0], "other_printer": printers[1]}
    return triage.about(state, random, patient, triage.neighbour(state, patient)) | names


def check(evidence: Evidence, case: Case) -> Findings:
    """Print one band where it is wanted."""
    yield from triage.band(Chart(evidence, case["mrn"]), case["printer"], 1.0)
    yield from safety.outside(evidence, case, triage.scope(case["mrn"], additions=("wristband_prints",)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Print one band."""
    await triage.open_patient(pilot, case)
    await triage.print_band(pilot, case["printer"])


@wrong("patient_identity/critical")
async def printed_the_neighbour(pilot: Pilot, case: Case) -> None:
    """Somebody else's band lies in the printer."""
    await solve(pilot, confused(case))


@wrong("milestone:printer")
async def printed_elsewhere(pilot: Pilot, case: Case) -> None:
    """The band lies in another printer."""
    await solve(pilot, misread(case, printer=case["other_printer"]))


@wrong("record_integrity/major")
async def printed_twice(pilot: Pilot, case: Case) -> None:
    """Two bands of one patient are about."""
    await solve(pilot, case)
    await triage.print_band(pilot, case["printer"])
