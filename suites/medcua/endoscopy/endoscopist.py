"""What an endoscopist does at the workstation, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, enter, follow, mark, press, tick
from . import procedures

_TICKS = {"consent": "Consent signed", "allergies_confirmed": "Allergies confirmed with the patient"}


async def open_case(hand: Hand, case: Job) -> None:
    """Open a case from the schedule."""
    await follow(hand, case["link"])


async def back_to_schedule(hand: Hand) -> None:
    """Leave the case."""
    await hand.click("a.back")


async def _of(hand: Hand, group: str, option: str) -> None:
    await hand.click(f'role=radiogroup[name="{group}"] >> role=radio[name="{option}"]')


async def _go_on(hand: Hand, button: str) -> None:
    if await hand.sees(f'role=button[name="{button}"]'):
        await press(hand, button)


async def assess(hand: Hand, entry: Mapping[str, Any]) -> None:
    """Fill in the assessment and save it, past the warnings."""
    await mark(hand, procedures.ASA[entry["asa"]])
    if "last_fluids" in entry:
        await hand.fill("#field-last_fluids", entry["last_fluids"])
        await mark(hand, procedures.ANTITHROMBOTICS[entry["antithrombotic"]])
    for name, label in _TICKS.items():
        if entry.get(name):
            await tick(hand, label)
    await press(hand, "Save pre-assessment")
    await _go_on(hand, "Save anyway")


async def start(hand: Hand, case: Job) -> None:
    """Do the time-out with the nurse and start."""
    await tick(hand, "Patient, procedure, consent and allergies said aloud")
    await enter(hand, "Nurse user ID", case["second_id"])
    await hand.fill("#field-second_password", case["second_password"])
    await press(hand, "Start procedure")


async def start_alone(hand: Hand) -> None:
    """Start past the warnings."""
    await press(hand, "Start procedure")
    await _go_on(hand, "Start anyway")


async def add_lesion(hand: Hand, lesion: Mapping[str, Any], jar_shown: int | None = 1) -> None:
    """Record a lesion; the jar is typed where another one is shown."""
    await _of(hand, "Segment", procedures.SEGMENTS[lesion["segment"]])
    await _of(hand, "Paris class", lesion["paris"])
    await _of(hand, "Removal", procedures.METHODS[lesion["method"]])
    await hand.fill("#field-size_mm", str(lesion["size_mm"]))
    if lesion["jar"] != jar_shown:
        await hand.fill("#field-jar", str(lesion["jar"] or ""))
    await press(hand, "Add lesion")


async def correct_lesion(hand: Hand, number: int, field: str, value: Any) -> None:
    """Change one value of a lesion."""
    await follow(hand, "Procedure")
    await follow(hand, f"Edit lesion {number}")
    if field == "segment":
        await _of(hand, "Segment", procedures.SEGMENTS[value])
    else:
        await hand.fill(f"#field-{field}", str(value))
    await press(hand, "Save lesion")


async def fill_course(hand: Hand, course: Mapping[str, Any]) -> None:
    """Fill in scores, extent and time."""
    for name, label in procedures.SCORED.items():
        if name in course:
            await _of(hand, label, str(course[name]))
    if "caecum" in course:
        await _of(hand, "Caecum", procedures.CAECUM[course["caecum"]])
    if "withdrawal_min" in course:
        await hand.fill("#field-withdrawal_min", str(course["withdrawal_min"]))


async def end(hand: Hand) -> None:
    """End the procedure, past the warnings."""
    await press(hand, "End procedure")
    await _go_on(hand, "End anyway")


async def label(hand: Hand, picture: int, name: str) -> None:
    """Say what a picture shows."""
    await follow(hand, f"Picture {picture}")
    await press(hand, procedures.LANDMARKS[name])


async def sign(hand: Hand, case: Job, password: str) -> None:
    """Choose what follows, and sign."""
    await mark(hand, procedures.RECOMMENDATIONS[case["recommendation"]])
    await hand.fill("#field-signature", password)
    await press(hand, "Sign report")
