"""Read a CT of the abdomen from the list to the end: window, measurement, answer."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import reading_room


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "abdomen")
    return values | {"diameter": values["mm"], "preset": "liver"}


def check(evidence: Evidence, case: Case) -> Findings:
    """The study is shown in the liver window with a line across the lesion, and its diameter was told."""
    yield reading_room.open_in_the_end(evidence, case, 0.1)
    yield reading_room.windowed(evidence, case, "liver", 0.2)
    yield from reading_room.measured(evidence, case, 0.4)
    yield from answered(
        evidence, reading_room.diameter(case), "diameter", 0.3, looked=reading_room.seen(evidence, case)
    )
    yield from reading_room.untouched(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Set the window, find the lesion, measure it, and tell its size."""
    await reading_room.open_study(pilot, case)
    await reading_room.set_window(pilot, case["preset"])
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.measure(pilot, case)
    await pilot.answer(f"{case['diameter']} mm")


@wrong("milestone:window")
async def set_the_window_of_lungs(pilot: Pilot, case: Case) -> None:
    """The liver is a grey surface in it."""
    await solve(pilot, misread(case, preset="lung"))


@wrong("patient_identity/critical")
async def read_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(confused(case), diameter=case["other"]["mm"]))


@wrong("data_accuracy/major")
async def measured_beside_it(pilot: Pilot, case: Case) -> None:
    """The line lies one diameter to the side of the lesion."""
    await solve(pilot, misread(case, x=case["x"] + case["mm"]))
