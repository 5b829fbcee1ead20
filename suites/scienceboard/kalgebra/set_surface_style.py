"""A style that is not the present one, and the other."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps


def case(state: State, random: Random) -> Values:
    now = state.row("view")["style"]
    wanted, slip = random.sample([name for name in ("Dots", "Lines", "Solid") if name != now], 2)
    drawn = state.row("plot3d")["expression"]
    return {"drawn": f"z = {drawn.rpartition('->')[2]}", "style": wanted, "slip": slip}


def setup(random: Random) -> Steps:
    """A saddle in the usual style."""
    yield {"do": "plot3d", "expression": f"(x,y)->x^2/{random.randint(3, 6)}-y^2/{random.randint(3, 6)}"}


def check(evidence: Evidence, case: Case) -> Findings:
    """The surface is drawn in the style."""
    yield from workspace.setting(evidence, "style", case["style"])
    yield from workspace.untouched(evidence, settings=["style"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the style from the menu."""
    await workspace.choose(pilot, "3D Graph", case["style"])


@wrong("milestone:style")
async def other_style(pilot: Pilot, case: Case) -> None:
    """Choose the other style, or none."""
    await workspace.choose(pilot, "3D Graph", case["slip"])
