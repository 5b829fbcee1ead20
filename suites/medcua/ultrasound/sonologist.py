"""What a sonologist does at the machine, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_cuabench.adapters.oracle import Hand

from ..hands import Job, choose, enter, follow, mark, press, tick
from . import exams

_KNOBS = {"depth_cm": "Depth", "gain": "Gain", "frequency_mhz": "Frequency", "focus_cm": "Focus"}


async def open_exam(hand: Hand, case: Job) -> None:
    """Open an exam from the worklist."""
    await follow(hand, case["link"])


async def back_to_worklist(hand: Hand) -> None:
    """Leave the exam."""
    await hand.click("a.back")


async def turn_knobs(hand: Hand, values: Mapping[str, float]) -> None:
    """Set the values told, all at once."""
    for name, value in values.items():
        await enter(hand, _KNOBS[name], f"{value:g}")
    await press(hand, "Apply")


async def switch_mode(hand: Hand, mode: str) -> None:
    """Let the picture run and switch, past the output warning."""
    await press(hand, "Unfreeze")
    await press(hand, exams.MODES[mode])
    if await hand.sees('role=button[name="Switch anyway"]'):
        await press(hand, "Switch anyway")


async def capture(hand: Hand, side: str, plane: str) -> None:
    """Set the body mark where it is not set yet, and store."""
    for label in (exams.SIDES[side], exams.PLANES[plane]):
        if not await hand.sees(f'role=button[name="{label}"][pressed=true]'):
            await press(hand, label)
    await press(hand, "Capture")


async def fill_report(hand: Hand, protocol: str, values: Mapping[str, str]) -> None:
    """Fill in fields of the report."""
    for key, value in values.items():
        field = exams.field_of(protocol, key)
        if "options" in field:
            option = f'role=radio[name="{field["options"][value]}"]'
            await hand.click(f'role=radiogroup[name="{field["label"]}"] >> {option}')
        else:
            await hand.fill(f"#field-{key}", value)


async def sign(hand: Hand) -> None:
    """Sign the report, past the warnings."""
    await press(hand, "Sign report")
    if await hand.sees('role=button[name="Sign anyway"]'):
        await press(hand, "Sign anyway")


async def classify(hand: Hand, number: int, right: Mapping[str, str]) -> None:
    """Classify one nodule."""
    await follow(hand, f"Nodule {number}")
    for name, options in exams.FEATURES.items():
        choice = tick if name == "foci" else mark
        await choice(hand, options[right[name]])
    await mark(hand, f"TR{right['level']}")
    await mark(hand, exams.ADVICE[right["advice"]])
    await press(hand, "Save classification")


async def document_call(hand: Hand, case: Job) -> None:
    """Document who was told."""
    await follow(hand, "Critical results")
    await mark(hand, exams.CATEGORIES[case["category"]])
    await choose(hand, "Person told", case["person_words"])
    await mark(hand, exams.METHODS[case["method"]])
    await hand.fill("#field-told_at", case["time"])
    await tick(hand, "Read back by the receiver")
    await press(hand, "Save communication")


async def start_exam(hand: Hand) -> None:
    """Compare the identity and start."""
    await tick(hand, "Name and date of birth compared with the patient")
    await press(hand, "Start exam")


async def measure(hand: Hand, label: str, value_mm: float) -> None:
    """Keep a distance."""
    await mark(hand, label)
    await hand.fill("#field-distance", f"{value_mm:g}")
    await press(hand, "Save measurement")
