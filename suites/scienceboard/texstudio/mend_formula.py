"""Find the command that LaTeX does not know."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps, Typo
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]

# In `documents/zeta.tex`; each stands there once.
FORMULA = (
    Typo(r"\infty", r"\infinity"),
    Typo(r"\prod_", r"\product_"),
    Typo(r"\sum_", r"\summation_"),
    Typo(r"&\leq \zeta", r"&\lessequal \zeta", (r"&\le \zeta",)),
)


def case(state: State, random: Random) -> Values:
    (typo,) = (typo for typo in FORMULA if typo.bad in writing.main_text(state))
    return writing.edits(
        state, writing.edit_values(typo.bad, typo.good, *typo.also), slip=typo.bad.replace("\\", "", 1)
    )


def setup(random: Random) -> Steps:
    """A formula with a command that LaTeX does not know."""
    text = writing.document("zeta.tex", {"even": random.choice((2, 4, 6, 8))})
    typo = random.choice(FORMULA)
    yield from writing.prepare({writing.MAIN: text.replace(typo.good, typo.bad)}, writing.MAIN)


@wrong("milestone:edit")
async def took_the_backslash_away(pilot: Pilot, case: Case) -> None:
    """It compiles, and prints the letters of the command."""
    await solve(pilot, writing.slipped(case))
