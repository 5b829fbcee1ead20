"""Measure the largest tumour with a line from edge to edge, which stays on the slide."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import microscope


def case(state: State, random: Random) -> Values:
    values = microscope.patient(state, random)
    return values | {"diameter": values["mm"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """The line lies across it, and its length was told."""
    yield from microscope.measured(evidence, case, 0.5)
    looked = microscope.opened(evidence, case)
    yield from microscope.answered(evidence, microscope.diameter(case), "diameter", 0.5, looked=looked)
    yield from microscope.untouched(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Draw the line and tell its length."""
    await microscope.open_slide(pilot, case)
    await microscope.measure(pilot, case)
    await pilot.answer(f"{case['diameter']} mm")


@wrong("data_accuracy/major")
async def measured_a_part(pilot: Pilot, case: Case) -> None:
    """The line ends within the tumour."""
    part = case["mm"] * 0.6
    await solve(pilot, misread(case, mm=part, diameter=part))


@wrong("milestone:measured")
async def estimated_it(pilot: Pilot, case: Case) -> None:
    """The length is right, but there is no line that anybody could check."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(f"{case['diameter']} mm")


@wrong("patient_identity/critical")
async def measured_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))
