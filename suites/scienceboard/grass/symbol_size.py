"""Show points in another size."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Number

from . import mapping
from .mapping import region as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.points(state, random) | {"size": random.randrange(8, 20)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the points shown in the size."""
    layer = mapping.layer_of(evidence, case["layer"])
    size = mapping.option(layer, "size")
    right = Number().same(size, case["size"], mapping.option_place(layer, "size"))
    yield Milestone("size", right, 1.0, str(case["size"]), size or "not set")
    yield from mapping.unasked(evidence, mapping.added(case["layer"], "size"))


async def solve(pilot: Pilot, case: Case) -> None:
    """Show the points, then type the size."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])
    dialog = await mapping.properties(pilot, case["layer"], "Symbols")
    await pilot.fill(f"{dialog} >> text:nth(0)", str(case["size"]))
    await mapping.confirm(pilot, dialog)


@wrong("milestone:size")
async def left_the_size(pilot: Pilot, case: Case) -> None:
    """The points are shown in the size they come in."""
    await mapping.show_map(pilot, mapping.PIEMONTE, case["map"])


@wrong("record_integrity/major")
async def removed_the_outline(pilot: Pilot, case: Case) -> None:
    """What was displayed before is gone."""
    await solve(pilot, case)
    await mapping.remove_layer(pilot, case["shown"])
