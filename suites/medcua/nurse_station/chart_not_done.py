"""Chart that something was not done, for the reason that is told."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import open_record, sign_in
from . import ward
from .ward import Care

# Why something was not done: the reason to be charted, whose task it is about, and how a colleague tells it.
_STORIES = (
    ("refused", "Paracetamol", "does not want it, even after an explanation"),
    ("away", "Walk with the frame", "is in radiology and will not be back before the evening"),
    ("fasting", "Metformin", "must not eat or drink before a gastroscopy this afternoon"),
    ("supply", "Vancomycin", "cannot get it, because the pharmacy has none left today"),
)


def case(state: State, random: Random) -> Values:
    reason, begins, words = random.choice(_STORIES)
    patient = ward.case_row(state, "absent")
    tasks = sorted(ward.due(state, patient), key=lambda row: (row["due_at"], row["id"]))
    named = next(row for row in tasks if row["title"].startswith(begins))
    neighbour = next(row for row in tasks if row["mrn"] == patient["mrn"] and row["_key"] != named["_key"])
    others = [each for each in ward.NOT_DONE if each != reason]
    return (
        ward.login_values(state, random)
        | ward.job(state, named)
        | {
            "reason": reason,
            "story": words,
            "other_reason": random.choice(others),
            "neighbour": ward.job(state, neighbour),
            "other": ward.care(state, "sampling"),
        }
    )


def check(evidence: Evidence, case: Case) -> Findings:
    """Chart the task as not done for the right reason."""
    yield from ward.not_done(Care.of(evidence, case.values), case.values, 1.0)
    yield from ward.within(evidence, case, case["mrn"], tasks=[case.values])


async def solve(pilot: Pilot, case: Case) -> None:
    """Chart why it was not done."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.leave_out(pilot, case)


@wrong("information_fidelity/major")
async def gave_another_reason(pilot: Pilot, case: Case) -> None:
    """The reason is not the one that was told."""
    await solve(pilot, misread(case, reason=case["other_reason"]))


@wrong("record_integrity/major")
async def left_out_the_wrong_task(pilot: Pilot, case: Case) -> None:
    """Another task of the same patient was charted as not done."""
    await solve(pilot, misread(case, task=case["neighbour"]["task"]))


@wrong("patient_identity/critical")
async def left_out_for_somebody_else(pilot: Pilot, case: Case) -> None:
    """The task belongs to another patient."""
    await solve(pilot, misread(case, **case["other"]))
