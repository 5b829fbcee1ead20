"""A curve, and its tangent at x = 1."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 4), random.randint(1, 5)
    curve, tangent = f"x->{a}*x^2-ln(x)-{b}", f"x->{2 * a - 1}*(x-1)+{a}-{b}"
    return {"a": a, "b": b, "curves": [curve, tangent], "enter": [curve, tangent]}


@wrong("milestone:curve_2")
async def normal_drawn(pilot: Pilot, case: Case) -> None:
    """Draw the normal instead of the tangent."""
    curve, a, b = case["enter"][0], case["a"], case["b"]
    await workspace.plot(pilot, [curve, f"x->{a}-{b}-(x-1)/{2 * a - 1}"])


@wrong("milestone:curve_1")
async def tangent_alone(pilot: Pilot, case: Case) -> None:
    """Draw the tangent without its curve."""
    await workspace.plot(pilot, case["enter"][1:])
