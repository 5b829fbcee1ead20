"""Find a fire station by its street."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Text

from . import mapping
from .mapping import empty_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    row, other = random.sample(mapping.table(state, "firestations"), 2)
    return {"street": row["street"], "name": row["name"], "city": row["city"], "other": other["name"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the station's name."""
    yield from mapping.answered(evidence, Text(case["name"], words=("fire", "station", "the", "is")), "name")


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the street in the table."""
    await mapping.look(pilot, mapping.PIEMONTE, "firestations", case["name"])


@wrong("information_fidelity/major")
async def told_the_city(pilot: Pilot, case: Case) -> None:
    """The answer is in another column."""
    await solve(pilot, mapping.misread(case, name=case["city"]))
