"""Two numbers with a large common divisor."""

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
    common = random.randint(31, 97)
    first, second = (common * n for n in random.choice(((35, 48), (27, 64), (45, 77), (32, 63))))
    return workspace.store_values(
        random, math.gcd(first, second), f"gcd({first}, {second})", first=first, second=second
    )


@wrong("milestone:stored")
async def multiple(pilot: Pilot, case: Case) -> None:
    """Store the least common multiple."""
    await workspace.stored(pilot, case, f"lcm({case['first']}, {case['second']})")
