"""Read the leading coefficient from the curve that KAlgebra draws."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edited as check

__all__ = ["check"]


def case(state: State, random: Random) -> Values:
    offset = writing.the_one(r"\$q = (\d+)\$", writing.main_text(state))[1]
    (plot,) = state.collections["functions2d"].values()
    coefficient = writing.the_one(rf"(\d+)\s*\*\s*x\s*\^\s*2\s*\+\s*{offset}\b", str(plot["expression"]))[1]
    return writing.edits(
        state, writing.edit_values(f"m = {writing.GAP}", f"m = {coefficient}"), slip=f"m = {offset}"
    )


def setup(random: Random) -> Steps:
    """A coefficient that only KAlgebra's plot tells."""
    m, q = random.sample(range(2, 10), 2)
    yield from writing.prepare({writing.MAIN: writing.document("curve.tex", {"q": q})}, writing.MAIN)
    yield writing.start("kalgebra", {"do": "plot2d", "expression": f"x->{m}*x^2+{q}"})


async def solve(pilot: Pilot, case: Case) -> None:
    """Fill in the coefficient of the curve that is on the screen."""
    await writing.leave(pilot)
    await writing.edit(pilot, case)


@wrong("milestone:edit")
async def took_the_offset(pilot: Pilot, case: Case) -> None:
    """The number belongs to q."""
    await solve(pilot, writing.slipped(case))
