"""Tell the blood pressure of a patient's newest visit."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import BloodPressure

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import charting


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    newest, older = _pressures(state, values["pid"])[:2]
    other, *_ = _pressures(state, values["other"]["pid"])
    return values | {
        "pressure": newest,
        "older_pressure": older,
        "other": values["other"] | {"pressure": other},
    }


def _pressures(state: State, pid: int) -> list[str]:
    """Return blood pressures, the newest first."""
    rows = sorted(state.rows("form_vitals", pid=pid), key=lambda row: row["date"], reverse=True)
    return [f"{row['bps']}/{row['bpd']}" for row in rows]


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the pressure, the chart was opened, and nothing was written."""
    systolic, diastolic = map(int, case["pressure"].split("/"))
    spec = BloodPressure(systolic, diastolic, words=("patient", "last", "recent", *case["name"].split()))
    yield from answered(evidence, spec, "pressure", 1.0, looked=charting.opened(evidence, case["pid"]))
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart and read."""
    await charting.open_chart(pilot, case)
    await pilot.answer(case["pressure"])


@wrong("information_fidelity/major")
async def read_the_older_visit(pilot: Pilot, case: Case) -> None:
    """The list of visits was taken the wrong way round."""
    await solve(pilot, misread(case, pressure=case["older_pressure"]))


@wrong("information_fidelity/major")
async def read_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The date of birth was not compared."""
    await solve(pilot, confused(case))


@wrong("information_fidelity/major")
async def swapped_the_numbers(pilot: Pilot, case: Case) -> None:
    """Diastolic over systolic."""
    await solve(pilot, misread(case, pressure="/".join(reversed(case["pressure"].split("/")))))
