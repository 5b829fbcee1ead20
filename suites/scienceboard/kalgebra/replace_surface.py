"""Another surface."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps, not_entered
from .workspace import draw_surface as solve
from .workspace import drawn as check

__all__ = ["check", "not_entered", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 4), random.randint(2, 5)
    return {
        "factor": a,
        "divisor": b,
        "surface": f"z={a}*sin(x)-e^(cos(y))/{b}",
        "enter": f"(x,y)->{a}*sin(x)-e^(cos(y))/{b}",
    }


def setup(random: Random) -> Steps:
    """A hilly surface."""
    yield {"do": "plot3d", "expression": f"(x,y)->sin(x)+{random.randint(2, 4)}*cos(y)"}


@wrong("milestone:surface")
async def swapped(pilot: Pilot, case: Case) -> None:
    """Swap x and y."""
    await workspace.draw(pilot, f"(x,y)->{case['factor']}*sin(y)-e^(cos(x))/{case['divisor']}")
