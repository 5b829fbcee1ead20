"""A cylinder by a curve on it and the direction of its lines."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import draw_surface as solve
from .workspace import drawn as check
from .workspace import not_entered
from .workspace import solid as setup

__all__ = ["check", "not_entered", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    r2, k = random.choice((1, 4, 9)), random.choice((1, 2))
    return {
        "r2": r2,
        "twice": 2 * r2,
        "k": k,
        "surface": f"(x+{k}*z)^2+y^2={r2}",
        "enter": f"x^2+{2 * k}*x*z+{k * k}*z^2+y^2={r2}",
    }


@wrong("milestone:surface")
async def other_slant(pilot: Pilot, case: Case) -> None:
    """Slant the cylinder to the other side."""
    await workspace.draw(pilot, f"(x-{case['k']}*z)^2+y^2={case['r2']}")
