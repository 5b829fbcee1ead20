"""How a careful nurse does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import nurse


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def open_sheet(hand: Hand, case: Case) -> None:
    """Sign in and open the patient's sheet."""
    await prologue(hand, case)
    await nurse.open_sheet(hand, case)


async def view_vitals(hand: Hand, case: Case) -> None:
    """Read the last temperature that is not struck."""
    await open_sheet(hand, case)
    await hand.answer(f"{case['latest']} °C")


async def view_fluid_balance(hand: Hand, case: Case) -> None:
    """Read the balance of this shift."""
    await open_sheet(hand, case)
    await follow(hand, "Intake and output")
    await hand.answer(f"{case['balance']} ml")


async def record_vital_signs(hand: Hand, case: Case) -> None:
    """Chart the set that was called out."""
    await open_sheet(hand, case)
    await nurse.save_vitals(hand, case["entry"], case["pills"])


async def record_io(hand: Hand, case: Case) -> None:
    """Chart the volumes."""
    await open_sheet(hand, case)
    await nurse.save_fluids(hand, case["fluids"])


async def write_nursing_note(hand: Hand, case: Case) -> None:
    """Write the note and sign it."""
    await open_sheet(hand, case)
    await nurse.write(hand, "Nursing note", case)
    await nurse.sign(hand)


async def create_handoff(hand: Hand, case: Case) -> None:
    """Write the four parts and sign them over."""
    await open_sheet(hand, case)
    await nurse.write(hand, "Handover", case)
    await nurse.sign(hand)


async def wound_assessment(hand: Hand, case: Case) -> None:
    """Chart place, stage, size and exudate."""
    await open_sheet(hand, case)
    await nurse.save_wound(hand, case)


async def identify_deterioration(hand: Hand, case: Case) -> None:
    """Score everybody, escalate for the worst, and report."""
    await open_sheet(hand, case)
    await nurse.escalate(hand, case["news2"], case["response"])
    await hand.answer(f"Bed {case['bed']}, NEWS2 {case['news2']}")


async def complete_shift_documentation(hand: Hand, case: Case) -> None:
    """Chart what is open, then sign the shift off."""
    await record_vital_signs(hand, case)
    await nurse.save_fluids(hand, case["fluids"])
    await nurse.sign_off(hand)


async def fluid_balance_correction(hand: Hand, case: Case) -> None:
    """Strike the wrong entry, put the measured volume in its place, and report."""
    await open_sheet(hand, case)
    await nurse.open_entry(hand, case["kind_words"], case["typed"], case["time"])
    await nurse.replace_volume(hand, case["right"], case["reason"])
    await hand.answer(f"Bed {case['bed']}, Balance {case['balance']} ml")


async def rapid_response_note(hand: Hand, case: Case) -> None:
    """Write the record of the call and sign it."""
    await open_sheet(hand, case)
    await nurse.write(hand, "Rapid response", case)
    await nurse.sign(hand)
