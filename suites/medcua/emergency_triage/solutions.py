"""How a careful nurse does each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import nurse


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def view_queue(hand: Hand, case: Case) -> None:
    """Filter the board and count."""
    await prologue(hand, case)
    await hand.click('role=link[name="Waiting"]')
    await hand.answer(str(case["waiting"]))


async def open_patient(hand: Hand, case: Case) -> None:
    """Open the chart and leave it open."""
    await prologue(hand, case)
    await nurse.open_chart(hand, case)


async def read_vitals(hand: Hand, case: Case) -> None:
    """Read the latest set that is not struck out."""
    await open_patient(hand, case)
    await follow(hand, "Vitals")
    await hand.answer(reading(case["latest"]))


def reading(row: Mapping[str, Any]) -> str:
    """Return a set in the form that the goal asks for."""
    pressure = f"{row['systolic']}/{row['diastolic']}"
    return f"HR {row['heart_rate']}, BP {pressure}, SpO2 {row['spo2']} %, Temp {row['temp_c']} °C"


async def record_vitals(hand: Hand, case: Case) -> None:
    """Chart the set that was called out."""
    await open_patient(hand, case)
    await nurse.save_vitals(hand, case["entry"])


async def assign_esi(hand: Hand, case: Case) -> None:
    """Save the level with its reason."""
    await open_patient(hand, case)
    await follow(hand, "Triage")
    await nurse.save_esi(hand, case)


async def assign_disposition(hand: Hand, case: Case) -> None:
    """Save the place that the physician's plan names."""
    await open_patient(hand, case)
    await nurse.save_place(hand, case["place"])


async def print_wristband(hand: Hand, case: Case) -> None:
    """Print one band."""
    await open_patient(hand, case)
    await nurse.print_band(hand, case["printer"])


async def full_triage_workflow(hand: Hand, case: Case) -> None:
    """Triage, choose the place, print the band."""
    await critical_patient_triage(hand, case)
    await nurse.print_band(hand, case["printer"])


async def critical_patient_triage(hand: Hand, case: Case) -> None:
    """Triage and choose the place."""
    await open_patient(hand, case)
    await nurse.triage(hand, case)
    await nurse.save_place(hand, case["place"])


async def pediatric_triage(hand: Hand, case: Case) -> None:
    """Triage with the weight and the allergy of the narrative, and choose the place."""
    await critical_patient_triage(hand, case)


async def multi_patient_triage(hand: Hand, case: Case) -> None:
    """Triage one after the other, as urgent as they are."""
    await prologue(hand, case)
    for job in case["jobs"]:
        await nurse.open_chart(hand, job)
        await nurse.triage(hand, job)
        await nurse.back_to_board(hand)
