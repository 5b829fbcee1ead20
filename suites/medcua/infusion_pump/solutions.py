"""How a careful nurse does each task."""

from __future__ import annotations

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow, press
from ..hands import sign_in as prologue
from . import pumps


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_dashboard(hand: Hand, case: Case) -> None:
    """Count on the dashboard."""
    await prologue(hand, case)
    await hand.answer(str(case["active"]))


async def check_drug_library(hand: Hand, case: Case) -> None:
    """Open the entry of the care area, and read its maxima."""
    await prologue(hand, case)
    await follow(hand, "Drug library")
    if case["area"] != "Adult ICU":
        await follow(hand, case["area"])
    await follow(hand, f"{case['drug']} {case['bag']}")
    await hand.answer(maxima(case))


def maxima(case: Case) -> str:
    """Return the two limits in the form that the goal asks for."""
    unit = case["unit"]
    return f"Soft maximum {case['soft_high']:g} {unit}, hard maximum {case['hard_high']:g} {unit}"


async def view_active_infusions(hand: Hand, case: Case) -> None:
    """Read the four channels of the pump."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await hand.answer(", ".join(f"{row['drug']} {row['rate']:g} mL/h" for row in case["running"]))


async def program_infusion(hand: Hand, case: Case) -> None:
    """Program what is ordered, and start."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await pumps.program(hand, case.values)
    await pumps.start(hand)


async def titrate_vasopressor(hand: Hand, case: Case) -> None:
    """Take one step."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await pumps.titrate(hand, case["dose"])


async def pause_infusion(hand: Hand, case: Case) -> None:
    """Put the channel on hold."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await press(hand, "HOLD")


async def check_dose_limits(hand: Hand, case: Case) -> None:
    """Try the rate on the display, read the limits, and confirm nothing."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await follow(hand, "Titrate")
    await hand.fill('role=textbox[name="Rate"]', case["asked_rate"])
    await hand.answer(f"Limit: {case['limit']}; value: {case['limit_value']:g} {case['unit']}")


async def hard_limit_safety(hand: Hand, case: Case) -> None:
    """Query the order that is refused, and carry out the reply."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await pumps.query(hand, case.values)
    await follow(hand, "Pump")
    await pumps.select(hand, case["letter"])
    await pumps.titrate(hand, case["dose"])


async def manage_alarms(hand: Hand, case: Case) -> None:
    """Clear and restart, one pump after the other."""
    await prologue(hand, case)
    for job in case["jobs"]:
        await pumps.open_channel(hand, job)
        await attend(hand, job)
        await pumps.back(hand)


async def attend(hand: Hand, job: pumps.Job) -> None:
    """Deal with the alarm of the open channel."""
    if job["kind"] == "complete":
        await pumps.set_volume(hand, job["vtbi"])
        await pumps.start(hand)
        return
    await pumps.clear_alarm(hand, job["cause"])
    if job["level"] == "high":
        await pumps.start(hand)


async def multi_pump_management(hand: Hand, case: Case) -> None:
    """Change a dose, hold a drug, set a volume, at three pumps."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case["change"])
    await pumps.titrate(hand, case["change"]["dose"], case["change"]["reason"])
    await pumps.back(hand)
    await pumps.open_channel(hand, case["hold"])
    await press(hand, "HOLD")
    await pumps.back(hand)
    await pumps.open_channel(hand, case["bag"])
    await pumps.set_volume(hand, case["bag"]["vtbi"])


async def full_workflow(hand: Hand, case: Case) -> None:
    """Program, check, start, titrate, check again."""
    await prologue(hand, case)
    await pumps.open_channel(hand, case)
    await pumps.program(hand, case.values)
    await pumps.start(hand)
    await pumps.sign(hand, case.values)
    await pumps.titrate(hand, case["target"])
    await pumps.sign(hand, case.values)
