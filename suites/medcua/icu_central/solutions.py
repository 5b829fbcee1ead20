"""How a careful nurse does each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import station
from .station import PARAMETERS


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_overview(hand: Hand, case: Case) -> None:
    """Look for red sectors."""
    await prologue(hand, case)
    await hand.answer(", ".join(f"Bed {bed}" for bed in case["beds"]))


async def read_vitals(hand: Hand, case: Case) -> None:
    """Open the bed to be sure of the name, and read."""
    await prologue(hand, case)
    await station.open_bed(hand, case["bed"])
    await hand.answer(reading(case["now"]))


def reading(row: Mapping[str, Any]) -> str:
    """Return numerics in the form that the goal asks for."""
    pressure = f"{row['abp_systolic']}/{row['abp_diastolic']}"
    return f"HR {row['heart_rate']}, SpO2 {row['spo2']} %, ABP {pressure}, RR {row['respiratory_rate']}"


async def view_alarm_list(hand: Hand, case: Case) -> None:
    """Filter the list and count."""
    await prologue(hand, case)
    await follow(hand, "Alarm list")
    await follow(hand, "Unacknowledged")
    await hand.answer(str(case["count"]))


async def acknowledge_alarm(hand: Hand, case: Case) -> None:
    """Open the alarm, note what was told, acknowledge."""
    await prologue(hand, case)
    await station.open_alarm(hand, case["alarm"])
    await station.acknowledge(hand, case["note"])


async def set_thresholds(hand: Hand, case: Case) -> None:
    """Read the order, then set the limits."""
    await prologue(hand, case)
    await station.open_bed(hand, case["bed"])
    await follow(hand, "Patient")
    await follow(hand, "Limits")
    await station.set_limits(hand, case["wanted"])


async def silence_alarm_safely(hand: Hand, case: Case) -> None:
    """Pause the sound of the one alarm."""
    await prologue(hand, case)
    await station.open_alarm(hand, case["alarm"])
    await station.pause_sound(hand, case["duration"], case["reason_words"])


async def view_trend(hand: Hand, case: Case) -> None:
    """Choose parameter and window, and read the statistics."""
    await prologue(hand, case)
    await station.open_bed(hand, case["bed"])
    await follow(hand, "Trends")
    await follow(hand, PARAMETERS[case["parameter"]][0])
    await follow(hand, f"{case['hours']} h")
    await hand.answer(f"{case['value']} {case['unit']}")


async def critical_alarm_response(hand: Hand, case: Case) -> None:
    """Look at the bed, acknowledge, page, report."""
    await prologue(hand, case)
    await respond(hand, case)
    await hand.answer(f"{case['now']} {case['unit']}")


async def respond(hand: Hand, case: Case) -> None:
    """Do all but report."""
    await station.open_bed(hand, case["bed"])
    await follow(hand, case["alarm_label"])
    await station.acknowledge(hand, case["note"])
    await follow(hand, f"Go to bed {case['bed']}")
    await station.send_page(hand, case["recipient"], case["message"])


async def trend_deterioration_report(hand: Hand, case: Case) -> None:
    """Compare all beds, page the physician, report."""
    await prologue(hand, case)
    await follow(hand, "Unit trends")
    await follow(hand, "SpO2")
    await follow(hand, "12 h")
    await station.open_bed(hand, case["bed"])
    await station.send_page(hand, "icu_physician", "SpO2 has been falling for 12 hours")
    await hand.answer(report(case))


def report(case: Case) -> str:
    """Return the findings in the form that the goal asks for."""
    return f"Bed {case['bed']}, SpO2 before {case['before']} %, SpO2 now {case['now']} %"


async def multi_bed_monitoring(hand: Hand, case: Case) -> None:
    """Acknowledge in the list, from the top."""
    await prologue(hand, case)
    await follow(hand, "Alarm list")
    await follow(hand, "Unacknowledged")
    for alarm in case["alarms"]:
        await station.acknowledge_in_list(hand, alarm)


async def admit_new_patient(hand: Hand, case: Case) -> None:
    """Admit with identity checked, then set the limits ordered."""
    await prologue(hand, case)
    await station.open_bed(hand, case["bed"])
    await station.admit(hand, case.values)
    await station.set_limits(hand, case["wanted"])
