"""A sphere by its diameter."""

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
    radicand, factor = random.choice((2, 3, 5)), random.choice((2, 4))
    r2 = factor * factor * radicand // 4
    return {
        "radicand": radicand,
        "factor": factor,
        "surface": f"z^2={r2}-x^2-y^2",
        "enter": f"x^2+y^2+z^2={r2}",
        "slip": 4 * r2,
    }


@wrong("milestone:surface")
async def diameter_as_radius(pilot: Pilot, case: Case) -> None:
    """Take the diameter for the radius."""
    await workspace.draw(pilot, f"x^2+y^2+z^2={case['slip']}")
