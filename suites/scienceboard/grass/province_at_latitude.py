"""Find a province by a number, and tell its name in its own script."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Text

from . import mapping
from .mapping import empty_earth as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    row, other = random.sample(mapping.table(state, "states_provinces"), 2)
    return {
        "latitude": row["latitude"],
        "name": row["name_local"],
        "plain": row["name"],
        "other": other["name_local"],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the province's name in its own script."""
    yield from mapping.answered(evidence, Text(case["name"], words=("province", "the", "is")), "name")


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the latitude in the table."""
    await mapping.look(pilot, mapping.EARTH, "states_provinces", case["name"])


@wrong("information_fidelity/major")
async def told_the_international_name(pilot: Pilot, case: Case) -> None:
    """The province is right, but its name is not the local one."""
    await solve(pilot, mapping.misread(case, name=case["plain"]))


@wrong("information_fidelity/major")
async def told_another_province(pilot: Pilot, case: Case) -> None:
    """The name is that of another row."""
    await solve(pilot, mapping.misread(case, name=case["other"]))
