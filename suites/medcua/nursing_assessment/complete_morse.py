"""Turn the mobility round and the facts of the chart into a Morse score."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit.misreading import confused
from . import assessing


def case(state: State, random: Random) -> Values:
    patient = assessing.patient(state, "morse_new")
    job = {"morse": assessing.told(state, patient, "morse", carry=False)}
    return assessing.assessing(state, random, patient, assessing.neighbour(state, patient), job)


def check(evidence: Evidence, case: Case) -> Findings:
    """Sign a Morse that says what the chart and the mobility round tell."""
    yield from assessing.one_form(evidence, case, "morse")


async def solve(pilot: Pilot, case: Case) -> None:
    """Score the six items and sign."""
    await assessing.sign_in_and_assess(pilot, case)


@wrong("patient_identity/critical")
async def scored_the_next_bed(pilot: Pilot, case: Case) -> None:
    """The form of the next bed was opened."""
    await solve(pilot, confused(case))


@wrong("milestone:secondary")
async def overlooked_the_diagnoses(pilot: Pilot, case: Case) -> None:
    """The further diagnoses of the chart were taken the wrong way round."""
    told = case["forms"]["morse"]["points"]["secondary"]
    await solve(pilot, assessing.rescored(case, "morse", secondary=15 - told))


@wrong("data_accuracy/major")
async def took_the_walk_for_normal(pilot: Pilot, case: Case) -> None:
    """Neither the gait nor the fall nor the line was seen: the risk reads far too low."""
    await solve(pilot, assessing.rescored(case, "morse", gait=0, history=0, iv=0, aid=0))


@wrong("workflow_safety/major")
async def morse_not_signed(pilot: Pilot, case: Case) -> None:
    """Everything is right, but it is a draft."""
    await assessing.left_as_draft(pilot, case, "morse")
