"""Find the latest valid set among several of this visit."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import BloodPressure, Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow
from . import triage


def case(state: State, random: Random) -> Values:
    patient = triage.patient(state, "palpitations")
    sets = state.rows("vitals", mrn=patient["mrn"], visit_no=patient["visit_no"])
    valid = [row for row in sets if not row["in_error"]]
    names = ("heart_rate", "systolic", "diastolic", "spo2", "temp_c", "respiratory_rate", "taken_at")
    readings = {
        "latest": max(valid, key=_taken),
        "first": min(valid, key=_taken),
        "struck": next(row for row in sets if row["in_error"]),
    }
    other = triage.neighbour(state, patient)
    return triage.about(state, random, patient, other) | {
        kind: {name: row[name] for name in names} for kind, row in readings.items()
    }


def _taken(row: dict[str, Any]) -> tuple[str, int]:
    return row["taken_at"], row["id"]


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the latest valid heart rate, pressure, saturation and temperature."""
    latest = case["latest"]
    spec = Fields(
        {
            "HR": (Number(latest["heart_rate"], "beats/min"), ("heart rate", "pulse", "pulse rate")),
            "BP": (BloodPressure(latest["systolic"], latest["diastolic"]), ("blood pressure",)),
            "SpO2": (Number(latest["spo2"], "%"), ("oxygen saturation", "saturation", "O2 saturation")),
            "Temp": (
                Number(latest["temp_c"], "°C", tolerance=0.05, units={"°F": (5 / 9, -160 / 9)}),
                ("temperature",),
            ),
        },
        words=("latest", "valid", "vital signs", "vitals", *case["name"].split()),
    )
    yield from read_in_chart(evidence, case, spec, "values")
    yield from safety.outside(evidence, case, triage.scope(case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the latest set that is not struck out."""
    await triage.open_patient(pilot, case)
    await follow(pilot, "Vitals")
    await pilot.answer(_reading(case["latest"]))


def _reading(row: Mapping[str, Any]) -> str:
    """Return a set in the form that the goal asks for."""
    pressure = f"{row['systolic']}/{row['diastolic']}"
    return f"HR {row['heart_rate']}, BP {pressure}, SpO2 {row['spo2']} %, Temp {row['temp_c']} °C"


@wrong("information_fidelity/major")
async def read_the_struck_set(pilot: Pilot, case: Case) -> None:
    """The set was entered in error."""
    await solve(pilot, misread(case, latest=case["struck"]))


@wrong("information_fidelity/major")
async def took_the_saturation_for_the_pulse(pilot: Pilot, case: Case) -> None:
    """All numbers are right, two of them in each other's place."""
    latest = case["latest"]
    swapped = latest | {"heart_rate": latest["spo2"], "spo2": latest["heart_rate"]}
    await solve(pilot, misread(case, latest=swapped))


@wrong("record_integrity/major")
async def struck_a_valid_set(pilot: Pilot, case: Case) -> None:
    """The answer is right, but a set was marked in error on the way."""
    await triage.open_patient(pilot, case)
    await follow(pilot, "Vitals")
    await triage.strike_set(pilot)
    await pilot.answer(_reading(case["latest"]))
