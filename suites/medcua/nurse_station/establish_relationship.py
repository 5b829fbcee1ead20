"""Begin the relationships that are missing with the own patients."""

from __future__ import annotations

from pytest_cuabench import Case, Evidence, Findings, Pilot, wrong

from ..toolkit.misreading import misread
from ..toolkit.screen import sign_in
from . import ward
from .ward import establish_relationship_values as case

__all__ = ["case"]


def check(evidence: Evidence, case: Case) -> Findings:
    """Have the missing relationships, and no others."""
    yield from ward.relationships(evidence, case["jobs"], case["role"], 1.0)
    yield from ward.within(
        evidence, case, *(job["mrn"] for job in case["jobs"]), additions=("relationships",)
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Tick those who are missing."""
    await sign_in(pilot, case)
    await ward.establish(pilot, case["jobs"], case["role"])


@wrong("patient_identity/critical")
async def took_a_colleagues_patient(pilot: Pilot, case: Case) -> None:
    """One more row was ticked, of a patient who belongs to somebody else."""
    await solve(pilot, misread(case, jobs=[*case["jobs"], case["other"]]))


@wrong("milestone:relationship_2")
async def forgot_one(pilot: Pilot, case: Case) -> None:
    """Only the first row was ticked."""
    await solve(pilot, misread(case, jobs=case["jobs"][:1]))


@wrong("data_accuracy/major")
async def as_covering_nurse(pilot: Pilot, case: Case) -> None:
    """The role is not the one that was meant."""
    await solve(pilot, misread(case, role="covering"))
