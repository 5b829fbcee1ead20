"""A power of the logarithm."""

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
    n, c = random.choice((2, 3)), random.randint(1, 5)
    return {"power": n, "shift": c, "curves": [f"x->ln(x)^{n}+{c}"], "enter": [f"y=ln(x)^{n}+{c}"]}


@wrong("milestone:curve")
async def power_within(pilot: Pilot, case: Case) -> None:
    """Take the power of x and not of the logarithm."""
    await workspace.plot(pilot, [f"x->ln(x^{case['power']})+{case['shift']}"])
