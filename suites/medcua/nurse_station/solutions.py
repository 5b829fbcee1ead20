"""How a careful nurse does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import station


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_care_compass(hand: Hand, case: Case) -> None:
    """Count the cards with something overdue."""
    await prologue(hand, case)
    await hand.answer(str(case["patients"]))


async def establish_relationship(hand: Hand, case: Case) -> None:
    """Tick those who are missing."""
    await prologue(hand, case)
    await station.establish(hand, case["jobs"], case["role"])


async def review_new_orders(hand: Hand, case: Case) -> None:
    """Acknowledge all orders of the patient."""
    await prologue(hand, case)
    await station.acknowledge(hand, case["orders"])


async def complete_task(hand: Hand, case: Case) -> None:
    """Give the medicine."""
    await prologue(hand, case)
    await station.open_patient(hand, case)
    await station.give(hand, dict(case.values))


async def chart_not_done(hand: Hand, case: Case) -> None:
    """Chart why it was not done."""
    await prologue(hand, case)
    await station.open_patient(hand, case)
    await station.leave_out(hand, case)


async def specimen_collection(hand: Hand, case: Case) -> None:
    """Collect the specimen."""
    await prologue(hand, case)
    await station.open_patient(hand, case)
    await station.collect(hand, dict(case.values))


async def view_patient_snapshot(hand: Hand, case: Case) -> None:
    """Read the snapshot."""
    await prologue(hand, case)
    await station.open_patient(hand, case)
    await follow(hand, "Snapshot")
    substances = ", ".join(case["substances"])
    await hand.answer(f"Allergies: {substances}; Code status: {case['code']}; Isolation: {case['isolation']}")


async def handle_stat_order(hand: Hand, case: Case) -> None:
    """Acknowledge, then give at once."""
    await prologue(hand, case)
    await station.acknowledge(hand, case["orders"])
    await follow(hand, "Overview")
    await station.open_patient(hand, case)
    await station.give(hand, dict(case.values))


async def manage_overdue_tasks(hand: Hand, case: Case) -> None:
    """Settle one after the other."""
    await prologue(hand, case)
    await station.open_patient(hand, case)
    await station.leave_out(hand, case["medicine"])
    await station.observe(hand, case["pain"])
    await station.observe(hand, case["position"])


async def batch_order_review(hand: Hand, case: Case) -> None:
    """Acknowledge what can be, and send back what cannot."""
    await prologue(hand, case)
    await station.acknowledge(hand, case["orders"])
    await station.query(hand, case["conflict"], "allergy")


async def full_shift_workflow(hand: Hand, case: Case) -> None:
    """Take over, acknowledge, collect, then the rest."""
    await prologue(hand, case)
    await station.establish(hand, case["jobs"], case["role"])
    await station.acknowledge(hand, case["orders"])
    await follow(hand, "Overview")
    await station.open_patient(hand, case)
    await station.collect(hand, case["specimen"])
    await station.observe(hand, case["pain"])
    await station.observe(hand, case["position"])
    await station.chart_done(hand, case["care"])
