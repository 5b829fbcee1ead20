"""The area of the ellipse on the screen."""

from __future__ import annotations

import math
from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import Steps, not_stored, other_variable
from .workspace import judge_stored as check
from .workspace import store as solve

__all__ = ["check", "not_stored", "other_variable", "solve"]


def case(state: State, random: Random) -> Values:
    (text,) = workspace.expressions(state).values()
    _, a2, _, b2, _ = workspace.numbers(text)
    a, b = math.isqrt(a2), math.isqrt(b2)
    return {"variable": "area", "value": math.pi * a * b, "a": a, "b": b, "enter": f"area:=pi*{a}*{b}"}


def setup(random: Random) -> Steps:
    """An ellipse."""
    a, b = random.sample(range(2, 10), 2)
    yield workspace.plot_of(f"x^2/{a * a}+y^2/{b * b}=1")


@wrong("milestone:stored")
async def squares_taken(pilot: Pilot, case: Case) -> None:
    """Multiply the squares of the half axes."""
    await workspace.stored(pilot, case, f"pi*{case['a'] ** 2}*{case['b'] ** 2}")
