"""Show the roads in a colour."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import mapping
from .mapping import region as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return {
        "shown": mapping.full(mapping.shown(state)[0]),
        "map": "roadsmajor",
        "layer": mapping.full("roadsmajor"),
    } | mapping.color_values(random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the roads drawn in the colour."""
    yield from mapping.options(evidence, case, color=mapping.rgb(case))


async def solve(pilot: Pilot, case: Case) -> None:
    """Show the roads, then choose their colour."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])
    await mapping.recolor(pilot, case["layer"], 0, case["rgb"])


@wrong("milestone:color")
async def left_the_roads_dark(pilot: Pilot, case: Case) -> None:
    """The roads are shown as they come."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])


@wrong("record_integrity/major")
async def colored_the_region(pilot: Pilot, case: Case) -> None:
    """The colour was given to the layer below."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])
    await mapping.recolor(pilot, case["shown"], 0, case["rgb"])
