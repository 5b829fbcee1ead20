"""Collect one of two specimens, in the container that the laboratory wants."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import open_record, sign_in
from . import ward
from .ward import Care


def case(state: State, random: Random) -> Values:
    patient = ward.case_row(state, "sampling")
    first, second = random.sample([row for row in ward.due(state, patient) if row["kind"] == "specimen"], 2)
    wanted = ward.container_text(first["title"])
    return (
        ward.login_values(state, random)
        | ward.specimen(state, first)
        | {
            "wrong_container": random.choice([each for each in ward.CONTAINERS if each != wanted]),
            "second": ward.specimen(state, second),
            "other": ward.care(state, "late"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Collect the specimen that was named."""
    yield from ward.collected(Care.of(evidence, case.values), case.values, 1.0)
    yield from ward.within(evidence, case, case["mrn"], tasks=[case.values])


async def solve(pilot: Pilot, case: Case) -> None:
    """Collect the specimen."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.collect(pilot, dict(case.values))


@wrong("data_accuracy/major")
async def into_the_wrong_tube(pilot: Pilot, case: Case) -> None:
    """The laboratory cannot use it."""
    await solve(pilot, misread(case, container=case["wrong_container"]))


@wrong("workflow_safety/major")
async def labelled_at_the_desk(pilot: Pilot, case: Case) -> None:
    """Label and patient were not together; the warning was confirmed."""
    await solve(pilot, misread(case, labelled=False))


@wrong("workflow_safety/critical")
async def drew_without_identifying(pilot: Pilot, case: Case) -> None:
    """The wristband was not read."""
    await solve(pilot, misread(case, unread=True))


@wrong("record_integrity/major")
async def took_the_other_specimen_too(pilot: Pilot, case: Case) -> None:
    """The other one was to wait."""
    await solve(pilot, case)
    await ward.collect(pilot, case["second"])


@wrong("patient_identity/critical")
async def went_to_another_bed_first(pilot: Pilot, case: Case) -> None:
    """Care of somebody else was charted on the way."""
    await ward.charted_elsewhere(pilot, case)
    await open_record(pilot, case)
    await ward.collect(pilot, dict(case.values))
