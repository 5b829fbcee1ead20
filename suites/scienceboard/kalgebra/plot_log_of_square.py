"""The logarithm of a shifted square."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import flat as setup
from .workspace import plot_curves as solve
from .workspace import plotted as check

__all__ = ["check", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b = random.randint(2, 6), random.randint(2, 4)
    return {"shift": a, "factor": b, "curves": [f"y={b}*ln(x^2+{a})"], "enter": [f"x->{b}*ln({a}+x^2)"]}


@wrong("milestone:curve")
async def square_missed(pilot: Pilot, case: Case) -> None:
    """Leave out the square."""
    await workspace.plot(pilot, [f"x->{case['factor']}*ln(x+{case['shift']})"])
