"""How a careful nurse does each task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case

from ..hands import follow
from ..hands import sign_in as prologue
from . import bedside
from .bedside import PARAMETERS


async def login(hand: Hand, case: Case) -> None:
    """Sign in."""
    await prologue(hand, case)


async def _open(hand: Hand, case: Case) -> None:
    await prologue(hand, case)
    await bedside.open_patient(hand, case.values)


async def view_vitals(hand: Hand, case: Case) -> None:
    """Read the monitor, not the chart."""
    await _open(hand, case)
    await hand.answer(reading(case["now"]))


def reading(row: Mapping[str, Any]) -> str:
    """Return numerics in the form that the goal asks for."""
    pressure = f"{row['abp_systolic']}/{row['abp_diastolic']}"
    return f"HR {row['heart_rate']}, ABP {pressure}, SpO2 {row['spo2']} %, Temp {row['temp_c']} °C"


async def view_fluid_balance(hand: Hand, case: Case) -> None:
    """Choose the period and read the totals."""
    await _open(hand, case)
    await follow(hand, "Fluids")
    await follow(hand, case["period_words"])
    await hand.answer(balance(case["sums"]))


def balance(sums: Mapping[str, int]) -> str:
    """Return totals in the form that the goal asks for."""
    return f"Intake {sums['intake']} mL, Output {sums['output']} mL, Balance {sums['balance']} mL"


async def check_infusions(hand: Hand, case: Case) -> None:
    """List what runs."""
    await _open(hand, case)
    await follow(hand, "Infusions")
    await hand.answer(rates(case["rates"]))


def rates(found: Mapping[str, float]) -> str:
    """Return rates in the form that the goal asks for."""
    return ", ".join(f"{label} {rate} mL/h" for label, rate in found.items())


async def adjust_infusion_rate(hand: Hand, case: Case) -> None:
    """Change the dose, identity first."""
    await _open(hand, case)
    await bedside.set_dose(hand, case["drug"], case["dose"], case["reason"])


async def review_ventilator(hand: Hand, case: Case) -> None:
    """Read the settings and divide."""
    await _open(hand, case)
    await follow(hand, "Ventilator")
    await hand.answer(settings(case))


def settings(case: Case) -> str:
    """Return ventilator settings in the form that the goal asks for."""
    pressures = f"FiO2 {case['fio2']} %, PEEP {case['peep']} cmH2O"
    return f"{pressures}, VT {case['volume']} mL, per kg {case['per_kg']} mL"


async def acknowledge_alarm(hand: Hand, case: Case) -> None:
    """Acknowledge with the response."""
    await _open(hand, case)
    await bedside.acknowledge(hand, case["label"], case["response"])


async def add_nursing_note(hand: Hand, case: Case) -> None:
    """Write and sign."""
    await _open(hand, case)
    await bedside.write_note(hand, case["category"], case["text"])


async def record_intake_output(hand: Hand, case: Case) -> None:
    """Chart one volume after the other."""
    await _open(hand, case)
    await follow(hand, "Fluids")
    for kind, ml in case["told"].items():
        await bedside.chart_fluid(hand, kind, ml)


async def handle_critical_event(hand: Hand, case: Case) -> None:
    """Acknowledge, titrate, note."""
    await _open(hand, case)
    await bedside.acknowledge(hand, case["label"], case["response"])
    await follow(hand, "Orders")
    await bedside.set_dose(hand, case["drug"], case["dose"], case["reason"])
    await bedside.write_note(hand, "event", event_note(case))


def event_note(case: Case) -> str:
    """Return the note in the form that the goal asks for."""
    return f"MAP {case['map']} mmHg, norepinephrine {case['dose']:g} mcg/kg/min"


async def view_trends(hand: Hand, case: Case) -> None:
    """Choose parameter and window, read and count."""
    await _open(hand, case)
    await follow(hand, "Trends")
    await follow(hand, PARAMETERS[case["parameter"]][0])
    await follow(hand, "24 h")
    await hand.answer(trend(case))


def trend(case: Case) -> str:
    """Return the findings in the form that the goal asks for."""
    found = case["found"]
    return (
        f"{case['kind_title']} {found['value']} {case['unit']}, Time {found['time']}, Hours {found['count']}"
    )


async def full_shift_workflow(hand: Hand, case: Case) -> None:
    """Alarm, volume, then the handover."""
    await _open(hand, case)
    await bedside.acknowledge(hand, case["label"], case["response"])
    await chart_urine(hand, case)
    await follow(hand, "Infusions")
    await follow(hand, "Ventilator")
    await bedside.write_note(hand, "handover", handover(case))


async def chart_urine(hand: Hand, case: Case) -> None:
    """Chart the last volume of the shift."""
    await follow(hand, "Fluids")
    await bedside.chart_fluid(hand, "urine", case["urine"])


def handover(case: Case) -> str:
    """Return the handover in the form that the goal asks for."""
    return f"Balance {case['balance']} mL, norepinephrine {case['dose']:g} mcg/kg/min, FiO2 {case['fio2']} %"
