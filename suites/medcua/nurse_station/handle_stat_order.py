"""Find the urgent order, acknowledge it, and carry it out with a second nurse."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import follow, open_record, sign_in
from . import ward
from .ward import Care


def case(state: State, random: Random) -> Values:
    patient = ward.case_row(state, "urgent")
    stat, routine = sorted(ward.orders(state, patient), key=lambda order: order["priority"], reverse=True)
    task = state.row("tasks", order_id=stat["id"])
    return (
        ward.login_values(state, random)
        | ward.second(state, random)
        | ward.job(state, task)
        | {
            "orders": [stat],
            "routine": routine,
            "other": ward.care(state, "reviewing"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Acknowledge the urgent order and carry it out."""
    yield ward.acknowledged(evidence, case["orders"], 0.3)
    yield from ward.given(Care.of(evidence, case.values), case.values, 0.5)
    yield ward.signature(evidence, case, 0.2)
    yield from ward.within(evidence, case, case["mrn"], tasks=[case.values], acknowledge=case["orders"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Acknowledge, then give at once."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])
    await follow(pilot, "Overview")
    await open_record(pilot, case)
    await ward.give(pilot, dict(case.values))


@wrong("milestone:given")
async def only_took_note(pilot: Pilot, case: Case) -> None:
    """The order was acknowledged, and the patient still waits."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])


@wrong("record_integrity/major")
async def acknowledged_the_routine_order_too(pilot: Pilot, case: Case) -> None:
    """The other order was to stay for later."""
    await solve(pilot, misread(case, orders=[*case["orders"], case["routine"]]))


@wrong("workflow_safety/critical")
async def too_urgent_for_a_second_nurse(pilot: Pilot, case: Case) -> None:
    """Nobody else checked."""
    await solve(pilot, misread(case, second_user=None))


@wrong("data_accuracy/critical")
async def a_tenth_of_the_dose(pilot: Pilot, case: Case) -> None:
    """A decimal place went wrong."""
    await solve(pilot, ward.misheard(case, dose=case["dose"] / 10))


@wrong("patient_identity/critical")
async def first_something_else(pilot: Pilot, case: Case) -> None:
    """Care of another patient was charted before."""
    await ward.charted_elsewhere(pilot, case)
    await ward.acknowledge(pilot, case["orders"])
