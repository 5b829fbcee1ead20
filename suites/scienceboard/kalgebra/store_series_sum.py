"""A sum of inverse powers."""

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
    last, power = random.randint(25, 60), random.choice((2, 3))
    value = math.fsum(1 / n**power for n in range(1, last + 1))
    return workspace.store_values(random, value, f"sum(1/n^{power} : n=1..{last})", last=last, power=power)


@wrong("milestone:stored")
async def one_term_short(pilot: Pilot, case: Case) -> None:
    """Leave out the last term."""
    await workspace.stored(pilot, case, f"sum(1/n^{case['power']} : n=1..{case['last'] - 1})")
