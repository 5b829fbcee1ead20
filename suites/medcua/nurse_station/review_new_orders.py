"""Acknowledge every new order of one patient."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import sign_in
from . import ward


def case(state: State, random: Random) -> Values:
    patient = ward.case_row(state, "reviewing")
    orders = ward.orders(state, patient)
    urgent = ward.case_row(state, "urgent")
    routine = next(order for order in ward.orders(state, urgent) if order["priority"] == "routine")
    return (
        ward.login_values(state, random)
        | ward.identity(patient)
        | {
            "orders": orders,
            "texts": "; ".join(order["text"] for order in orders),
            "other": ward.identity(urgent) | {"order": routine},
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Acknowledge every new order of the patient."""
    yield ward.acknowledged(evidence, case["orders"], 1.0)
    yield from ward.within(evidence, case, case["mrn"], acknowledge=case["orders"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Acknowledge all orders of the patient."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])


@wrong("milestone:acknowledged")
async def overlooked_the_last_order(pilot: Pilot, case: Case) -> None:
    """One order is still new."""
    await solve(pilot, misread(case, orders=case["orders"][:-1]))


@wrong("patient_identity/critical")
async def ticked_the_next_room(pilot: Pilot, case: Case) -> None:
    """An order of another patient was acknowledged, too."""
    orders = [*case["orders"], case["other"]["order"]]
    await solve(pilot, misread(case, orders=orders))


@wrong("record_integrity/major")
async def queried_what_was_clear(pilot: Pilot, case: Case) -> None:
    """Nothing speaks against the order that was sent back."""
    await solve(pilot, misread(case, orders=case["orders"][1:]))
    await ward.query(pilot, case["orders"][0], "dose")
