"""What a nurse does at the pumps, in parts that solutions are put together from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand

from ..hands import enter, follow, mark, press
from . import dosing

CAUSES = {
    "air_removed": "Air removed from line",
    "set_replaced": "Set replaced and primed",
    "clamp_opened": "Clamp opened",
    "kink_straightened": "Kink straightened",
    "catheter_flushed": "Catheter flushed",
    "mains_plugged": "Mains plugged in",
    "battery_exchanged": "Battery exchanged",
}
REASONS = {"confirmed": "Confirmed with prescriber", "tolerance": "Patient tolerance"}
PROBLEMS = {"above_hard_maximum": "Dose above hard maximum", "above_soft_maximum": "Dose above soft maximum"}
AREAS = {"adult_icu": "Adult ICU", "adult_ward": "Adult ward", "picu": "Paediatric ICU"}

Job = Mapping[str, Any]


async def open_channel(hand: Hand, job: Job) -> None:
    """Open a channel from the dashboard."""
    await follow(hand, f"Bed {job['bed']} channel {job['letter']}")


async def back(hand: Hand) -> None:
    """Return to the dashboard."""
    await follow(hand, "Dashboard")


async def select(hand: Hand, letter: str) -> None:
    """Select another channel of the same pump."""
    await follow(hand, f"Select channel {letter}")


async def program(hand: Hand, job: Job) -> None:
    """Program a drug of the library on the open channel, and confirm."""
    await follow(hand, "Program drug")
    if job.get("area", "adult_icu") != "adult_icu":
        await follow(hand, "Change profile")
        await follow(hand, AREAS[job["area"]])
    if not dosing.letters(job["drug"]).startswith("A"):
        await follow(hand, dosing.letters(job["drug"]))
    await follow(hand, f"{job['drug']} {job['bag']}")
    await enter(hand, "Dose", f"{job['dose']:g}")
    await enter(hand, "VTBI", f"{job['vtbi']:g}")
    await press(hand, "Confirm")
    await _override(hand, "confirmed")


async def _override(hand: Hand, reason: str) -> None:
    if await hand.sees('role=button[name="Override"]'):
        await mark(hand, REASONS[reason])
        await press(hand, "Override")


async def program_basic(hand: Hand, rate: str, vtbi: float) -> None:
    """Program a rate without the library."""
    await follow(hand, "Basic infusion")
    await enter(hand, "Rate", rate)
    await enter(hand, "VTBI", f"{vtbi:g}")
    await press(hand, "Confirm")


async def titrate(hand: Hand, dose: float, reason: str = "") -> None:
    """Change the dose of the open channel, with a reason beyond a soft limit."""
    await follow(hand, "Titrate")
    await enter(hand, "Dose", f"{dose:g}")
    await press(hand, "Confirm")
    if reason:
        await _override(hand, reason)


async def sign(hand: Hand, job: Job) -> None:
    """Let the second nurse check and sign."""
    await enter(hand, "Second nurse", job["second_id"])
    await hand.fill("#second_password", job["second_password"])
    await press(hand, "Sign")


async def start(hand: Hand) -> None:
    """Start the open channel."""
    await press(hand, "START")


async def set_volume(hand: Hand, volume: float) -> None:
    """Set the volume to be infused."""
    await follow(hand, "Change VTBI")
    await enter(hand, "VTBI", f"{volume:g}")
    await press(hand, "Confirm")


async def clear_alarm(hand: Hand, cause: str) -> None:
    """Say what was done about an alarm, and clear it."""
    await mark(hand, CAUSES[cause])
    await press(hand, "Clear alarm")


async def query(hand: Hand, job: Job) -> None:
    """Ask the prescriber about an order."""
    await follow(hand, "Orders")
    await follow(hand, f"Query {job['order']}")
    await mark(hand, PROBLEMS[job["problem"]])
    await enter(hand, "Limit in the library", f"{job['limit']:g}")
    await press(hand, "Send query")
