"""Turn to one image of the series of one of two people whose names are alike."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "head")
    return values | {"target": random.randint(5, values["images"] - 5)}


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end, with this image."""
    yield reading_room.open_in_the_end(evidence, case, 0.3)
    shown = [row["image"] for row in reading_room.ports(evidence.after, case)]
    told = ", ".join(map(str, shown)) or "none"
    yield Milestone("image_shown", case["target"] in shown, 0.7, f"image {case['target']}", told)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it, and turn to the image."""
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["target"])


@wrong("milestone:study_open")
async def scrolled_in_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:image_shown")
async def counted_from_zero(pilot: Pilot, case: Case) -> None:
    """It is the image beside the right one."""
    await solve(pilot, misread(case, target=case["target"] + 1))


@wrong("milestone:image_shown")
async def stayed_at_the_first(pilot: Pilot, case: Case) -> None:
    """The study is open, but nobody scrolled."""
    await reading_room.open_study(pilot, case)
