"""Store a view at the gain that suits the height of the complexes."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room


def case(state: State, random: Random) -> Values:
    study = reading_room.unread(state, "small", "tall")
    gain = reading_room.facts(study["profile"])["gain"]
    misread = reading_room.unread(state, "fibrillation_misread", "arms_swapped", "counted_double")
    return reading_room.about(state, random, study, misread) | {
        "gain": gain,
        "wrong_gain": 25 - gain,
        "why": {5: "run into one another", 20: "are hardly to be seen"}[gain],
        "change": {5: "half the usual gain", 20: "double the usual gain"}[gain],
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the view stored at the gain that suits."""
    yield from reading_room.view(evidence, case, "gain", case["gain"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Store the view at the gain that suits."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, f"{case['gain']} mm/mV")


@wrong("milestone:gain")
async def turned_the_gain_the_other_way(pilot: Pilot, case: Case) -> None:
    """It is worse now than before."""
    await solve(pilot, misread(case, gain=case["wrong_gain"]))


@wrong("patient_identity/critical")
async def changed_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def changed_the_layout_along(pilot: Pilot, case: Case) -> None:
    """The layout was to stay."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, f"{case['gain']} mm/mV", "6×2")
