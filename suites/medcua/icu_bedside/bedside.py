"""How the bedside screen words things, and what a nurse does at it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.library import FIXTURES

from ..hands import choose, enter, follow, mark, press, tick

PARAMETERS = {"heart_rate": ("HR", "/min"), "spo2": ("SpO2", "%"), "abp_mean": ("MAP", "mmHg")}
PERIODS = {"shift": "This shift", "previous": "Previous shift", "day": "Last 24 h"}
CATEGORIES = {"assessment": "Assessment", "event": "Event", "family": "Family", "handover": "Handover"}
REASONS = {
    "titration": "Titration as ordered",
    "telephone_order": "Telephone order, read back",
    "weaning": "Weaning",
    "side_effect": "Side effect",
}


def fixture(name: str) -> dict[str, Any]:
    """Return the written data of the application."""
    file = FIXTURES / "clinic" / "icu_bedside" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


DRUGS: Mapping[str, Any] = fixture("drugs")
KINDS: Mapping[str, Any] = fixture("fluids")["kinds"]


async def open_patient(hand: Hand, case: Mapping[str, Any]) -> None:
    """Choose a patient in the list on the left."""
    await follow(hand, case["link"])


async def acknowledge(hand: Hand, label: str, response: str) -> None:
    """Acknowledge an alarm of the open patient."""
    await follow(hand, "Alarms")
    await follow(hand, label)
    if response:
        await enter(hand, "Response (optional)", response)
    await press(hand, "Acknowledge alarm")


async def set_dose(hand: Hand, drug: str, dose: float, reason: str, *, checked: bool = True) -> None:
    """Change the dose of an infusion of the open patient, past the questions of the pump."""
    await follow(hand, "Infusions")
    await follow(hand, DRUGS[drug]["label"])
    await enter(hand, "New dose", f"{dose:g}")
    await choose(hand, "Reason", REASONS[reason])
    if checked:
        await tick(hand, "Patient identity checked at the bedside")
    await press(hand, "Change dose")
    if await hand.sees('role=button[name="Change all the same"]'):
        await press(hand, "Change all the same")


async def chart_fluid(hand: Hand, kind: str, ml: int) -> None:
    """Enter one volume on the tab that is open, past the question whether it is right."""
    await mark(hand, KINDS[kind]["label"])
    await enter(hand, "Volume", str(ml))
    await press(hand, "Save entry")
    if await hand.sees('role=button[name="Save as entered"]'):
        await press(hand, "Save as entered")


async def write_note(hand: Hand, category: str, text: str, *, sign: bool = True) -> None:
    """Write a note on the open patient."""
    await follow(hand, "Notes")
    await mark(hand, CATEGORIES[category])
    await enter(hand, "Text", text)
    await press(hand, "Sign note" if sign else "Save as draft")
