"""Read a CT of the abdomen from the list to the end: window, measurement, a stored report, answer."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import reading_room

_TITLES = ("Liver lesion", "Tumour board", "Follow-up", "Second reading", "For the surgeon")


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "abdomen")
    return values | {"diameter": values["mm"], "preset": "liver", "title": random.choice(_TITLES)}


def check(evidence: Evidence, case: Case) -> Findings:
    """The lesion was looked at in the liver window, its length stored as a report, and its diameter told."""
    yield reading_room.looked(evidence, case, "liver", 0.2)
    yield from reading_room.reported(evidence, case, case["title"], 0.5)
    yield from answered(
        evidence, reading_room.diameter(case), "diameter", 0.3, looked=reading_room.seen(evidence, case)
    )
    yield from reading_room.untouched(evidence, case, reported=case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Set the window, find the lesion, measure and report it, and tell its size."""
    await _measured(pilot, case)
    await reading_room.report(pilot, case["title"])
    await pilot.answer(f"{case['diameter']} mm")


async def _measured(pilot: Pilot, case: Case) -> None:
    await reading_room.open_study(pilot, case)
    await reading_room.set_window(pilot, case["preset"])
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.measure(pilot, case)


@wrong("milestone:window")
async def set_the_window_of_lungs(pilot: Pilot, case: Case) -> None:
    """The liver is a grey surface in it."""
    await solve(pilot, misread(case, preset="lung"))


@wrong("milestone:reported")
async def stored_no_report(pilot: Pilot, case: Case) -> None:
    """A line on the screen is gone when the study is closed."""
    await _measured(pilot, case)
    await pilot.answer(f"{case['diameter']} mm")


@wrong("patient_identity/critical")
async def reported_on_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(confused(case), diameter=case["other"]["mm"]))


@wrong("data_accuracy/major")
async def measured_beside_it(pilot: Pilot, case: Case) -> None:
    """The line lies one diameter to the side of the lesion."""
    await solve(pilot, misread(case, x=case["x"] + case["mm"]))
