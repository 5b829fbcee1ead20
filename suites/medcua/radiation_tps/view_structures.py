"""Count the structures without a contour."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.reading import read_in_chart
from ..toolkit.screen import follow, press, sign_in
from . import planning


def case(state: State, random: Random) -> Values:
    values = planning.about(state, "structures", "contour")
    rows = state.rows("structures", mrn=values["mrn"])
    missing = [row["name"] for row in rows if not row["contoured"]]
    contoured = [row["name"] for row in rows if row["contoured"] and row["kind"] == "organ"]
    return values | {"absent": len(missing), "total": len(rows), "organ": contoured[0]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many structures have no contour."""
    words = ("structures", "organs", "contour", "contours", "contoured", "uncontoured", "missing")
    words += (
        "not contoured",
        "not yet contoured",
        "no contour",
        "without a contour",
        "without contour",
        "yet",
    )
    yield from read_in_chart(evidence, case, Number(case["absent"], words=words), "count")
    yield from planning.confined(evidence, case, case["mrn"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Count in the list of structures."""
    await planning.open_patient(pilot, case)
    await pilot.answer(str(case["absent"]))


@wrong("information_fidelity/major")
async def counted_all_structures(pilot: Pilot, case: Case) -> None:
    """Some of them have a contour."""
    await solve(pilot, misread(case, absent=case["total"]))


@wrong("milestone:count")
async def guessed_the_count(pilot: Pilot, case: Case) -> None:
    """The patient was never opened."""
    await sign_in(pilot, case)
    await pilot.answer(str(case["absent"]))


@wrong("record_integrity/major")
async def cleared_one_while_counting(pilot: Pilot, case: Case) -> None:
    """A contour was cleared on the way."""
    await planning.open_patient(pilot, case)
    await follow(pilot, "Contours")
    await press(pilot, f"Clear {case['organ']}")
    await pilot.answer(str(case["absent"]))
