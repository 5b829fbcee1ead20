"""Give a bed to somebody who needs a room of their own."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    patient = wards.case_row(state, "queue_contact")
    job = wards.placement(state, patient)
    ward = wards.ward_of(state, "medicine")
    bays = wards.empty(state, ward, kind="bay")
    return (
        wards.login_values(state, random)
        | job
        | {
            "bay_bed": next(bed["label"] for bed in bays if bed["sex"] == patient["sex"]),
            "reserved_bed": next(
                bed["label"] for bed in wards.beds_list(state, ward) if bed["state"] == "reserved"
            ),
            "other": wards.placement(state, wards.case_row(state, "conflict_plain")),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Give the patient a bed that meets the request."""
    yield from wards.bed(Stay(evidence, case["mrn"]), case.values, 1.0)
    yield from wards.within(evidence, case, case["mrn"], additions=("admissions", "transfers"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Give the room that the request calls for."""
    await sign_in(pilot, case)
    await wards.place(pilot, case)


@wrong("workflow_safety/major")
async def infection_into_a_bay(pilot: Pilot, case: Case) -> None:
    """Others lie beside; the warning was confirmed."""
    await solve(pilot, misread(case, bed=case["bay_bed"]))


@wrong("record_integrity/major")
async def took_the_promised_room(pilot: Pilot, case: Case) -> None:
    """The room would do, but it is kept for somebody else."""
    await solve(pilot, misread(case, bed=case["reserved_bed"]))


@wrong("patient_identity/critical")
async def placed_somebody_else(pilot: Pilot, case: Case) -> None:
    """The wrong line of the worklist was clicked."""
    await solve(pilot, misread(case, mrn=case["other"]["mrn"]))
