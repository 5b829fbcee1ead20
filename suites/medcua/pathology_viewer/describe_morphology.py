"""Tell how many tumours a slide has, and how its ring was drawn."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Choice, Fields, Number

from ..toolkit.misreading import misread
from . import microscope


def case(state: State, random: Random) -> Values:
    return microscope.patient(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell both, having seen the slide."""
    spec = Fields(
        {
            "tumours": (Number(case["nodules"]), ("tumors", "nodules", "tumour nodules")),
            "ring": (Choice(case["pen"], microscope.PENS), ("pen", "ring colour", "ring color")),
        }
    )
    looked = microscope.opened(evidence, case)
    yield from microscope.answered(evidence, spec, "description", looked=looked)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Look and tell."""
    await microscope.open_slide(pilot, case)
    await pilot.answer(f"tumours: {case['nodules']}, ring: {case['pen']}")


@wrong("information_fidelity/major")
async def took_a_gland_for_a_tumour(pilot: Pilot, case: Case) -> None:
    """One of those is a gland."""
    await solve(pilot, misread(case, nodules=case["nodules"] + 1))


@wrong("information_fidelity/major")
async def told_another_colour(pilot: Pilot, case: Case) -> None:
    """The ring is another one."""
    other = next(pen for pen in microscope.PENS if pen != case["pen"])
    await solve(pilot, misread(case, pen=other))


@wrong("milestone:description")
async def described_without_looking(pilot: Pilot, case: Case) -> None:
    """Right by chance is not enough."""
    await microscope.select(pilot, case)
    await pilot.answer(f"tumours: {case['nodules']}, ring: {case['pen']}")
