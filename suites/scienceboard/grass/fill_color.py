"""Fill the areas in a colour."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import areas_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state) | mapping.color_values(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the areas filled in the colour."""
    yield from mapping.options(evidence, case, fill_color=mapping.rgb(case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the second colour of the page of colours."""
    await mapping.recolor(pilot, case["layer"], 1, case["rgb"])


@wrong("milestone:fill_color")
async def filled_in_another_color(pilot: Pilot, case: Case) -> None:
    """The colour is another one."""
    await solve(pilot, mapping.misread(case, rgb=case["other"]))


@wrong("record_integrity/major")
async def colored_the_borders(pilot: Pilot, case: Case) -> None:
    """The colour is right, but it is that of the borders."""
    await mapping.recolor(pilot, case["layer"], 0, case["rgb"])
