"""Find which province a municipality belongs to."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Entity

from . import mapping
from .mapping import empty_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    row = random.choice(mapping.table(state, "boundary_municipality"))
    provinces = sorted(
        {one["PROVINCE"] for one in mapping.table(state, "boundary_municipality")} - {row["PROVINCE"]}
    )
    return {"municipality": row["NAME"], "province": row["PROVINCE"], "other": random.choice(provinces)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the province's name."""
    words = ("province", "the", "is", "of", "belongs", "lies", "in", "to", *case["municipality"].split())
    yield from mapping.answered(evidence, Entity(case["province"], words=words), "province")


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the municipality in the table."""
    await mapping.look(pilot, mapping.PIEMONTE, "boundary_municipality", case["province"])


@wrong("information_fidelity/major")
async def told_the_neighbours_province(pilot: Pilot, case: Case) -> None:
    """The province is another one."""
    await solve(pilot, mapping.misread(case, province=case["other"]))
