"""Find both statements without their sources."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong
from pytest_cuabench.task.case import misread

from . import writing
from .writing import Steps
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    claims = writing.empty(writing.main_text(state))
    (_, one), (_, two) = claims
    return writing.edits(
        state,
        *(
            writing.edit_values(rf"{before}~\cite{{}}", rf"{before}~\cite{{{known.key}}}")
            for before, known in claims
        ),
        about=f"{one.about} and about {two.about}",
        swapped=[
            rf"{before}~\cite{{{other.key}}}" for (before, _), other in zip(claims, (two, one), strict=True)
        ],
    )


def setup(random: Random) -> Steps:
    """Two statements without their sources."""
    yield from writing.survey(*random.sample(list(writing.CLAIMS), 2))


@wrong("milestone:edit_2")
async def filled_one_of_two(pilot: Pilot, case: Case) -> None:
    """The second citation is still empty."""
    await writing.change(pilot, case, case["edits"][:1])


@wrong("milestone:edit_1")
async def swapped_the_two(pilot: Pilot, case: Case) -> None:
    """Both works are cited, each in the place of the other."""
    edits = [{**edit, "new": new} for edit, new in zip(case["edits"], case["swapped"], strict=True)]
    await solve(pilot, misread(case, edits=edits))
