"""How the central station words things, and what a nurse does at its screens."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.library import FIXTURES

from ..hands import choose, enter, follow, mark, press, tick

PARAMETERS = {
    "heart_rate": ("HR", "/min"),
    "spo2": ("SpO2", "%"),
    "respiratory_rate": ("RR", "/min"),
    "abp_mean": ("ABP mean", "mmHg"),
    "temp_c": ("Temp", "°C"),
}
RANKS = {"high": 0, "medium": 1, "low": 2}
RECIPIENTS = {
    "bedside_nurse": "Bedside nurse",
    "icu_physician": "ICU physician",
    "respiratory_therapist": "Respiratory therapist",
    "rapid_response": "Rapid response team",
}
PROFILES = {"general": "General", "cardiac": "Cardiac", "respiratory": "Respiratory", "neuro": "Neuro"}
# The choice of the product, and what somebody calls from the bed.
SILENCE_REASONS = {
    "suctioning": ("Suctioning", "is suctioning the airway"),
    "blood_sampling": ("Blood sampling", "is drawing blood"),
    "turning": ("Turning or washing", "is washing and turning the patient"),
    "examination": ("Examination at the bedside", "is examining the patient"),
}
_UNIT = tomllib.loads((FIXTURES / "clinic" / "icu_central" / "unit.toml").read_text(encoding="utf-8"))
CRISIS_CONTACTS: Mapping[str, str] = _UNIT["crisis_contacts"]


async def open_bed(hand: Hand, bed: int) -> None:
    """Open a bed from the overview."""
    await follow(hand, f"Bed {bed}")


async def open_alarm(hand: Hand, alarm: Mapping[str, Any]) -> None:
    """Open one alarm from the list."""
    await follow(hand, "Alarm list")
    await follow(hand, f"Open {alarm['row']}")


async def acknowledge(hand: Hand, note: str) -> None:
    """Acknowledge the open alarm with a note."""
    if note:
        await enter(hand, "Note (optional)", note)
    await press(hand, "Acknowledge alarm")


async def acknowledge_in_list(hand: Hand, alarm: Mapping[str, Any]) -> None:
    """Acknowledge an alarm by the button of its line."""
    await press(hand, f"Acknowledge {alarm['row']}")


async def pause_sound(hand: Hand, duration: str, reason: str) -> None:
    """Pause the sound of the open alarm, past the warning that it is too long."""
    await mark(hand, duration)
    await choose(hand, "Reason", reason)
    await press(hand, "Pause sound")
    if await hand.sees('role=button[name="Pause all the same"]'):
        await press(hand, "Pause all the same")


async def set_limits(hand: Hand, wanted: Mapping[str, Any]) -> None:
    """Enter limits on the tab that is open, past the warning that they are unusual."""
    for parameter, pair in wanted.items():
        for end, value in zip(("low", "high"), pair, strict=True):
            if await hand.read(_box(parameter, end)) != f"{value:g}":
                await hand.fill(_box(parameter, end), f"{value:g}")
    await press(hand, "Save limits")
    if await hand.sees('role=button[name="Save all the same"]'):
        await press(hand, "Save all the same")


def _box(parameter: str, end: str) -> str:
    return f'role=textbox[name="{PARAMETERS[parameter][0]} {end}"]'


async def send_page(hand: Hand, recipient: str, message: str) -> None:
    """Page somebody from the open bed."""
    await follow(hand, "Patient")
    await choose(hand, "Recipient", RECIPIENTS[recipient])
    await enter(hand, "Message", message)
    await press(hand, "Send page")


async def admit(hand: Hand, case: Mapping[str, Any], *, checked: bool = True) -> None:
    """Admit somebody on the page of a free bed, past its warnings."""
    await follow(hand, case["link"])
    await mark(hand, case["class_words"])
    await mark(hand, case["profile_words"])
    await mark(hand, case["paced_words"])
    if checked:
        await tick(hand, "Identity band checked (name and date of birth)")
    await press(hand, "Admit patient")
    if await hand.sees('role=button[name="Admit all the same"]'):
        await press(hand, "Admit all the same")
