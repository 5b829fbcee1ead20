"""Tell the right person of an acute infarction."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused, misread
from . import reading_room
from .reading_room import Reading


def case(state: State, random: Random) -> Values:
    study = reading_room.acute(state)[0]
    return reading_room.about(state, random, study, reading_room.unread(state, "rate"))


def check(evidence: Evidence, case: Case) -> Findings:
    """Tell the right person of the right finding, and leave the report."""
    reading = Reading(evidence, case.values)
    yield from reading_room.alert(reading, 1.0)
    yield from reading_room.bounds(
        evidence, case, reading, fields=reading_room.VIEW | reading_room.ANALYSIS, additions=("alerts",)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Tell the cardiologist on call."""
    await reading_room.open_study(pilot, case)
    await reading_room.tell(pilot, case.values)


@wrong("information_fidelity/critical")
async def named_another_finding(pilot: Pilot, case: Case) -> None:
    """The finding is one that the tracing does not show."""
    await solve(pilot, misread(case, finding="Ventricular tachycardia"))


@wrong("workflow_safety/major")
async def told_who_is_off_duty(pilot: Pilot, case: Case) -> None:
    """The service is right, the hours are not."""
    await solve(pilot, misread(case, contact_name=case["off_duty"]))


@wrong("milestone:read_back")
async def went_without_read_back(pilot: Pilot, case: Case) -> None:
    """Nobody knows whether it was understood."""
    await solve(pilot, misread(case, read_back=False))


@wrong("patient_identity/critical")
async def alarmed_for_the_similar_name(pilot: Pilot, case: Case) -> None:
    """The catheter laboratory waits for somebody else."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def told_it_twice(pilot: Pilot, case: Case) -> None:
    """The same alert stands in the record two times."""
    await solve(pilot, case)
    await reading_room.tell(pilot, case.values)
