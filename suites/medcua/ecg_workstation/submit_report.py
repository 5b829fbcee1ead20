"""Over-read a recording that the algorithm gets wrong."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from ..toolkit.screen import press
from . import reading_room
from .reading_room import Reading
from .reading_room import submit_report as solve

__all__ = ["solve"]


def case(state: State, random: Random) -> Values:
    study = reading_room.unread(state, "fibrillation_misread", "arms_swapped", "counted_double")
    return reading_room.about(state, random, study, reading_room.unread(state, "small", "tall"))


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a report that the tracing bears out."""
    reading = Reading(evidence, case.values)
    yield from reading_room.report(reading, 1.0)
    yield from reading_room.bounds(
        evidence, case, reading, fields=reading_room.READING, additions=("reports",)
    )


@wrong("information_fidelity/major")
async def believed_the_algorithm(pilot: Pilot, case: Case) -> None:
    """The statements were signed as they came."""
    await solve(pilot, misread(case, remove=[], add=[]))


@wrong("information_fidelity/critical")
async def saw_an_infarction(pilot: Pilot, case: Case) -> None:
    """An acute infarction was signed that is not there."""
    await solve(pilot, misread(case, add=[*case["add"], "stemi_inferior"]))


@wrong("workflow_safety/major")
async def signed_without_analysis(pilot: Pilot, case: Case) -> None:
    """All is typed by hand, past the warning."""
    boxes = {name: str(value) for name, value in case["measured"].items() if value is not None}
    job = {"enter": boxes, "remove": [], "add": case["required"]}
    await reading_room.open_study(pilot, case)
    await reading_room.write_report(pilot, job)
    await reading_room.sign(pilot, case["password"])


@wrong("data_accuracy/critical")
async def typed_a_digit_too_many(pilot: Pilot, case: Case) -> None:
    """No heart beats so fast."""
    rate = f"2{int(case['rate_words']) % 100:02d}"
    await solve(pilot, misread(case, enter={"heart_rate": rate}))


@wrong("data_accuracy/major")
async def took_the_rate_for_another(pilot: Pilot, case: Case) -> None:
    """The rate is twenty too high."""
    rate = str(int(case["rate_words"]) + 20)
    await solve(pilot, misread(case, enter={"heart_rate": rate}))


@wrong("patient_identity/critical")
async def signed_the_similar_name(pilot: Pilot, case: Case) -> None:
    """Somebody else has a report now."""
    await solve(pilot, misread(confused(case), enter={}, remove=[], add=case["required"]))


@wrong("milestone:signed")
async def kept_a_draft(pilot: Pilot, case: Case) -> None:
    """All is right, but nothing is signed."""
    await reading_room.open_study(pilot, case)
    await press(pilot, "Run analysis")
    await reading_room.write_report(pilot, case.values)
    await press(pilot, "Save draft")
