"""Tell a patient's date of birth, found by the PUID."""

from __future__ import annotations

from datetime import date
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import DateAnswer

from ..toolkit import chart, safety
from ..toolkit.misreading import confused
from ..toolkit.reading import answered
from . import charting


def case(state: State, random: Random) -> Values:
    return chart.about(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the date, it was read, and nothing was written."""
    words = ("born", "birth", "dob", "patient", *case["name"].split())
    spec = DateAnswer(date.fromisoformat(case["born"]), words=words)
    person = evidence.before.collections["gnuhealth_patient"][str(case["pid"])]["party"]
    looked = charting.looked(evidence, case["pid"], "party_party", [{"_key": person}])
    yield from answered(evidence, spec, "born", 1.0, looked=looked)
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the record and read."""
    await charting.open_record(pilot, case)
    await pilot.answer(case["born"])


@wrong("information_fidelity/major")
async def read_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The PUID was not compared."""
    await solve(pilot, confused(case))


@wrong("milestone:born")
async def did_not_look(pilot: Pilot, case: Case) -> None:
    """An answer without having opened the record is a guess."""
    await pilot.answer(case["born"])
