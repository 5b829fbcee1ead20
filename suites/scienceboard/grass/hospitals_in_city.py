"""Count hospitals by their city."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from . import mapping
from .mapping import empty_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    cities = [row["city"] for row in mapping.table(state, "hospitals")]
    numbers = {city: cities.count(city) for city in sorted(set(cities))}
    city, other = next(
        (one, two)
        for one, two in (random.sample(list(numbers), 2) for _ in range(100))
        if numbers[one] > 1 and numbers[one] != numbers[two]
    )
    return {"city": city, "number": numbers[city], "other": numbers[other]}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the number of hospitals."""
    words = ("hospitals", "hospital", *case["city"].split())
    yield from mapping.answered(evidence, Number(case["number"], words=words), "number")


async def solve(pilot: Pilot, case: Case) -> None:
    """Count in the table."""
    await mapping.look(pilot, mapping.PIEMONTE, "hospitals", str(case["number"]))


@wrong("information_fidelity/major")
async def counted_another_city(pilot: Pilot, case: Case) -> None:
    """The number is that of another city."""
    await solve(pilot, mapping.misread(case, number=case["other"]))
