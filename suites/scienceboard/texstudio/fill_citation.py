"""Find the statement without its source."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Pilot, State, Values, wrong

from . import writing
from .writing import Steps
from .writing import edit as solve
from .writing import edited as check

__all__ = ["check", "solve"]


def case(state: State, random: Random) -> Values:
    (claim,) = writing.empty(writing.main_text(state))
    before, known = claim
    return writing.edits(
        state,
        writing.edit_values(rf"{before}~\cite{{}}", rf"{before}~\cite{{{known.key}}}"),
        about=known.about,
        slip=rf"{before}~\cite{{{known.other}}}",
    )


def setup(random: Random) -> Steps:
    """One statement without its source."""
    yield from writing.survey(*random.sample(list(writing.CLAIMS), 1))


@wrong("milestone:edit")
async def cited_the_other_work(pilot: Pilot, case: Case) -> None:
    """The author is right, the work is not."""
    await solve(pilot, writing.slipped(case))


@wrong("milestone:edit")
async def did_not_save_the_citation(pilot: Pilot, case: Case) -> None:
    """The key is on the screen only."""
    await writing.change(pilot, case, case["edits"], saved=False)


@wrong("record_integrity/major")
async def changed_the_references(pilot: Pilot, case: Case) -> None:
    """The citation is right, but the references are not what they were."""
    await writing.put(pilot, case, "{Mind}", "{Mind!}", "refs.bib")
    await solve(pilot, case)
