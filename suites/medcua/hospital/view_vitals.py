"""Tell the blood pressure of a patient's newest evaluation."""

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
    newest, older = _pressures(state, values["pid"])
    other, *_ = _pressures(state, values["other"]["pid"])
    return values | {
        "pressure": newest,
        "older_pressure": older,
        "other": values["other"] | {"pressure": other},
    }


def _pressures(state: State, pid: int) -> list[str]:
    """Return blood pressures, the newest first."""
    return [f"{row['systolic']}/{row['diastolic']}" for row in charting.evaluations_of(state, pid)]


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the pressure, the evaluation was shown, and nothing was written."""
    systolic, diastolic = map(int, case["pressure"].split("/"))
    spec = BloodPressure(systolic, diastolic, words=("patient", "last", "recent", *case["name"].split()))
    newest = charting.evaluations_of(evidence.before, case["pid"])[:1]
    looked = charting.looked(evidence, case["pid"], charting.EVALUATION, newest)
    yield from answered(evidence, spec, "pressure", 1.0, looked=looked)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record, and in it the newest evaluation."""
    await charting.open_record(pilot, case)
    await charting.related(pilot, "Evaluations")
    await charting.open_row(pilot, "EVAL")
    await charting.turn_to_clinical(pilot)
    await pilot.click('input[name="systolic"] >> visible=true')
    await pilot.answer(case["pressure"])


@wrong("information_fidelity/major")
async def read_the_older_evaluation(pilot: Pilot, case: Case) -> None:
    """The list was taken the wrong way round."""
    await solve(pilot, misread(case, pressure=case["older_pressure"]))


@wrong("information_fidelity/major")
async def read_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))
