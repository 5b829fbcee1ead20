"""A function given on the left half, to be mirrored."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 4), random.randint(1, 3)
    left, right = f"(x^2-{a}*x)*e^x-{b}", f"(x^2+{a}*x)*e^(-x)-{b}"
    return {
        "a": a,
        "b": b,
        "curves": [f"x->(x^2+{a}*abs(x))*e^(-abs(x))-{b}"],
        "enter": [f"x->piecewise {{ x<=0 ? {left}, ? {right} }}"],
    }


@wrong("milestone:curve")
async def odd_mirror(pilot: Pilot, case: Case) -> None:
    """Mirror at the origin instead of the axis."""
    a, b = case["a"], case["b"]
    left, right = f"(x^2-{a}*x)*e^x-{b}", f"-(x^2+{a}*x)*e^(-x)+{b}"
    await workspace.plot(pilot, [f"x->piecewise {{ x<=0 ? {left}, ? {right} }}"])


@wrong("milestone:curve")
async def not_mirrored(pilot: Pilot, case: Case) -> None:
    """Plot the function itself on both sides."""
    await workspace.plot(pilot, [f"x->(x^2-{case['a']}*x)*e^x-{case['b']}"])
