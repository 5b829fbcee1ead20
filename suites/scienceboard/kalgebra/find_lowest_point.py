"""Where the parabola on the screen is lowest."""

from __future__ import annotations

import re
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from . import workspace
from .workspace import Steps, right_number_to_another_question
from .workspace import tell as solve

__all__ = ["right_number_to_another_question", "solve"]


def case(state: State, random: Random) -> Values:
    (text,) = workspace.expressions(state).values()
    a, b, c = (int(n) for n in re.fullmatch(r"x->(\d+)\*x\^2([+-]\d+)\*x([+-]\d+)", text).groups())  # type: ignore[union-attr]
    x = -b / (2 * a)
    return {"x": x, "answer": f"{x:g}", "slip": f"{a * x * x + b * x + c:g}"}


def setup(random: Random) -> Steps:
    """A parabola whose lowest point has round coordinates that differ."""
    a, x = random.randint(2, 3), random.choice((-4, -3, -2, 2, 3, 4))
    y = random.choice([n for n in range(-6, 6) if n not in (x, 0)])
    b, c = 2 * a * x, a * x * x + y
    yield workspace.plot_of(f"x->{a}*x^2{-b:+d}*x{c:+d}")


def check(evidence: Evidence, case: Case) -> Findings:
    """The answer is where the curve is lowest."""
    yield from workspace.answered(evidence, Number(case["x"], words=("x",), either_sign=True))


@wrong("record_integrity/major")
async def help_line_left(pilot: Pilot, case: Case) -> None:
    """Draw a vertical line to read the place, and leave it there."""
    await workspace.plot(pilot, [f"x={case['answer']}"])
    await pilot.answer(case["answer"])
