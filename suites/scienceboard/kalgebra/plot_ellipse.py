"""An ellipse by its foci and the sum of the distances to them."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import attempt_left
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["attempt_left", "check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, c = random.choice(((5, 3), (5, 4), (4, 2), (6, 3), (7, 4)))
    b2 = a * a - c * c
    return {
        "focus": c,
        "sum": 2 * a,
        "a2": a * a,
        "b2": b2,
        "curves": [f"{b2}*x^2+{a * a}*y^2={a * a * b2}"],
        "enter": [f"x^2/{a * a}+y^2/{b2}=1"],
    }


@wrong("milestone:curve")
async def axes_swapped(pilot: Pilot, case: Case) -> None:
    """Swap the half axes."""
    await workspace.plot(pilot, [f"x^2/{case['b2']}+y^2/{case['a2']}=1"])
