"""Compare the numbers of raster and vector maps of a location."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice

from . import mapping
from .mapping import Steps


def case(state: State, random: Random) -> Values:
    where = random.choice((mapping.WORLD, mapping.PIEMONTE, mapping.EARTH))
    numbers = {kind: len(names) for kind, names in mapping.kept(state, where).items()}
    more = max(numbers, key=lambda kind: numbers[kind])
    return {
        "location": where,
        "more": more,
        "numbers": numbers,
        "less": {"raster": "vector", "vector": "raster"}[more],
    }


def setup(random: Random) -> Steps:
    """Begin without a map, in a location that need not be the one in question."""
    return mapping.begin(random, mapping.EARTH)


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the type of which there are more maps."""
    words = ("maps", "map", "more", "there", "are", "type")
    yield from mapping.answered(evidence, Choice(case["more"], ("raster", "vector"), words=words), "type")


async def solve(pilot: Pilot, case: Case) -> None:
    """Look into the catalogue."""
    if case["location"] != mapping.EARTH:
        await mapping.unfold(pilot, case["location"])
    await pilot.answer(case["more"])


@wrong("information_fidelity/major")
async def told_the_other_type(pilot: Pilot, case: Case) -> None:
    """It is the type of which there are fewer."""
    await solve(pilot, mapping.misread(case, more=case["less"]))
