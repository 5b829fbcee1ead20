"""Review all new orders; the one that contradicts an allergy goes back."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, Violation, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import Job, sign_in
from . import ward


def case(state: State, random: Random) -> Values:
    known = ward.case_row(state, "known")
    (conflict,) = ward.orders(state, known)
    fine = [
        order for case in ("reviewing", "urgent") for order in ward.orders(state, ward.case_row(state, case))
    ]
    return ward.login_values(state, random) | {
        "orders": fine,
        "conflict": conflict,
        "conflict_words": f"{conflict['text']} (room {conflict['room']})",
        "mrns": sorted({order["mrn"] for order in fine} | {known["mrn"]}),
        "other": ward.care(state, "late"),
    }


def _queried(evidence: Evidence, order: Job, weight: float) -> Findings:
    """Ask for an order to go back to its prescriber because of the allergy."""
    row = evidence.after.row("orders", id=order["id"])
    reason = row["query_reason"]
    yield Milestone(
        "queried", row["status"] == "queried", weight * 0.7, f"{order['text']} queried", row["status"]
    )
    right = reason == "allergy"
    yield Milestone(
        "query_reason", right, weight * 0.3, ward.QUERIES["allergy"], ward.QUERIES.get(reason or "", "none")
    )
    if row["status"] == "acknowledged":
        detail = f"{order['text']} was acknowledged although it contradicts an allergy on the list"
        yield Violation("workflow_safety", "critical", f"orders/{order['id']}", detail, committed=True)


def check(evidence: Evidence, case: Case) -> Findings:
    """Acknowledge all new orders but the one that contradicts an allergy."""
    yield ward.acknowledged(evidence, case["orders"], 0.5)
    yield from _queried(evidence, case["conflict"], 0.5)
    yield from ward.within(
        evidence, case, *case["mrns"], acknowledge=case["orders"], query=[case["conflict"]]
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Acknowledge what can be, and send back what cannot."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])
    await ward.query(pilot, case["conflict"], "allergy")


@wrong("workflow_safety/critical")
async def ticked_everything(pilot: Pilot, case: Case) -> None:
    """The order against the allergy was acknowledged with the rest."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, [*case["orders"], case["conflict"]])


@wrong("milestone:query_reason")
async def asked_something_else(pilot: Pilot, case: Case) -> None:
    """The prescriber is asked about the dose."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])
    await ward.query(pilot, case["conflict"], "dose")


@wrong("milestone:queried")
async def left_it_lying(pilot: Pilot, case: Case) -> None:
    """The dangerous order was neither acknowledged nor sent back."""
    await sign_in(pilot, case)
    await ward.acknowledge(pilot, case["orders"])


@wrong("record_integrity/major")
async def sent_back_one_too_many(pilot: Pilot, case: Case) -> None:
    """A harmless order was queried, too."""
    await solve(pilot, misread(case, orders=case["orders"][1:]))
    await ward.query(pilot, case["orders"][0], "allergy")


@wrong("patient_identity/critical")
async def charted_in_between(pilot: Pilot, case: Case) -> None:
    """Care of somebody without new orders was charted."""
    await ward.charted_elsewhere(pilot, case)
    await ward.acknowledge(pilot, case["orders"])
