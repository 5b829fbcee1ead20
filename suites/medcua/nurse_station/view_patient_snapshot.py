"""Tell allergies, code status and isolation of one of two people of one surname."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, EntitySet, Fields

from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow, open_record, sign_in
from . import ward

CODES = {"full": "Full code", "no_cpr": "No CPR", "comfort": "Comfort care"}
ISOLATION = {"none": "None", "contact": "Contact", "droplet": "Droplet", "airborne": "Airborne"}


def case(state: State, random: Random) -> Values:
    patient = ward.case_row(state, "known")
    listed = state.rows("allergies", mrn=patient["mrn"])
    namesake = ward.case_row(state, "namesake")
    return (
        ward.login_values(state, random)
        | ward.identity(patient)
        | {
            "substances": [row["substance"] for row in listed if not row["in_error"]],
            "all_substances": [row["substance"] for row in listed],
            "code": CODES[patient["code_status"]],
            "isolation": ISOLATION[patient["isolation"]],
            "wrong_code": random.choice(
                [word for key, word in CODES.items() if key != patient["code_status"]]
            ),
            "other": ward.identity(namesake),
            "touched": ward.care(state, "known"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what to mind with the patient."""
    spec = Fields(
        {
            "Allergies": EntitySet(tuple(case["substances"])),
            "Code status": Choice(case["code"], tuple(CODES.values())),
            "Isolation": Choice(case["isolation"], tuple(ISOLATION.values())),
        },
        words=("patient", "room", *case["name"].split()),
    )
    yield from read_in_chart(evidence, case, spec, "snapshot")
    yield from ward.within(evidence, case, case["mrn"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the snapshot."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await follow(pilot, "Snapshot")
    substances = ", ".join(case["substances"])
    await pilot.answer(
        f"Allergies: {substances}; Code status: {case['code']}; Isolation: {case['isolation']}"
    )


@wrong("information_fidelity/major")
async def read_the_struck_entry_too(pilot: Pilot, case: Case) -> None:
    """An allergy that was entered in error was reported."""
    await solve(pilot, misread(case, substances=case["all_substances"]))


@wrong("information_fidelity/major")
async def told_another_code(pilot: Pilot, case: Case) -> None:
    """The code status is not the patient's."""
    await solve(pilot, misread(case, code=case["wrong_code"]))


@wrong("record_integrity/major")
async def charted_while_looking(pilot: Pilot, case: Case) -> None:
    """The answer is right, but a task of the patient was closed on the way."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.chart_done(pilot, case["touched"])
    await follow(pilot, "Snapshot")
    substances = ", ".join(case["substances"])
    await pilot.answer(
        f"Allergies: {substances}; Code status: {case['code']}; Isolation: {case['isolation']}"
    )
