"""Campaign with leads."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import dates
from ..toolkit.judging import Findings, exists, holds, judged, listed
from ..toolkit.lightning import DIALOG, enter, enter_date, new_related, pick, press, save, select_row
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Find the leads, and work out the date."""
    org = Records(state)
    leads = [org.one("Lead", name, IsConverted=False) for name in values["leads"]]
    ids = [row["Id"] for row in leads]
    others = [row for row in org.where("Lead", IsConverted=False) if row["Id"] not in ids]
    return {
        "lead_ids": ids,
        "leads_words": " and ".join(values["leads"]),
        "other_lead": shared.alone(org, random, "Lead", others),
        "starts_on": dates.after(org.today, values["starts"]).isoformat(),
        "starts_words": dates.words(values["starts"]),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the campaign with its figures, and exactly these members."""
    facts = {
        "Type": case["type"],
        "StartDate": case["starts_on"],
        "BudgetedCost": case["budget"],
        "ExpectedRevenue": case["revenue"],
    }
    campaign = work.closest("Campaign", {"Name": case["campaign"]}, **facts)
    yield exists("campaign", 0.1, campaign, f"a new campaign '{case['campaign']}'")
    yield holds("type", 0.1, campaign, "Type", case["type"])
    yield holds("start_date", 0.2, campaign, "StartDate", case["starts_on"])
    yield holds("budgeted_cost", 0.2, campaign, "BudgetedCost", case["budget"])
    yield holds("expected_revenue", 0.2, campaign, "ExpectedRevenue", case["revenue"])
    members = work.made("CampaignMember", CampaignId=campaign["Id"]) if campaign else []
    statuses = work.after.where("CampaignMemberStatus", CampaignId=(campaign or {}).get("Id"), IsDefault=True)
    for member in members:
        work.claim(
            member, "CampaignId", "LeadId", ContactId=None, Status=statuses[0]["Label"] if statuses else None
        )
    found = [row.get("LeadId") or "" for row in members]
    seen = listed(work.after.name("Lead", id) for id in found)
    right = sorted(found) == sorted(case["lead_ids"])
    yield Milestone("members", right, 0.2, f"exactly {case['leads_words']}", seen)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first campaign of the name, and the names of its members."""
    org = Records(evidence.after)
    campaign = first(org.named("Campaign", case["campaign"]))
    members: list[Any] = org.where("CampaignMember", CampaignId=campaign["Id"]) if campaign else []
    starts = (org.today + timedelta(weeks=int(case["starts"]["weeks"]))).isoformat()
    names = {org.name("Lead", row.get("LeadId")) for row in members}
    yield fact("campaign", 0.1, bool(campaign))
    yield fact("type", 0.1, campaign.get("Type") == case["type"])
    yield fact("start_date", 0.2, campaign.get("StartDate") == starts)
    yield fact("budgeted_cost", 0.2, campaign.get("BudgetedCost") == case["budget"])
    yield fact("expected_revenue", 0.2, campaign.get("ExpectedRevenue") == case["revenue"])
    yield fact("members", 0.2, names == set(case["leads"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Plan the campaign, then add the leads from its members."""
    await shared.new(pilot, "Campaigns")
    await enter(pilot, "Campaign Name", case["campaign"])
    await pick(pilot, "Type", case["type"])
    await enter_date(pilot, "Start Date", case["starts_on"])
    await enter(pilot, "Budgeted Cost in Campaign", str(case["budget"]))
    await enter(pilot, "Expected Revenue in Campaign", str(case["revenue"]))
    await save(pilot)
    await new_related(pilot, "Campaign Members", "Add Leads")
    for name in case["leads"]:
        await pilot.fill(f"{DIALOG} >> #member-search", name)
        await select_row(pilot, name, DIALOG)
    await press(pilot, "Next")
    await save(pilot, "Submit")


@slip("milestone:members", 0.8)
def invited_somebody_else_too(case: Case) -> Case:
    """One lead hears of it who should not."""
    return misread(case, leads=[*case["leads"], case["other_lead"]])


@slip("milestone:expected_revenue", 0.8)
def expected_the_budget(case: Case) -> Case:
    """The revenue is not multiplied."""
    return misread(case, revenue=case["budget"])
