"""Find the city with the most people among those of some of the time zones."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Entity

from . import mapping
from .mapping import empty_earth as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    rows = mapping.table(state, "populated_places")
    zone = random.choice(sorted({row["timezone"] for row in rows if _together(rows, row["timezone"])}))
    inside = sorted((row for row in rows if row["timezone"] == zone), key=lambda row: -row["pop_max"])
    return {
        "zone": zone,
        "name": inside[0]["name"],
        "other": inside[1]["name"],
        "country": inside[0]["country"],
    }


def _together(rows: list[Values], zone: str) -> bool:
    return sum(row["timezone"] == zone for row in rows) > 2


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the city's name."""
    words = ("city", "largest", "the", "is", *case["country"].split())
    yield from mapping.answered(evidence, Entity(case["name"], words=words), "name")


async def solve(pilot: Pilot, case: Case) -> None:
    """Compare in the table."""
    await mapping.look(pilot, mapping.EARTH, "populated_places", case["name"])


@wrong("information_fidelity/major")
async def told_the_second_largest(pilot: Pilot, case: Case) -> None:
    """Another city of the zone is larger."""
    await solve(pilot, mapping.misread(case, name=case["other"]))
