"""Work out the malnutrition risk from height, weights and a note."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "must_new")
    job = {"must": assessing.told(state, patient, "must", carry=False)}
    return assessing.assessing(state, random, patient, assessing.neighbour(state, patient), job)


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a screening that follows from height, weights and intake."""
    yield from assessing.one_form(evidence, case, "must")


async def solve(pilot: Pilot, case: Case) -> None:
    """Score the three steps and sign."""
    await assessing.sign_in_and_assess(pilot, case)


@wrong("patient_identity/critical")
async def screened_the_next_bed(pilot: Pilot, case: Case) -> None:
    """The screening stands in the next bed's record."""
    await solve(pilot, confused(case))


@wrong("milestone:loss")
async def compared_with_the_oldest_weight(pilot: Pilot, case: Case) -> None:
    """The weight of more than a year ago says nothing about the last half year."""
    loss = case["forms"]["must"]["points"]["loss"]
    await solve(pilot, assessing.rescored(case, "must", loss=0 if loss else 2))


@wrong("workflow_safety/major")
async def screening_not_signed(pilot: Pilot, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await assessing.left_as_draft(pilot, case, "must")


@wrong("record_integrity/major")
async def planned_measures_too(pilot: Pilot, case: Case) -> None:
    """A measure was started that nobody asked for."""
    await solve(pilot, case)
    await assessing.start_measures(pilot, ["dietitian"])
