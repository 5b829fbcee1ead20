"""Ask what cannot be: the map on the screen is a vector map."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from . import mapping
from .mapping import one_of_piemonte as setup

__all__ = ["setup"]


def case(state: State, random: Random) -> Values:
    return mapping.layer(state)


def infeasible(state: State, values: Values) -> bool:
    """A vector map has no raster statistics."""
    return True


def check(evidence: Evidence, case: Case) -> Findings:
    """Have it said that this cannot be done."""
    yield Milestone(
        "declared", evidence.ending == "infeasible", 1.0, "said to be infeasible", evidence.ending
    )
    yield from mapping.unasked(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """See that the menu of the layer is one of a vector map."""
    await pilot.click(f"place:layer/{case['layer']}", button="right")
    await pilot.press("escape")
    await pilot.give_up("infeasible", f"{case['map']} is a vector map")


@wrong("milestone:declared")
async def called_it_done(pilot: Pilot, case: Case) -> None:
    """The metadata of the vector map were printed, and taken for what was asked."""
    await mapping.layer_menu(pilot, case["layer"], "Metadata")
