"""What a nurse does on the sheets, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press
from . import written

_BOXES = {
    "temp_c": "Temperature",
    "heart_rate": "Pulse",
    "respiratory_rate": "Respiratory rate",
    "systolic": "Systolic BP",
    "diastolic": "Diastolic BP",
    "spo2": "SpO2",
    "oxygen_flow": "Oxygen flow",
    "pain": "Pain",
}
_FIELDS = {
    "focus": "Focus",
    "data": "Condition",
    "action": "Intervention",
    "response": "Response",
    "receiver": "Handed over to",
    "situation": "Situation",
    "background": "Background",
    "assessment": "Assessment",
    "recommendation": "Recommendation",
    "trigger": "Trigger",
    "news2": "NEWS2 at the call",
    "called_at": "Team called at",
    "arrived_at": "Team arrived at",
    "actions": "Actions taken",
    "outcome": "Outcome",
}


async def open_sheet(hand: Hand, job: Job) -> None:
    """Open a patient's sheet from the unit sheet; vital signs come first."""
    await follow(hand, job["link"])


async def save_vitals(hand: Hand, entry: Mapping[str, str], pills: Mapping[str, str]) -> None:
    """Type a column and save it; values that are unusual are confirmed."""
    for name, text in entry.items():
        await enter(hand, _BOXES[name], text)
    if "oxygen" in pills:
        await mark(hand, f"Oxygen: {written.OXYGEN[pills['oxygen']]}")
    if "consciousness" in pills:
        await mark(hand, f"Consciousness: {written.CONSCIOUSNESS[pills['consciousness']]}")
    await press(hand, "Save column")
    await _confirm(hand, "Confirm and save")


async def _confirm(hand: Hand, button: str) -> None:
    if await hand.sees(f'role=button[name="{button}"]'):
        await press(hand, button)


async def strike_first_set(hand: Hand) -> None:
    """Strike the oldest set on the sheet that still counts."""
    await hand.click("tr.foot-row a >> nth=0")
    await choose(hand, "Reason of the error", "Wrong value")
    await press(hand, "Strike")


async def escalate(hand: Hand, score: int, response: str) -> None:
    """Record a score with a response, past the warning."""
    await enter(hand, "NEWS2 total", str(score))
    await mark(hand, f"Response: {written.RESPONSES[response]}")
    await press(hand, "Record escalation")
    await _confirm(hand, "Confirm and record")


async def save_fluids(hand: Hand, volumes: Mapping[str, int]) -> None:
    """Type volumes into the new column and save them."""
    await follow(hand, "Intake and output")
    for kind, volume in volumes.items():
        await enter(hand, written.KINDS[kind], str(volume))
    await press(hand, "Save")
    await _confirm(hand, "Confirm and save")


async def open_entry(hand: Hand, kind: str, volume: int, time: str) -> None:
    """Open a charted volume."""
    await follow(hand, "Intake and output")
    await follow(hand, f"{kind} {volume} ml at {time}")


async def replace_volume(hand: Hand, volume: int, reason: str) -> None:
    """Strike the open entry with a reason and put another volume in its place."""
    await choose(hand, "Reason of the error", reason)
    await enter(hand, "Right volume", str(volume))
    await press(hand, "Strike and replace")


async def write(hand: Hand, section: str, job: Job) -> None:
    """Fill in a document: what is chosen, what is entered, what is written."""
    await follow(hand, section)
    for name, value in job["choices"].items():
        await mark(hand, f"{_FIELDS[name]}: {value}" if name == "receiver" else value)
    fields: dict[str, Any] = {**job["entries"], **job["texts"]}
    for name, value in fields.items():
        await enter(hand, _FIELDS[name], value)


async def sign(hand: Hand) -> None:
    """Sign the document."""
    await press(hand, "Sign")


async def save_wound(hand: Hand, job: Job) -> None:
    """Choose region and stage, type the sizes, and save."""
    wound = job["wound"]
    await follow(hand, "Wounds")
    await mark(hand, written.REGIONS[wound["region"]])
    await mark(hand, written.STAGES[wound["stage"]])
    for name, text in job["sizes"].items():
        await enter(hand, name.removesuffix("_cm").capitalize(), text)
    if wound.get("exudate"):
        await mark(hand, f"Exudate: {written.EXUDATES[wound['exudate']]}")
    await press(hand, "Save wound assessment")


async def sign_off(hand: Hand) -> None:
    """Sign the shift off, past the warning that points are open."""
    await follow(hand, "Shift sign-off")
    await press(hand, "Sign off shift")
    await _confirm(hand, "Sign off all the same")


async def strike_volume(hand: Hand, reason: str) -> None:
    """Strike the open entry and enter nothing else."""
    await choose(hand, "Reason of the error", reason)
    await press(hand, "Strike only")
