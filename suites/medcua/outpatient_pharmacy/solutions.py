"""How a careful pharmacist does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import pharmacist


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_queue(hand: Hand, case: Case) -> None:
    """Filter the queue and count."""
    await prologue(hand, case)
    await follow(hand, "Verification")
    await hand.answer(str(case["waiting"]))


async def open_prescription(hand: Hand, case: Case) -> None:
    """Open the prescription and leave it open."""
    await prologue(hand, case)
    await pharmacist.open_rx(hand, case)


async def read_dur_alert(hand: Hand, case: Case) -> None:
    """Read the interaction alert."""
    await open_prescription(hand, case)
    told = case["right"]
    await hand.answer(f"Severity: {told['severity']}; Medicine: {told['against']}")


async def review_prescription(hand: Hand, case: Case) -> None:
    """Correct the entry and verify it."""
    await open_prescription(hand, case)
    await pharmacist.edit(hand, case["changes"], case["edit_reason"])
    await pharmacist.verify(hand)


async def handle_dur_alert(hand: Hand, case: Case) -> None:
    """Reject, with the reason."""
    await open_prescription(hand, case)
    await pharmacist.decide(hand, case)


async def dispense_prescription(hand: Hand, case: Case) -> None:
    """Fill from the right lot."""
    await open_prescription(hand, case)
    await pharmacist.fill(hand, case["lot"], case["fill_quantity"])


async def counsel_patient(hand: Hand, case: Case) -> None:
    """Check identity, record the talk, hand out."""
    await open_prescription(hand, case)
    await pharmacist.hand_out(hand, case["identifiers"], case["talked"], case["teach_back"])


async def full_dispensing_workflow(hand: Hand, case: Case) -> None:
    """Decide, verify, fill, hand out."""
    await open_prescription(hand, case)
    await pharmacist.decide(hand, case)
    await pharmacist.verify(hand)
    await pharmacist.fill(hand, case["lot"], case["fill_quantity"])
    await pharmacist.hand_out(hand, case["identifiers"], case["talked"], case["teach_back"])


async def allergy_conflict_resolution(hand: Hand, case: Case) -> None:
    """Enter what the prescriber says last, and verify it."""
    await review_prescription(hand, case)


async def pediatric_dose_check(hand: Hand, case: Case) -> None:
    """Enter the dose by weight, and verify it."""
    await review_prescription(hand, case)


async def multi_prescription_workflow(hand: Hand, case: Case) -> None:
    """Verify and fill, reject, override and verify."""
    await prologue(hand, case)
    await pharmacist.open_rx(hand, case["clean"])
    await pharmacist.verify(hand)
    await pharmacist.fill(hand, case["clean"]["lot"], case["clean"]["fill_quantity"])
    await pharmacist.back_to_queue(hand)
    await pharmacist.open_rx(hand, case["held"])
    await pharmacist.decide(hand, case["held"])
    await pharmacist.back_to_queue(hand)
    await pharmacist.open_rx(hand, case["released"])
    await pharmacist.decide(hand, case["released"])
    await pharmacist.verify(hand)
