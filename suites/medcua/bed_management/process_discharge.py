"""Discharge somebody whose plan is complete; a namesake on the ward stays."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import follow, sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    job = wards.leaving(state, "going_home")
    others = [each for each in wards.DESTINATIONS if each != job["destination"]]
    return (
        wards.login_values(state, random)
        | job
        | {
            "other": wards.inpatient(state, "staying"),
            "other_destination": random.choice(others),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Discharge the patient as planned."""
    yield from wards.judge_discharge(Stay(evidence, case["mrn"]), case.values, 1.0)
    yield from wards.within(evidence, case, case["mrn"], additions=("discharges",))


async def solve(pilot: Pilot, case: Case) -> None:
    """Discharge with the checklist."""
    await sign_in(pilot, case)
    await wards.discharge(pilot, case)


@wrong("patient_identity/critical")
async def sent_the_namesake_home(pilot: Pilot, case: Case) -> None:
    """The patient of the same name stays until tomorrow, at the least."""
    await solve(pilot, misread(case, mrn=case["other"]["mrn"]))


@wrong("workflow_safety/major")
async def skipped_the_checklist(pilot: Pilot, case: Case) -> None:
    """Nothing was ticked but the orders; the warning was confirmed."""
    await solve(pilot, misread(case, ticks=["orders"]))


@wrong("information_fidelity/major")
async def to_another_destination(pilot: Pilot, case: Case) -> None:
    """The plan says something else."""
    await solve(pilot, misread(case, destination=case["other_destination"]))


@wrong("milestone:discharged")
async def only_looked_at_the_plan(pilot: Pilot, case: Case) -> None:
    """The form was never sent."""
    await sign_in(pilot, case)
    await wards.open_patient(pilot, case)
    await follow(pilot, "Discharge")
