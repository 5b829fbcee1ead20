"""Count the mitoses within the ring that a pen drew on the slide."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import microscope


def case(state: State, random: Random) -> Values:
    return microscope.patient(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many there are, having seen the ring from near."""
    near = microscope.visited(evidence, case, case["ring"])
    yield from microscope.answered(evidence, microscope.mitoses(case), "mitoses", looked=near)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Zoom in on the ring and count."""
    await microscope.open_slide(pilot, case)
    await microscope.zoom(pilot, case["ring"])
    await pilot.answer(str(case["inside"]))


@wrong("information_fidelity/major")
async def counted_those_outside(pilot: Pilot, case: Case) -> None:
    """There are more around the ring."""
    await solve(pilot, misread(case, inside=case["all"]))


@wrong("milestone:mitoses")
async def guessed_from_afar(pilot: Pilot, case: Case) -> None:
    """No mitosis can be seen while the whole slide is shown."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(str(case["inside"]))


@wrong("milestone:mitoses")
async def looked_at_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two; right by chance is not enough."""
    await solve(pilot, misread(confused(case), inside=case["inside"]))
