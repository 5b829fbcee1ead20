"""Count the whole slides among the studies of all kinds."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import misread
from ..toolkit.viewer import appears
from . import microscope


def case(state: State, random: Random) -> Values:
    slides = microscope.whole_slides(state)
    people = {row["family"] for row in slides}
    return {"number": len(slides), "all": len(state.rows("studies")), "families": len(people)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell how many there are; the list is the first that anybody sees."""
    words = ("whole-slide", "whole", "slide", "slides", "microscopy", "SM", "studies")
    yield from microscope.answered(evidence, Number(case["number"], words=words), "number", looked=True)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Count on the list."""
    await appears(pilot, 'tr:has-text("SM") >> nth=0')
    await pilot.answer(str(case["number"]))


@wrong("information_fidelity/major")
async def counted_everything(pilot: Pilot, case: Case) -> None:
    """The list holds radiology, too."""
    await solve(pilot, misread(case, number=case["all"]))


@wrong("information_fidelity/major")
async def counted_families(pilot: Pilot, case: Case) -> None:
    """Two people share a family name, and each has a slide."""
    await solve(pilot, misread(case, number=case["families"]))
