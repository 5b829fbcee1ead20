"""Open the slide of one of two people whose names are alike."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import microscope


def case(state: State, random: Random) -> Values:
    return microscope.patient(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """The slide is on the screen in the end."""
    yield microscope.open_in_the_end(evidence, case)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it from the list."""
    await microscope.open_slide(pilot, case)


@wrong("milestone:slide_open")
async def opened_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:slide_open")
async def selected_it_only(pilot: Pilot, case: Case) -> None:
    """A row that is selected shows no slide."""
    await microscope.select(pilot, case)


@wrong("record_integrity/major")
async def drew_on_it(pilot: Pilot, case: Case) -> None:
    """Nobody asked for a measurement."""
    await solve(pilot, case)
    await microscope.measure(pilot, case)
