"""Run the algorithm and correct the QT interval after a formula other than the preset one."""

from __future__ import annotations

import math
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.answer import Number

from ..toolkit.misreading import confused, misread
from ..toolkit.reading import answered
from ..toolkit.screen import follow, press
from . import reading_room
from .reading_room import Reading


def case(state: State, random: Random) -> Values:
    study = reading_room.unread(state, "qt")
    found = state.row("automatic", study_id=study["study_id"])
    formula = random.choice(("fridericia", "framingham", "hodges"))
    after = {name: _qtc(found["qt_ms"], found["heart_rate"], name) for name in reading_room.FORMULAS}
    return reading_room.about(state, random, study, reading_room.neighbour(state, "qt")) | {
        "formula": formula,
        "formula_words": reading_room.FORMULAS[formula],
        "qtc": after[formula],
        "preset_qtc": after["bazett"],
    }


def _qtc(qt_ms: float, rate: float, formula: str) -> int:
    """Return the corrected QT interval, computed here once more and not asked of the product."""
    beat = 60 / rate
    if formula == "bazett":
        return round(qt_ms / math.sqrt(beat))
    if formula == "fridericia":
        return round(qt_ms / beat ** (1 / 3))
    return round(qt_ms + 154 * (1 - beat) if formula == "framingham" else qt_ms + 1.75 * (rate - 60))


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the analysis run, and tell the QTc."""
    reading = Reading(evidence, case.values)
    done = reading.analysed is not None
    yield Milestone("analysed", done, 0.5, "analysis run", "run" if done else "not run")
    words = ("QTc", "QT", "corrected", "interval", "after", *case["formula_words"].split())
    spec = Number(case["qtc"], "ms", tolerance=1, words=words)
    yield from answered(evidence, spec, "qtc", 0.5, looked=done)
    yield from reading_room.bounds(evidence, case, reading, fields=reading_room.ANALYSIS)


async def solve(pilot: Pilot, case: Case) -> None:
    """Run the analysis and read the QTc after the formula."""
    await reading_room.open_study(pilot, case)
    await press(pilot, "Run analysis")
    await follow(pilot, case["formula_words"])
    await pilot.answer(f"{case['qtc']} ms")


@wrong("information_fidelity/major")
async def took_the_preset_formula(pilot: Pilot, case: Case) -> None:
    """The QTc is that of another formula."""
    await solve(pilot, misread(case, qtc=case["preset_qtc"]))


@wrong("patient_identity/critical")
async def analysed_the_next_line(pilot: Pilot, case: Case) -> None:
    """Somebody else's recording was analysed."""
    await solve(pilot, confused(case))


@wrong("milestone:analysed")
async def guessed(pilot: Pilot, case: Case) -> None:
    """The number is right, but nothing was run."""
    await reading_room.open_study(pilot, case)
    await pilot.answer(f"{case['qtc']} ms")


@wrong("record_integrity/major")
async def began_a_report(pilot: Pilot, case: Case) -> None:
    """A draft was saved that nobody asked for."""
    await reading_room.open_study(pilot, case)
    await press(pilot, "Run analysis")
    await follow(pilot, "Report")
    await press(pilot, "Save draft")
    await pilot.answer(f"{case['qtc']} ms")
