"""How often the parabola meets the circle, from where the squares of both agree."""

from __future__ import annotations

import math
from random import Random

from pytest_cuabench import Case, Evidence, Findings, State, Values
from pytest_cuabench.task.answer import Number

from . import workspace
from .workspace import Steps, right_number_to_another_question
from .workspace import tell as solve

__all__ = ["right_number_to_another_question", "solve"]


def case(state: State, random: Random) -> Values:
    ((_, down),) = (
        workspace.numbers(e) for e in workspace.expressions(state).values() if e.startswith("x->")
    )
    (*_, square) = next(workspace.numbers(e) for e in workspace.expressions(state).values() if "=" in e)
    root = math.sqrt(1 + 4 * (square - down))
    heights = ((-1 + root) / 2, (-1 - root) / 2)
    count = sum(1 if math.isclose(y, -down) else 2 for y in heights if y >= -down - 1e-9)
    return {"count": count, "answer": str(count), "slip": str(count + 1)}


def setup(random: Random) -> Steps:
    """A circle and a parabola."""
    yield workspace.plot_of("x^2+y^2=25")
    yield workspace.plot_of(f"x->x^2-{random.choice((3, 5, 7))}")


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is the number of common points."""
    yield from workspace.answered(
        evidence, Number(case["count"], words=("points", "common", "crossings", "intersections"))
    )
