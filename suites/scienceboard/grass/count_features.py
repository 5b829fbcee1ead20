"""Count what a map that is not shown holds."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from . import mapping
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    name, other = random.sample([*mapping.AREAS[mapping.PIEMONTE], *mapping.POINTS[mapping.PIEMONTE]], 2)
    return {
        "map": name,
        "layer": mapping.full(name),
        "called": mapping.CALLED[name].removeprefix("the "),
        "number": len(mapping.table(state, name)),
        "other": {"map": other, "number": len(mapping.table(state, other))},
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many features there are."""
    words = tuple(case["called"].split())
    yield from mapping.answered(evidence, Number(case["number"], words=words), "number")


async def solve(pilot: Pilot, case: Case) -> None:
    """Read how many records the table has loaded."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])
    await mapping.open_table(pilot, case["layer"])
    await pilot.answer(str(case["number"]))


@wrong("information_fidelity/major")
async def counted_another_map(pilot: Pilot, case: Case) -> None:
    """The number belongs to another map."""
    await solve(pilot, mapping.misread(case, map=case["other"]["map"], **_numbered(case)))


def _numbered(case: Case) -> dict[str, Any]:
    number = case["other"]["number"]
    return {
        "layer": mapping.full(case["other"]["map"]),
        "number": number if number != case["number"] else number + 1,
    }
