"""What a pharmacist does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from .shelf import EDIT_REASONS, FREQUENCIES, IDENTIFIERS, KINDS, POINTS, REASONS

_NUMBERS = {"dose": "Dose", "quantity": "Quantity", "days_supply": "Days supply", "refills": "Refills"}
_TEACH_BACK = {"able": "Can repeat it", "unable": "Cannot repeat it"}


async def open_rx(hand: Hand, job: Job) -> None:
    """Open a prescription with a double click on its row."""
    await hand.click(f'role=link[name="{job["rx_no"]}"]', count=2)


async def back_to_queue(hand: Hand) -> None:
    """Leave the prescription by its function key."""
    await hand.press("F2")


async def decide(hand: Hand, job: Job) -> None:
    """Decide on the alert, past the warning about a contraindication."""
    alert = job["alert"]
    await follow(hand, f"Resolve {KINDS[alert['kind']]} with {alert['against']}")
    await mark(hand, {"override": "Override", "reject": "Reject and contact prescriber"}[job["action"]])
    await choose(hand, "Reason", REASONS[job["reason"]])
    await press(hand, "OK")
    if await hand.sees('role=button[name="Yes, override"]'):
        await press(hand, "Yes, override")


async def edit(hand: Hand, changes: Mapping[str, Any], reason: str) -> None:
    """Change fields of the entry; an amount that does not fit the directions is confirmed."""
    await follow(hand, "Edit entry")
    if "drug" in changes:
        await hand.fill('role=combobox[name="Drug"]', changes["drug"])
        await hand.click(f'role=option[name="{changes["drug"]}"]')
    if "frequency" in changes:
        await choose(hand, "Frequency", FREQUENCIES[changes["frequency"]])
    for name, label in _NUMBERS.items():
        if name in changes:
            await enter(hand, label, f"{changes[name]:g}")
    await choose(hand, "Reason for the change", EDIT_REASONS[reason])
    await press(hand, "OK")
    if await hand.sees('role=button[name="Yes, store"]'):
        await press(hand, "Yes, store")


async def verify(hand: Hand) -> None:
    """Release the prescription by its function key."""
    await hand.press("F8")


async def fill(hand: Hand, lot: str, quantity: str) -> None:
    """Take a lot from the shelf, past the warning about the product."""
    await hand.press("F9")
    await mark(hand, f"Lot {lot}")
    await enter(hand, "Quantity counted", quantity)
    await press(hand, "OK")
    if await hand.sees('role=button[name="Yes, fill"]'):
        await press(hand, "Yes, fill")


async def hand_out(hand: Hand, identifiers: Iterable[str], talked: Iterable[str], teach_back: str) -> None:
    """Record the pick-up, past the warning that identity was not checked."""
    await hand.press("F10")
    for name in identifiers:
        await tick(hand, IDENTIFIERS[name])
    for name in talked:
        await tick(hand, POINTS[name])
    if teach_back:
        await mark(hand, _TEACH_BACK[teach_back])
    await press(hand, "OK")
    if await hand.sees('role=button[name="Yes, hand out"]'):
        await press(hand, "Yes, hand out")
