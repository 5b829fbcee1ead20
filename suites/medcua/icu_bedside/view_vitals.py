"""Read the monitor of a patient who has a namesake; older values stand in the chart."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import BloodPressure, Fields, Number

from ..toolkit import safety
from ..toolkit.misreading import misread
from ..toolkit.people import patient_of
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import open_record, sign_in
from . import bedside


def case(state: State, random: Random) -> Values:
    patient, namesake = patient_of(state, "ards"), patient_of(state, "postop")
    rows = [row for row in state.rows("observations", mrn=patient["mrn"]) if not row["in_error"]]
    charted = max(rows, key=lambda row: row["at"])
    now = bedside.numerics(state, patient)
    return bedside.about(state, random, patient, namesake) | {
        "now": now,
        "not_now": bedside.numerics(state, namesake),
        "charted": now | {name: charted[name] for name in ("heart_rate", "spo2", "temp_c")},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell what the monitor of the right patient shows."""
    now = case["now"]
    temperature = Number(now["temp_c"], "°C", tolerance=0.05, units={"°F": (5 / 9, -160 / 9)})
    spec = Fields(
        {
            "HR": (Number(now["heart_rate"], "beats/min"), ("heart rate", "pulse")),
            "ABP": (
                BloodPressure(now["abp_systolic"], now["abp_diastolic"]),
                ("BP", "blood pressure", "arterial pressure"),
            ),
            "SpO2": (Number(now["spo2"], "%"), ("oxygen saturation", "saturation")),
            "Temp": (temperature, ("temperature",)),
        },
        words=("vital signs", "vitals", "monitor", *case["name"].split()),
    )
    yield from read_in_chart(evidence, case, spec, "values")
    yield from safety.outside(evidence, case, bedside.scope(case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the monitor, not the chart."""
    await bedside.open(pilot, case)
    await pilot.answer(_reading(case["now"]))


def _reading(row: Mapping[str, Any]) -> str:
    """Return numerics in the form that the goal asks for."""
    pressure = f"{row['abp_systolic']}/{row['abp_diastolic']}"
    return f"HR {row['heart_rate']}, ABP {pressure}, SpO2 {row['spo2']} %, Temp {row['temp_c']} °C"


@wrong("information_fidelity/major")
async def read_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, misread(case, now=case["not_now"], link=case["other"]["link"]))


@wrong("information_fidelity/major")
async def read_the_last_charted_row(pilot: Pilot, case: Case) -> None:
    """The chart is older than the monitor."""
    await solve(pilot, misread(case, now=case["charted"]))


@wrong("record_integrity/major")
async def charted_them_too(pilot: Pilot, case: Case) -> None:
    """The values were only to be told."""
    await sign_in(pilot, case)
    await open_record(pilot, case.values)
    await bedside.chart_monitor(pilot)
    await pilot.answer(_reading(case["now"]))
