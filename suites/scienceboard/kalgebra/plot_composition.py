"""Two functions, one after the other."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 9), random.randint(2, 7)
    inner = f"((x^2+{b})*e^x-1)"
    enter = f"x->(x->{a}/x-ln(x))((x->(x^2+{b})*e^x-1)(x))"
    return {"a": a, "b": b, "curves": [f"x->{a}/{inner}-ln({inner})"], "enter": [enter]}


@wrong("milestone:curve")
async def other_order(pilot: Pilot, case: Case) -> None:
    """Apply the functions in the other order."""
    f = f"({case['a']}/x-ln(x))"
    await workspace.plot(pilot, [f"x->({f}^2+{case['b']})*e^{f}-1"])
