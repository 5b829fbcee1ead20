"""Magnify the largest tumour until its cells can be told apart."""

from __future__ import annotations

import math
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import microscope


def case(state: State, random: Random) -> Values:
    return microscope.patient(state, random)


def check(evidence: Evidence, case: Case) -> Findings:
    """Its cells are on the screen in the end."""
    view = evidence.after.row("view")
    right, near = microscope.shown(evidence, case), False
    if right:
        middle = ((view["left"] + view["right"]) / 2, (view["upper"] + view["lower"]) / 2)
        near = math.dist(middle, case["centre"]) <= case["mm"] / 2
    close = right and view["pixel_mm"] <= microscope.HIGH_MM
    seen = f"{1000 * view['pixel_mm']:.2f} µm a pixel" if right else "another page"
    yield Milestone("on_tumour", near, 0.5, f"the largest tumour of {case['name']}", seen)
    yield Milestone("magnified", close, 0.5, f"{1000 * microscope.HIGH_MM:.2f} µm a pixel or less", seen)
    yield from microscope.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Zoom in on its middle."""
    await microscope.open_slide(pilot, case)
    await microscope.zoom(pilot, case["centre"])


@wrong("milestone:magnified")
async def stopped_too_early(pilot: Pilot, case: Case) -> None:
    """The tumour fills the view, but its cells are dots."""
    await microscope.open_slide(pilot, case)
    await microscope.zoom(pilot, case["centre"], 2)


@wrong("milestone:on_tumour")
async def zoomed_beside_it(pilot: Pilot, case: Case) -> None:
    """That is normal tissue at the same magnification."""
    x, y = case["centre"]
    await solve(pilot, misread(case, centre=[x, y - case["mm"] / 2 - 0.8]))


@wrong("milestone:on_tumour")
async def took_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))
