"""What a nurse does at the screen, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, follow, mark, press
from .dictation import OXYGEN_CHOICES
from .presentations import PLACES, REASONS

_BOXES = {
    "heart_rate": "Heart rate",
    "respiratory_rate": "Respiratory rate",
    "systolic": "Systolic BP",
    "diastolic": "Diastolic BP",
    "spo2": "SpO2",
    "temperature": "Temperature",
    "weight": "Weight",
    "gcs": "GCS",
    "pain": "Pain score",
}
_DEFAULT_UNITS = {"temperature_unit": "C", "weight_unit": "kg"}
_UNITS = {"C": "°C", "F": "°F", "kg": "kg", "lb": "lb"}


async def open_chart(hand: Hand, case: Job) -> None:
    """Open a chart from the board."""
    await follow(hand, case["link"])


async def back_to_board(hand: Hand) -> None:
    """Leave the chart."""
    await hand.click("a.back")


async def save_vitals(hand: Hand, entry: Mapping[str, str]) -> None:
    """Chart a set, units included; values that are unusual are confirmed."""
    await follow(hand, "Vitals")
    for name, label in _BOXES.items():
        if name in entry:
            await hand.fill(f'role=textbox[name="{label}"]', entry[name])
    for name, default in _DEFAULT_UNITS.items():
        if entry.get(name, default) != default:
            await mark(hand, _UNITS[entry[name]])
    if entry.get("oxygen"):
        await choose(hand, "Oxygen delivery", OXYGEN_CHOICES[entry["oxygen"]])
    await press(hand, "Save vital signs")
    if await hand.sees('role=button[name="Confirm and save"]'):
        await press(hand, "Confirm and save")


async def strike_set(hand: Hand) -> None:
    """Mark the newest valid set as entered in error."""
    await hand.click('table[aria-label="Recorded vital signs"] button >> nth=0')


async def start_triage(hand: Hand) -> None:
    """Take a waiting patient to triage."""
    await follow(hand, "Triage")
    await press(hand, "Start triage")


async def save_esi(hand: Hand, job: Job) -> None:
    """Save a level with its reason, on the triage tab."""
    await mark(hand, f"ESI {job['level']}")
    await choose(hand, "Reason", REASONS[job["reason"]])
    await press(hand, "Save ESI")


async def complete_triage(hand: Hand) -> None:
    """Finish triage on the triage tab, past the warning that vital signs are missing."""
    await press(hand, "Complete triage")
    if await hand.sees('role=button[name="Complete without vital signs"]'):
        await press(hand, "Complete without vital signs")


async def save_place(hand: Hand, place: str) -> None:
    """Save a disposition, past the warning that it contradicts the level."""
    await follow(hand, "Disposition")
    await mark(hand, PLACES[place])
    await press(hand, "Save disposition")
    if await hand.sees('role=button[name="Confirm and save"]'):
        await press(hand, "Confirm and save")


async def add_allergy(hand: Hand, told: Mapping[str, Any]) -> None:
    """Put what was told on the list; a severity that was not told is unknown."""
    await _suggest(hand, "Substance", told["substance"].capitalize())
    await _suggest(hand, "Reaction", told["reaction"])
    await mark(hand, (told["severity"] or "unknown").capitalize())
    await press(hand, "Add allergy")


async def _suggest(hand: Hand, field: str, text: str) -> None:
    await hand.fill(f'role=combobox[name="{field}"]', text)
    if await hand.sees(f'role=option[name="{text}"]'):
        await hand.click(f'role=option[name="{text}"]')


async def review_allergies(hand: Hand, job: Job) -> None:
    """Bring the list up to date and mark it as reviewed."""
    await follow(hand, "Allergies")
    if job["told"]:
        await add_allergy(hand, job["told"])
    await press(hand, "Mark reviewed" if job["told"] or job["on_list"] else "Declare no known allergies")


async def print_band(hand: Hand, printer: str) -> None:
    """Print a wristband; a further one needs a reason."""
    await follow(hand, "Wristband")
    await choose(hand, "Printer", printer)
    if await hand.sees('role=combobox[name="Reason for reprint"]'):
        await choose(hand, "Reason for reprint", "Band lost")
    await press(hand, "Print wristband")


async def triage(hand: Hand, job: Job) -> None:
    """Take somebody who waits through triage, from the opened chart to completion."""
    await start_triage(hand)
    if job["entry"]:
        await save_vitals(hand, job["entry"])
    await review_allergies(hand, job)
    await follow(hand, "Triage")
    await save_esi(hand, job)
    await complete_triage(hand)
