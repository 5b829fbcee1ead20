"""Count countries by their economy."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from . import mapping
from .mapping import empty_earth as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    economies = [row["economy"] for row in mapping.table(state, "countries") if row["economy"]]
    wanted, other = random.sample(sorted(set(economies)), 2)
    return {
        "map": "countries",
        "economy": wanted,
        "number": economies.count(wanted),
        "other": economies.count(other),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the number of countries."""
    words = ("countries", "country", "regions", "least", "developed", "developing", "emerging", "region")
    yield from mapping.answered(evidence, Number(case["number"], words=words), "number")


async def solve(pilot: Pilot, case: Case) -> None:
    """Count in the table."""
    await mapping.look(pilot, mapping.EARTH, "countries", str(case["number"]))


@wrong("information_fidelity/major")
async def counted_another_economy(pilot: Pilot, case: Case) -> None:
    """The number is that of other countries."""
    number = case["other"] if case["other"] != case["number"] else case["number"] + 1
    await solve(pilot, mapping.misread(case, number=number))
