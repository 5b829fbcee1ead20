"""A plane parallel to another, by where it meets the z axis."""

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
    a, b, d, c = (random.randint(2, 5), random.randint(2, 5), random.randint(3, 9), random.randint(1, 5))
    return {
        "a": a,
        "b": b,
        "d": d,
        "intercept": -c,
        "surface": f"{a}*x+{b}*y-z={c}",
        "enter": f"(x,y)->{a}*x+{b}*y-{c}",
    }


@wrong("milestone:surface")
async def intercept_mirrored(pilot: Pilot, case: Case) -> None:
    """Get the sign of the intercept wrong."""
    await workspace.draw(pilot, f"(x,y)->{case['a']}*x+{case['b']}*y+{-case['intercept']}")
