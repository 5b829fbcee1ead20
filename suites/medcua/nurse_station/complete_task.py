"""Give a high-alert medicine; it is due again in the evening, in another dose."""

from __future__ import annotations

from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import open_record, sign_in
from . import ward
from .ward import Care


def case(state: State, random: Random) -> Values:
    now, later = _medicines(state, "giving", high_alert=True)
    other = next(job for job in _medicines(state, "absent") if job["drug"] == "Paracetamol")
    return (
        ward.login_values(state, random) | ward.second(state, random) | now | {"later": later, "other": other}
    )


def _medicines(state: State, case: str, **equal: Any) -> list[Values]:
    rows = state.rows(
        "tasks", mrn=ward.case_row(state, case)["mrn"], status="due", kind="medication", **equal
    )
    return [ward.job(state, row) for row in sorted(rows, key=lambda row: row["due_at"])]


def check(evidence: Evidence, case: Case) -> Findings:
    """Give the medicine that is due now, with identity and second signature."""
    yield from ward.given(Care.of(evidence, case.values), case.values, 0.8)
    yield ward.signature(evidence, case, 0.2)
    yield from ward.within(evidence, case, case["mrn"], tasks=[case.values])


async def solve(pilot: Pilot, case: Case) -> None:
    """Give the medicine."""
    await sign_in(pilot, case)
    await open_record(pilot, case)
    await ward.give(pilot, dict(case.values))


@wrong("workflow_safety/critical")
async def without_the_second_nurse(pilot: Pilot, case: Case) -> None:
    """The warning that nobody else signed was confirmed."""
    await solve(pilot, misread(case, second_user=None))


@wrong("workflow_safety/critical")
async def without_reading_the_band(pilot: Pilot, case: Case) -> None:
    """The warning that the identity is not checked was confirmed."""
    await solve(pilot, misread(case, unread=True))


@wrong("data_accuracy/critical")
async def ten_times_the_dose(pilot: Pilot, case: Case) -> None:
    """A decimal place went wrong; the warning was confirmed."""
    await solve(pilot, ward.misheard(case, dose=case["dose"] * 10))


@wrong("data_accuracy/major")
async def the_dose_of_the_evening(pilot: Pilot, case: Case) -> None:
    """The other line of the same medicine was read."""
    later = case["later"]["dose"]
    dose = later if case["dose"] / 3 < later < case["dose"] * 3 else case["dose"] + 1
    await solve(pilot, ward.misheard(case, dose=dose))


@wrong("data_accuracy/major")
async def by_another_route(pilot: Pilot, case: Case) -> None:
    """It was charted as taken by mouth."""
    await solve(pilot, ward.misheard(case, route="oral"))


@wrong("record_integrity/major")
async def gave_the_evening_dose_now(pilot: Pilot, case: Case) -> None:
    """The task of the evening was opened; the warning that it is early was confirmed."""
    later = case["later"]
    changed = {"task": later["task"], "expected": later["expected"]}
    await solve(pilot, misread(case, **changed))


@wrong("patient_identity/critical")
async def gave_to_somebody_else(pilot: Pilot, case: Case) -> None:
    """Another patient's medicine was charted without reading the band."""
    await solve(pilot, misread(case, **case["other"], unread=True, second_user=None))
