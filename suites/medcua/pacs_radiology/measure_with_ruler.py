"""Measure the nodule of a lung where it is largest, and tell its diameter."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from . import reading_room


def case(state: State, random: Random) -> Values:
    values = reading_room.pair(state, random, "chest")
    return values | {"diameter": values["mm"]}


def check(evidence: Evidence, case: Case) -> Findings:
    """A line lies across the nodule, and the answer tells its diameter."""
    yield from reading_room.measured(evidence, case, 0.5)
    yield from answered(
        evidence, reading_room.diameter(case), "diameter", 0.5, looked=reading_room.seen(evidence, case)
    )
    yield from reading_room.untouched(evidence, case)


async def solve(pilot: Pilot, case: Case) -> None:
    """Find it, draw a line across, and tell its length."""
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["image"])
    await reading_room.measure(pilot, case)
    await pilot.answer(f"{case['diameter']} mm")


@wrong("patient_identity/critical")
async def measured_the_other_patient(pilot: Pilot, case: Case) -> None:
    """The names differ by a letter or two."""
    await solve(pilot, misread(confused(case), diameter=case["other"]["mm"]))


@wrong("milestone:measured")
async def left_no_line(pilot: Pilot, case: Case) -> None:
    """The figure is right, but nobody can check it."""
    await reading_room.open_study(pilot, case)
    await reading_room.turn_to(pilot, case["image"])
    await pilot.answer(f"{case['diameter']} mm")


@wrong("data_accuracy/major")
async def measured_half_of_it(pilot: Pilot, case: Case) -> None:
    """The line ends in the middle of the nodule."""
    half = case["mm"] / 2
    await solve(pilot, misread(case, mm=half, x=case["x"] + half / 2))


@wrong("information_fidelity/major")
async def took_centimetres(pilot: Pilot, case: Case) -> None:
    """The figure is that of millimetres, the unit is not."""
    await solve(pilot, misread(case, diameter=case["mm"] * 10))
