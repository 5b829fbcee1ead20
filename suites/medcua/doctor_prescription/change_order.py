"""Double a dose."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.record import Record
from ..toolkit.safety import Measure, accuracy
from ..toolkit.screen import choose, enter, follow
from ..toolkit.world_data import world_data
from . import prescribing
from .prescribing import Told

CHOICES = world_data("doctor_prescription/choices")
CHANGE_REASONS = CHOICES["change_reasons"]


def case(state: State, random: Random) -> Values:
    values = prescribing.about(state, "change")
    facts = prescribing.story(state, values["mrn"], "change", "drug")
    return values | {
        "medication": prescribing.medication(state, values["mrn"], facts["drug"]),
        "drug": facts["drug"],
        "changes": {"dose": facts["dose"], "quantity": facts["quantity"]},
        "new_dose": f"{prescribing.dose_text(facts['dose'], facts['drug'])} {prescribing.SCHEDULES[facts['schedule']]}",
        "dose_number": f"{facts['dose']:g}",
        "quantity_number": f"{facts['quantity']:g}",
        "why": facts["why"],
        "reason": facts["reason"],
        "reason_words": CHANGE_REASONS[facts["reason"]],
    }


def _changed(record: Record, job: Told, weight: float) -> Findings:
    """Ask for the new dose and quantity of one medication, signed with its reason."""
    row = record.evidence.after.row("medications", id=job["medication"]["id"])
    for name, wanted in job["changes"].items():
        yield Milestone(name, row[name] == wanted, weight * 0.4, f"{name} {wanted:g}", f"{row[name]:g}")
    reasons = [order["reason"] for order in prescribing.signed(record) if order["action"] == "change"]
    shown = ", ".join(CHANGE_REASONS[reason] for reason in reasons) or "no change signed"
    right = CHANGE_REASONS[job["reason"]]
    yield Milestone("reason", job["reason"] in reasons, weight * 0.2, right, shown)
    if reasons:
        measures = (Measure("dose", "the dose", rounding=0.001), prescribing.QUANTITY)
        amounts = {name: row[name] for name in job["changes"]}
        yield from accuracy(measures, job["changes"], amounts, f"medications/{row['id']}")


def check(evidence: Evidence, case: Case) -> Findings:
    """Have dose and quantity of one medication changed, and signed."""
    record = Record(evidence, case["mrn"])
    yield from _changed(record, case.values, 1.0)
    yield from prescribing.left_unsigned(record)
    medications = frozenset({"dose", "quantity"})
    entries = {"medications": [case["medication"]["id"]]}
    yield from safety.outside(
        evidence,
        case,
        prescribing.scope(case["mrn"], prescribing.orders(1), entries, medications=medications),
    )


async def _change(pilot: Pilot, drug: str, changes: Mapping[str, Any], reason: str) -> None:
    """Enter an order that changes a medication."""
    await follow(pilot, "Medications")
    await follow(pilot, f"Change {drug}")
    for name, value in changes.items():
        await enter(pilot, prescribing.NUMBERS[name], f"{value:g}")
    await choose(pilot, "Reason for the change", CHANGE_REASONS[reason])
    await prescribing.accept(pilot)


async def solve(pilot: Pilot, case: Case) -> None:
    """Change and sign."""
    await prescribing.patient_search(pilot, case)
    await _change(pilot, case["drug"], case["changes"], case["reason"])
    await prescribing.sign(pilot, case["code"])


@wrong("milestone:dose")
async def left_it_unsigned(pilot: Pilot, case: Case) -> None:
    """The old dose stays."""
    await prescribing.patient_search(pilot, case)
    await _change(pilot, case["drug"], case["changes"], case["reason"])


@wrong("data_accuracy/major")
async def kept_the_old_quantity(pilot: Pilot, case: Case) -> None:
    """It lasts half of the month."""
    await solve(pilot, misread(case, changes={"dose": case["changes"]["dose"]}))


@wrong("milestone:reason")
async def gave_another_reason(pilot: Pilot, case: Case) -> None:
    """The patient did not ask for it."""
    await solve(pilot, misread(case, reason="wish"))


@wrong("patient_identity/critical")
async def worked_in_another_chart(pilot: Pilot, case: Case) -> None:
    """Somebody else's chart was open."""
    await prescribing.document_for_another(pilot, case)
