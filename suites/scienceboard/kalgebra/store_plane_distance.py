"""Two parallel planes."""

from __future__ import annotations

import math
from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import calculator as setup
from .workspace import judge_stored as check
from .workspace import not_stored, other_variable
from .workspace import store as solve

__all__ = ["check", "not_stored", "other_variable", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    a, b, c = random.choice(((3, 4, 5), (2, 5, 1), (1, 2, 3), (4, 1, 2)))
    first, second = random.randint(2, 9), random.randint(2, 9)
    value = (first + second) / math.sqrt(a * a + b * b + c * c)
    enter = f"({first}+{second})/root({a}^2+{b}^2+{c}^2, 2)"
    return workspace.store_values(random, value, enter, a=a, b=b, c=c, first=first, second=second)


@wrong("milestone:stored")
async def same_side(pilot: Pilot, case: Case) -> None:
    """Take the planes to lie on one side of the origin."""
    await workspace.stored(pilot, case, workspace.of(case).replace("+", "-", 1))


@wrong("milestone:stored")
async def no_root(pilot: Pilot, case: Case) -> None:
    """Divide by the square of the normal's length."""
    square = case["a"] ** 2 + case["b"] ** 2 + case["c"] ** 2
    await workspace.stored(pilot, case, f"({case['first']}+{case['second']})/{square}")
