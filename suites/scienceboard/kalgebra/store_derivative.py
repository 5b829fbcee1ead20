"""The slope of a cubic at a point."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import calculator as setup
from .workspace import judge_stored as check
from .workspace import not_stored, other_variable
from .workspace import store as solve

__all__ = ["check", "not_stored", "other_variable", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b, x = random.randint(2, 5), random.randint(2, 9), random.randint(2, 6)
    enter = f"(diff(x^3-{a}*x^2+{b}*x : x))({x})"
    return workspace.store_values(random, 3 * x**2 - 2 * a * x + b, enter, a=a, b=b, at=x)


@wrong("milestone:stored")
async def height_not_slope(pilot: Pilot, case: Case) -> None:
    """Store the value of the function and not its slope."""
    x = case["at"]
    await workspace.stored(pilot, case, f"{x}^3-{case['a']}*{x}^2+{case['b']}*{x}")
