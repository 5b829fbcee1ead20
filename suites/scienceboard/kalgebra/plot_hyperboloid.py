"""A hyperboloid of one sheet."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import workspace
from .workspace import draw_surface as solve
from .workspace import drawn as check
from .workspace import not_entered
from .workspace import solid as setup

__all__ = ["check", "not_entered", "setup", "solve"]


def case(state: State, random: Random) -> Values:
    c = random.choice((1, 2, 4, 5))
    return {"right": c, "surface": f"x^2+y^2=z^2+{c}", "enter": f"x^2+y^2-z^2={c}"}


@wrong("milestone:surface")
async def two_sheets(pilot: Pilot, case: Case) -> None:
    """Swap the signs, which makes two sheets."""
    await workspace.draw(pilot, f"z^2-x^2-y^2={case['right']}")
