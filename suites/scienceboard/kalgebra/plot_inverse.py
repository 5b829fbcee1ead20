"""A function with an inverse."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 5), random.randint(1, 4)
    return {"a": a, "b": b, "curves": [f"x={a}*e^y+{b}"], "enter": [f"x->ln((x-{b})/{a})"]}


@wrong("milestone:curve")
async def reciprocal(pilot: Pilot, case: Case) -> None:
    """Take the reciprocal for the inverse."""
    await workspace.plot(pilot, [f"x->1/({case['a']}*e^x+{case['b']})"])
