"""Is the stage right."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values
from pytest_cuabench.task.answer import Choice

from ..toolkit.answers import answered
from ..toolkit.judging import Findings
from ..toolkit.lightning import PAGE, open_record, press
from ..toolkit.records import Records, called, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import answer as upstream
from .shared import Given

__all__ = ["upstream"]

STAGES = (
    "Prospecting",
    "Qualification",
    "Needs Analysis",
    "Value Proposition",
    "Id. Decision Makers",
    "Perception Analysis",
    "Proposal/Price Quote",
    "Negotiation/Review",
    "Closed Won",
    "Closed Lost",
)


def case(state: State, random: Random, values: Given) -> Values:
    """Find the opportunity; its stage must be right just where that is the answer."""
    org = Records(state)
    found = org.one("Opportunity", values["opportunity"])
    tasks = org.where("Task", WhatId=found["Id"])
    if not tasks:
        raise LookupError(f"the opportunity {values['opportunity']} has no tasks")
    if same(found["StageName"], values["answer"]):
        raise LookupError(f"the stage of {values['opportunity']} is {values['answer']} already")
    return {
        "stage": found["StageName"],
        "subjects": sorted({called(row) for row in tasks}),
        "stages_words": ", ".join(STAGES),
        "other_answer": "Correct" if values["answer"] != "Correct" else "Closed Lost",
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """Name the right stage, or that it is right."""
    yield from answered(evidence, Choice(case["answer"], (*STAGES, "Correct"), words=("stage",)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the tasks of the opportunity in its timeline, the newest first."""
    await open_record(pilot, "Opportunities", case["opportunity"])
    for subject in case["subjects"]:
        await press(pilot, f"Details for {subject}", PAGE)
    await pilot.answer(case["answer"])


@slip("milestone:answer", 0.0)
def took_the_stage_for_right(case: Case) -> Case:
    """Right was called wrong, or wrong right."""
    return misread(case, answer=case["other_answer"])


@slip("milestone:answer", 0.0)
def denied_the_right_stage(case: Case) -> Case:
    """The label is there, and said not to be it."""
    return misread(case, answer=f"It is not {case['answer']}.")
