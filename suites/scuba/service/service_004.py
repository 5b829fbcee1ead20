"""Status and marks of a case."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import Findings, holds, judged
from ..toolkit.lightning import open_record, pick, save, start
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones

LABELS = {
    "PotentialLiability__c": "Potential Liability",
    "SLAViolation__c": "SLA Violation",
    "Priority": "Priority",
}


def case(state: State, random: Random, values: Given) -> Values:
    """Find the case, and another one; something must be left to do."""
    org = Records(state)
    case = org.one("Case", values["subject"])
    updates = {"Status": values["status"], **values["updates"]}
    words = [f"{LABELS.get(name, name)}: {value}" for name, value in updates.items()]
    return {
        "case_id": case["Id"],
        "updates_words": "; ".join(words),
        "labelled": {LABELS[name]: value for name, value in values["updates"].items()},
        # Of those that are open: no interface gives a case its first closing date back.
        "other_case": shared.other(org, random, "Case", case, IsClosed=False),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the status and the other fields of the case."""
    updates = case["updates"]
    work.may_change("Case", case["case_id"], "Status", *updates)
    row = work.after.get("Case", case["case_id"])
    yield holds("status", 0.5, row, "Status", case["status"])
    for name, wanted in updates.items():
        yield holds(name.removesuffix("__c").lower(), 0.5 / len(updates), row, name, wanted)


async def solve(pilot: Pilot, case: Case) -> None:
    """Find the case by its subject, and edit it."""
    await open_record(pilot, "Cases", case["subject"])
    await start(pilot, "Edit")
    await pick(pilot, "Status", case["status"])
    for field, value in case["updates"].items():
        await pick(pilot, LABELS[field], value)
    await save(pilot)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first case of the subject; its owner is not looked at."""
    row = first(Records(evidence.after).where("Case", Subject=case["subject"]))
    yield fact("status", 0.5, row.get("Status") == case["status"])
    for name, wanted in case["updates"].items():
        yield fact(name.removesuffix("__c").lower(), 0.5 / len(case["updates"]), row.get(name) == wanted)


@slip("record_integrity/critical", 0.0)
def changed_another_case(case: Case) -> Case:
    """Another customer's case was changed."""
    return misread(case, subject=case["other_case"])


@slip("milestone:status", 0.5)
def closed_it(case: Case) -> Case:
    """The case is gone from everybody's list."""
    return misread(case, status="Closed")
