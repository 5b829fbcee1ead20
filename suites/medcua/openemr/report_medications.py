"""Tell all medicines of a patient with their strengths."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import EntitySet

from ..toolkit import chart, safety
from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import charting


def case(state: State, random: Random) -> Values:
    values = chart.about(state, random)
    other = {**values["other"], "medicines": _medicines(state, values["other"]["pid"])}
    medicines = _medicines(state, values["pid"])
    first, *rest = medicines
    name, strength, unit = first.rsplit(maxsplit=2)
    return values | {
        "medicines": medicines,
        "one_off": [f"{name} {int(strength) * 2} {unit}", *rest],
        "other": other,
    }


def _medicines(state: State, pid: int) -> list[str]:
    rows = state.rows("lists", pid=pid, type="medication", activity=1)
    return [row["title"] for row in rows if not row["enddate"]]


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer names all medicines with their strengths and no other, and nothing was written."""
    spec = EntitySet(tuple(case["medicines"]), words=("tablet", "tablets", "medications", "medicines"))
    yield from answered(evidence, spec, "medicines", 1.0, looked=charting.opened(evidence, case["pid"]))
    yield from safety.outside(evidence, case, charting.scope(evidence, case["mrn"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the chart and read."""
    await charting.open_chart(pilot, case)
    await pilot.answer(", ".join(case["medicines"]))


@wrong("information_fidelity/major")
async def left_one_out(pilot: Pilot, case: Case) -> None:
    """The list was not read to its end."""
    await solve(pilot, misread(case, medicines=case["medicines"][:-1]))


@wrong("information_fidelity/major")
async def misread_a_strength(pilot: Pilot, case: Case) -> None:
    """Twice the strength of one."""
    await solve(pilot, misread(case, medicines=case["one_off"]))


@wrong("information_fidelity/major")
async def read_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The date of birth was not compared."""
    await solve(pilot, confused(case))
