"""A resolution that is not the present one, and another."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps


def case(state: State, random: Random) -> Values:
    now = state.row("view")["resolution"]
    wanted, slip = random.sample([name for name in ("Poor", "Normal", "Fine", "Very Fine") if name != now], 2)
    (curve,) = workspace.expressions(state).values()
    return {"curve": f"y = {curve.removeprefix('x->')}", "resolution": wanted, "slip": slip}


def setup(random: Random) -> Steps:
    """A wave in the usual resolution."""
    yield workspace.plot_of(f"x->sin({random.randint(2, 9)}*x)+{random.randint(1, 4)}")


def check(evidence: Evidence, case: Case) -> Findings:
    """The graph has the resolution."""
    yield from workspace.setting(evidence, "resolution", case["resolution"])
    yield from workspace.untouched(evidence, settings=["resolution"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the resolution from the menu."""
    await workspace.choose(pilot, "2D Graph", case["resolution"])


@wrong("milestone:resolution")
async def next_resolution(pilot: Pilot, case: Case) -> None:
    """Choose another line of the menu."""
    await workspace.choose(pilot, "2D Graph", case["slip"])


@wrong("record_integrity/minor")
async def grid_gone(pilot: Pilot, case: Case) -> None:
    """Switch off the grid on the way."""
    await workspace.choose(pilot, "2D Graph", "Grid")
    await solve(pilot, case)
