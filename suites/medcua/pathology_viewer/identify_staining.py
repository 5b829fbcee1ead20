"""Tell how a slide was stained by its colours; nothing else tells it."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice

from ..toolkit.misreading import misread
from . import microscope


def case(state: State, random: Random) -> Values:
    study, other = random.sample(microscope.whole_slides(state), 2)
    return microscope.job(state, study) | {"neighbour": microscope.job(state, other)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the stain, having seen the slide."""
    spec = Choice(case["stain"], microscope.STAINS, words=("stain", "stained", "staining", "slide"))
    yield from microscope.answered(evidence, spec, "stain", looked=microscope.opened(evidence, case))
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Look and tell."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(case["stain"])


@wrong("information_fidelity/major")
async def told_another_stain(pilot: Pilot, case: Case) -> None:
    """The colours are those of another one."""
    other = next(stain for stain in microscope.STAINS if stain != case["stain"])
    await solve(pilot, misread(case, stain=other))


@wrong("milestone:stain")
async def told_it_from_the_list(pilot: Pilot, case: Case) -> None:
    """The list does not tell; right by chance is not enough."""
    await microscope.select(pilot, case)
    await pilot.answer(case["stain"])


@wrong("milestone:stain")
async def looked_at_another_slide(pilot: Pilot, case: Case) -> None:
    """It may be stained alike, but nobody knows; right by chance is not enough."""
    await microscope.open_slide(pilot, case["neighbour"])
    await pilot.answer(case["stain"])
