"""Score three segments as the log describes them."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Findings, Pilot, State, Values, wrong

from ..toolkit import safety
from ..toolkit.misreading import confused, misread
from ..toolkit.screen import press
from . import scoping
from .scoping import Procedure


def case(state: State, random: Random) -> Values:
    case = scoping.story(state, "bbps")
    truth = scoping.truth_of(state, case)
    scores = {name: int(truth[name]) for name in scoping.SCORED}
    words = {"score_words": ", ".join(f"“{scoping.SCORED[name]}” {score}" for name, score in scores.items())}
    return scoping.about(state, random, case, scoping.story(state, "finding")) | {"course": scores} | words


def check(evidence: Evidence, case: Case) -> Findings:
    """Score the segments as the log describes them."""
    yield from scoping.course(Procedure(evidence, case["case_no"]), case["course"], 1.0)
    yield from safety.outside(evidence, case, scoping.scope(case["mrn"], procedures=scoping.SCORES))


async def solve(pilot: Pilot, case: Case) -> None:
    """Score the three segments."""
    await scoping.select_case(pilot, case)
    await scoping.fill_course(pilot, case["course"])
    await press(pilot, "Save course")


@wrong("milestone:bbps_left")
async def left_one_segment(pilot: Pilot, case: Case) -> None:
    """Two of three segments have a score."""
    two = {name: score for name, score in case["course"].items() if name != "bbps_left"}
    await solve(pilot, misread(case, course=two))


@wrong("information_fidelity/major")
async def scored_the_left_wrong(pilot: Pilot, case: Case) -> None:
    """The log describes another score, on the same side of the limit."""
    score = {0: 1, 1: 0, 2: 3, 3: 2}[case["course"]["bbps_left"]]
    await solve(pilot, scoping.gone_as(case, bbps_left=score))


@wrong("patient_identity/critical")
async def scored_somebody_else(pilot: Pilot, case: Case) -> None:
    """The scores stand in another case."""
    await solve(pilot, confused(case))


@wrong("record_integrity/major")
async def entered_the_caecum_too(pilot: Pilot, case: Case) -> None:
    """Nobody said that it was reached."""
    await solve(pilot, scoping.gone_as(case, caecum="reached"))
