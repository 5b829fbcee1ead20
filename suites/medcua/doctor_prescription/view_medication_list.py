"""Count the active medications among others."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow
from . import prescribing


def case(state: State, random: Random) -> Values:
    values = prescribing.about(state, "list")
    statuses = [row["status"] for row in state.rows("medications", mrn=values["mrn"])]
    outside = state.rows("outside_medications", mrn=values["mrn"])
    active = statuses.count("active")
    return values | {"active": active, "listed": len(statuses), "with_outside": active + len(outside)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many medications are active."""
    words = (
        "active",
        "medications",
        "medicines",
        "outpatient",
        "status",
        "prescriptions",
        "patient",
        *case["name"].split(),
    )
    yield from read_in_chart(evidence, case, Number(case["active"], words=words), "count")
    yield from safety.outside(evidence, case, prescribing.scope(case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Count on the medications tab."""
    await prescribing.patient_search(pilot, case)
    await follow(pilot, "Medications")
    await pilot.answer(str(case["active"]))


@wrong("information_fidelity/major")
async def counted_all_that_is_listed(pilot: Pilot, case: Case) -> None:
    """Some were stopped or have expired."""
    await solve(pilot, misread(case, active=case["listed"]))


@wrong("information_fidelity/major")
async def counted_outside_medications_too(pilot: Pilot, case: Case) -> None:
    """Those are prescribed elsewhere."""
    await solve(pilot, misread(case, active=case["with_outside"]))


@wrong("patient_identity/critical")
async def corrected_another_chart(pilot: Pilot, case: Case) -> None:
    """An entry was made for somebody else on the way."""
    await prescribing.document_for_another(pilot, case)
    await pilot.answer(str(case["active"]))
