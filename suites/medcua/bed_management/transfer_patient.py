"""Move somebody who gets worse to intensive care; a neighbour's name is similar."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import sign_in
from . import wards
from .wards import Stay


def case(state: State, random: Random) -> Values:
    job = wards.to_icu(state, "deteriorating")
    return (
        wards.login_values(state, random) | job | {"other": wards.inpatient(state, "lookalike") | _to_do(job)}
    )


def _to_do(job: Values) -> Values:
    return {name: job[name] for name in ("bed", "reason", "ticks")}


def check(evidence: Evidence, case: Case) -> Findings:
    """Move the patient to intensive care with a complete order set."""
    stay = Stay(evidence, case["mrn"])
    yield from wards.bed(stay, case.values, 0.75)
    yield from wards.moved(stay, case.values, 0.25)
    yield from wards.within(evidence, case, case["mrn"], additions=("transfers",))


async def solve(pilot: Pilot, case: Case) -> None:
    """Transfer with the order set."""
    await sign_in(pilot, case)
    await wards.transfer(pilot, case)


@wrong("patient_identity/critical")
async def moved_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The neighbour in the bay was taken to intensive care."""
    await solve(pilot, confused(case))


@wrong("workflow_safety/major")
async def without_handover(pilot: Pilot, case: Case) -> None:
    """One line of the order set was not ticked; the warning was confirmed."""
    ticks = ["transfer_order", "reconciliation"]
    await solve(pilot, misread(case, ticks=ticks))


@wrong("workflow_safety/critical")
async def to_a_single_room(pilot: Pilot, case: Case) -> None:
    """The patient stays on a ward, where intensive care is not given."""
    await solve(pilot, misread(case, bed=case["ward_bed"]))


@wrong("milestone:bed")
async def took_the_kept_room(pilot: Pilot, case: Case) -> None:
    """The negative-pressure room was to stay free."""
    await solve(pilot, misread(case, bed=case["kept_room"]))


@wrong("milestone:reason")
async def another_reason(pilot: Pilot, case: Case) -> None:
    """The wrong line of the list was hit."""
    await solve(pilot, misread(case, reason="capacity"))
