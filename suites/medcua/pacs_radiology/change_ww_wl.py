"""Set one of the presets for a CT."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room

_STORIES = {"chest": "lung", "abdomen": "liver", "neck": "bone"}


def case(state: State, random: Random) -> Values:
    story = random.choice(sorted(_STORIES))
    preset = _STORIES[story]
    return reading_room.pair(state, random, story) | {
        "preset": preset,
        "wrong_preset": "lung" if preset != "lung" else "bone",
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is on the screen in the end, in this window."""
    yield reading_room.open_in_the_end(evidence, case, 0.3)
    yield reading_room.windowed(evidence, case, case["preset"], 0.7)
    yield from reading_room.untouched(evidence)


async def solve(pilot: Pilot, case: Case) -> None:
    """Open it, and set the window by its key."""
    await reading_room.open_study(pilot, case)
    await reading_room.set_window(pilot, case["preset"])


@wrong("milestone:window")
async def set_another_preset(pilot: Pilot, case: Case) -> None:
    """It is the window beside the right one."""
    await solve(pilot, misread(case, preset=case["wrong_preset"]))


@wrong("milestone:study_open")
async def set_it_for_the_other_one(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, confused(case))


@wrong("milestone:window")
async def left_it_as_it_came(pilot: Pilot, case: Case) -> None:
    """The study is open in the window that it came with."""
    await reading_room.open_study(pilot, case)
