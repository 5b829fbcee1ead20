"""Ways to choose some of many."""

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
    many, some = random.randint(8, 12), random.randint(3, 5)  # KAlgebra's factorial(13) is wrong
    enter = f"factorial({many})/(factorial({some})*factorial({many - some}))"
    return workspace.store_values(random, math.comb(many, some), enter, many=many, some=some)


@wrong("milestone:stored")
async def ordered(pilot: Pilot, case: Case) -> None:
    """Count the order, too."""
    await workspace.stored(pilot, case, f"factorial({case['many']})/factorial({case['many'] - case['some']})")
