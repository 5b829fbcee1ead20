"""Store a view at twice the usual speed."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from ..toolkit.screen import back_to_list, follow, open_record
from . import reading_room


def case(state: State, random: Random) -> Values:
    return reading_room.about(
        state, random, reading_room.unread(state, "narrow_fast"), reading_room.neighbour(state, "narrow_fast")
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the view stored at 50 mm/s."""
    yield from reading_room.view(evidence, case, "speed", 50)


async def solve(pilot: Pilot, case: Case) -> None:
    """Store the view at double speed."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "50 mm/s")


@wrong("patient_identity/critical")
async def changed_the_next_line(pilot: Pilot, case: Case) -> None:
    """The view of somebody else's recording was stored."""
    await solve(pilot, confused(case))


@wrong("milestone:speed")
async def did_not_store(pilot: Pilot, case: Case) -> None:
    """The tracing was spread on the screen only."""
    await reading_room.open_study(pilot, case)
    await follow(pilot, "50 mm/s")


@wrong("record_integrity/major")
async def changed_the_gain_along(pilot: Pilot, case: Case) -> None:
    """Speed and gain are two things."""
    await reading_room.open_study(pilot, case)
    await reading_room.store_view(pilot, "50 mm/s", "20 mm/mV")


@wrong("record_integrity/major")
async def changed_the_first_recording(pilot: Pilot, case: Case) -> None:
    """The patient is right, the recording is not; the right one was then changed, too."""
    await solve(pilot, reading_room.earlier(case))
    await back_to_list(pilot)
    await open_record(pilot, case)
    await reading_room.store_view(pilot, "50 mm/s")
