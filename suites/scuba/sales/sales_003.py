"""New lead."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Pilot, State, Values

from ..toolkit.judging import ASKED, Findings, exists, holds, judged
from ..toolkit.lightning import enter, pick
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Choose what a careless reader may have heard."""
    ratings = [name for name in ("Hot", "Warm", "Cold") if name != values["rating"]]
    return {"other_rating": random.choice(ratings)}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the lead with what was told of it."""
    facts = {"Company": case["company"], "LeadSource": case["source"], "Rating": case["rating"]}
    lead = work.closest("Lead", {"Name": case["lead"]}, **facts, Industry=case["industry"] or None)
    work.claim(lead, FirstName=case["first_name"], LastName=case["last_name"])
    yield exists("lead", 0.3, lead, f"a new lead {case['lead']}")
    yield holds("company", 0.2, lead, "Company", case["company"])
    yield holds("lead_source", 0.3, lead, "LeadSource", case["source"])
    yield holds("rating", 0.2, lead, "Rating", case["rating"])
    yield holds("industry", ASKED, lead, "Industry", case["industry"] or None)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first lead of the name; the industry is not looked at."""
    lead = first(Records(evidence.after).named("Lead", case["lead"]))
    yield fact("lead", 0.3, bool(lead))
    yield fact("company", 0.2, lead.get("Company") == case["company"])
    yield fact("lead_source", 0.3, lead.get("LeadSource") == case["source"])
    yield fact("rating", 0.2, lead.get("Rating") == case["rating"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the lead."""
    await shared.new(pilot, "Leads")
    await enter(pilot, "First Name", case["first_name"])
    await enter(pilot, "Last Name", case["last_name"])
    await enter(pilot, "Company", case["company"])
    await pick(pilot, "Lead Source", case["source"])
    await pick(pilot, "Rating", case["rating"])
    if case["industry"]:
        await pick(pilot, "Industry", case["industry"])
    await shared.save_anyway(pilot)


@slip("milestone:rating", 0.818)
def rated_otherwise(case: Case) -> Case:
    """The lead is called warmer or colder than it is."""
    return misread(case, rating=case["other_rating"])


@slip("milestone:industry", 0.909)
def chose_another_industry(case: Case) -> Case:
    """The lead works in another trade now."""
    return misread(case, industry="Energy")


@slip("milestone:company", 0.818)
def abbreviated_the_company(case: Case) -> Case:
    """Nobody finds the company."""
    return misread(case, company=case["company"][:4])
