"""Work the sum out."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import calculate_and_edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    text = writing.main_text(state)
    found = writing.the_one(r"\\left\( (\d+) k\^2 \+ (\d+) k \\right\)", text)
    a, b, n = int(found[1]), int(found[2]), int(writing.the_one(r"\$N = (\d+)\$", text)[1])
    value = sum(a * k**2 + b * k for k in range(1, n + 1))
    return writing.edits(
        state,
        writing.edit_values(f"{writing.GAP} contacts", f"{value} contacts"),
        formula=f"sum({a}*k^2+{b}*k : k=1..{n})",
        slip=f"{value - a * n**2 - b * n} contacts",
    )


def setup(random: Random) -> Steps:
    """A sum that has to be worked out; KAlgebra is open."""
    fields = {"a": random.randint(3, 9), "b": random.randint(11, 29), "n": random.randint(40, 90)}
    yield from writing.prepare({writing.MAIN: writing.document("stack.tex", fields)}, writing.MAIN)
    yield writing.start("kalgebra")


@wrong("milestone:edit")
async def left_out_the_last_sheet(pilot: Pilot, case: Case) -> None:
    """The sum ends one sheet too early."""
    await solve(pilot, writing.slipped(case))


@wrong("milestone:edit")
async def did_not_save_the_sum(pilot: Pilot, case: Case) -> None:
    """The number is on the screen only."""
    await writing.leave(pilot)
    await writing.change(pilot, case, case["edits"], saved=False)
