"""Analyse, store a view, compare, correct and sign a bundle branch block."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import follow, press
from . import reading_room
from .reading_room import Reading


def case(state: State, random: Random) -> Values:
    study = reading_room.unread(state, "left_block", "right_block")
    earlier = reading_room.earlier_row(state, study)
    comparison = "unchanged" if earlier["profile"] == study["profile"] else "changed"
    formula = random.choice(("fridericia", "framingham", "hodges"))
    return reading_room.about(state, random, study, reading_room.neighbour(state, study["profile"])) | {
        "comparison": comparison,
        "comparison_words": reading_room.COMPARISONS[comparison],
        "earlier_day": earlier["acquired_at"][:10],
        "formula": formula,
        "formula_words": reading_room.FORMULAS[formula],
    }


def _comparison(reading: Reading, weight: float) -> Findings:
    """Ask for what changed since the earlier recording."""
    wanted, stored = reading.job["comparison"], reading.report["comparison"] if reading.report else ""
    names = reading_room.COMPARISONS
    yield Milestone("comparison", stored == wanted, weight, names[wanted], names.get(stored, "not compared"))


def check(evidence: Evidence, case: Case) -> Findings:
    """Read one recording from the analysis to the signature, with the view stored and the earlier one compared."""
    reading = Reading(evidence, case.values)
    stored = reading.study["speed"]
    yield Milestone("speed", stored == 50, 0.15, "speed 50", f"speed {stored}")
    yield from reading_room.report(reading, 0.65)
    yield from _comparison(reading, 0.2)
    yield from reading_room.bounds(
        evidence, case, reading, fields=reading_room.READING, additions=("reports",)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Analyse, store the view, compare, correct, sign."""
    await reading_room.open_study(pilot, case)
    await press(pilot, "Run analysis")
    await reading_room.store_view(pilot, "50 mm/s")
    await follow(pilot, "Previous")
    await reading_room.write_report(pilot, case.values)
    await reading_room.sign(pilot, case["password"])


@wrong("milestone:speed")
async def forgot_the_view(pilot: Pilot, case: Case) -> None:
    """The report is right, the view is as it was."""
    await reading_room.submit_report(pilot, case)


@wrong("information_fidelity/major")
async def compared_the_wrong_way(pilot: Pilot, case: Case) -> None:
    """What is new was called known, or the other way round."""
    words = "Same" if case["comparison"] == "changed" else "Changed"
    await solve(pilot, misread(case, comparison_words=words))


@wrong("data_accuracy/minor")
async def left_the_preset_formula(pilot: Pilot, case: Case) -> None:
    """The QTc is that of Bazett."""
    await solve(pilot, misread(case, formula_words=""))


@wrong("patient_identity/critical")
async def read_the_next_line(pilot: Pilot, case: Case) -> None:
    """Somebody else's recording was analysed."""
    await reading_room.open_study(pilot, confused(case))
    await press(pilot, "Run analysis")
