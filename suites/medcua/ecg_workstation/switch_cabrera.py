"""Store the Cabrera order of the limb leads."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import reading_room


def case(state: State, random: Random) -> Values:
    return reading_room.about(
        state, random, reading_room.unread(state, "frontal"), reading_room.unread(state, "two_today")
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the view stored in Cabrera order."""
    yield from reading_room.view(evidence, case, "layout", "cabrera")


async def solve(pilot: Pilot, case: Case) -> None:
    """Store the view in Cabrera order."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "Cabrera")


@wrong("milestone:layout")
async def took_six_rows(pilot: Pilot, case: Case) -> None:
    """Six rows of limb leads are not yet in Cabrera order."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "6×2")


@wrong("patient_identity/critical")
async def changed_the_namesake(pilot: Pilot, case: Case) -> None:
    """The family name is the same."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def spread_it_along(pilot: Pilot, case: Case) -> None:
    """The speed was to stay."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "50 mm/s", "Cabrera")
