"""Is a lead qualified."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values
from pytest_cuabench.task.answer import Choice

from ..toolkit.answers import answered
from ..toolkit.judging import Findings
from ..toolkit.lightning import follow, open_record, related, show_part
from ..toolkit.records import Records, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import answer as upstream
from .shared import Given

__all__ = ["upstream"]

FACTORS = ("Budget", "Authority", "Need", "Timeline", "Qualified")


def case(state: State, random: Random, values: Given) -> Values:
    """Find the lead's latest call."""
    org = Records(state)
    lead = org.one("Lead", values["lead"])
    calls = org.where("VoiceCallTranscript__c", LeadId__c=lead["Id"])
    latest = max(calls, key=lambda row: str(row.get("EndTime__c") or row.get("CreatedDate__c")))
    others = [name for name in FACTORS if name != values["answer"]]
    return {"call": called(latest), "other_answer": random.choice(others)}


def check(evidence: Evidence, case: Case) -> Findings:
    """Name what is missing, or that nothing is."""
    yield from answered(evidence, Choice(case["answer"], FACTORS, words=("lead",)))


async def solve(pilot: Pilot, case: Case) -> None:
    """Read the newest call of the lead."""
    await open_record(pilot, "Leads", case["lead"])
    await show_part(pilot, "Related")
    await follow(pilot, case["call"], related("VoiceCallTranscripts"))
    await pilot.answer(case["answer"])


@slip("milestone:answer", 0.0)
def judged_otherwise(case: Case) -> Case:
    """Something else stands in the way, or nothing does."""
    return misread(case, answer=case["other_answer"])


@slip("milestone:answer", 0.0)
def named_two_factors(case: Case) -> Case:
    """One word was asked."""
    return misread(case, answer=f"{case['answer']} and {case['other_answer']}")
