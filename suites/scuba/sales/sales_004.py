"""Convert a lead."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.following import OneOf
from ..toolkit.judging import ASKED, Findings, exists, holds, judged
from ..toolkit.lightning import DIALOG, enter, open_record, pick, press, start
from ..toolkit.records import Records, Row, called, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones

_ADDRESS = ("Street", "City", "State", "PostalCode", "Country")
_ACCOUNT = {
    **{f"Billing{name}": name for name in _ADDRESS},
    **{name: name for name in ("Phone", "Fax", "Website", "Industry", "AnnualRevenue", "NumberOfEmployees")},
    "Rating": "Rating",
    "AccountSource": "LeadSource",
}
_CONTACT = {
    **{f"Mailing{name}": name for name in _ADDRESS},
    **{
        name: name for name in ("Salutation", "FirstName", "LastName", "Title", "Phone", "MobilePhone", "Fax")
    },
    **{name: name for name in ("Email", "LeadSource", "Description")},
    **{name: name for name in ("HasOptedOutOfEmail", "HasOptedOutOfFax", "DoNotCall")},
}
# What a conversion writes; milestones judge what comes of it.
_CONVERSION = ("Status", "IsConverted", "ConvertedAccountId", "ConvertedContactId", "ConvertedOpportunityId")


def case(state: State, random: Random, values: Given) -> Values:
    """Find the lead, and the account of its company where there is one."""
    org = Records(state)
    lead = org.one("Lead", values["lead"], IsConverted=False)
    accounts = org.named("Account", lead["Company"])
    others = [row for row in org.where("Lead", IsConverted=False) if row["Id"] != lead["Id"]]
    return {
        "lead_id": lead["Id"],
        "company": lead["Company"],
        "account_ids": [row["Id"] for row in accounts],
        "other_lead": shared.alone(org, random, "Lead", others),
    }


def _claim_converted(work: Work, lead: Row, account: Row | None, *, new_account: bool) -> None:
    """Account for what the conversion of a lead makes and turns to the contact; a milestone judges the names."""
    contact = work.after.get("Contact", lead.get("ConvertedContactId"))
    opportunity = work.after.get("Opportunity", lead.get("ConvertedOpportunityId"))
    before = work.before.get("Lead", lead["Id"]) or {}
    place = {"AccountId": account["Id"] if account else None, **_owner(before)}
    if new_account:
        work.claim(account, "Name", **_taken(before, _ACCOUNT), **_owner(before))
    work.claim(contact, **_taken(before, _CONTACT), **place)
    work.claim(opportunity, "Name", **place, **_new_opportunity(work.before, before))
    _follow(work, lead["Id"], (contact or {}).get("Id"), (opportunity or account or {}).get("Id"))


def _taken(lead: Mapping[str, Any], fields: Mapping[str, str]) -> dict[str, Any]:
    return {own: lead[name] for own, name in fields.items() if lead.get(name) is not None}


def _owner(lead: Mapping[str, Any]) -> dict[str, Any]:
    """Return the owner that is taken over; what a queue owns goes to the user who converts."""
    owner = str(lead.get("OwnerId") or "")
    return {"OwnerId": owner} if owner.startswith("005") else {}


def _new_opportunity(org: Records, lead: Mapping[str, Any]) -> dict[str, Any]:
    stages = sorted(org.where("OpportunityStage", IsActive=True), key=lambda row: row["SortOrder"])
    campaigns = [row["CampaignId"] for row in org.where("CampaignMember", LeadId=lead.get("Id"))]
    return {
        "StageName": stages[0]["ApiName"] if stages else None,
        "CloseDate": _end_of_quarter(org.today).isoformat(),
        "LeadSource": lead.get("LeadSource"),
        "CampaignId": OneOf((None, *campaigns)),
    }


def _end_of_quarter(day: date) -> date:
    """Return the last day of a day's quarter."""
    month = (day.month + 2) // 3 * 3
    return (date(day.year, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _follow(work: Work, lead: str, contact: str | None, other: str | None) -> None:
    """Account for activities and campaign memberships of the lead, which become the contact's."""
    for object in ("Task", "Event"):
        for row in work.before.where(object, WhoId=lead):
            work.may_change(object, row["Id"], WhoId=contact, WhatId=OneOf((row.get("WhatId"), other)))
    for row in work.before.where("CampaignMember", LeadId=lead):
        work.may_change("CampaignMember", row["Id"], ContactId=contact)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the lead converted into the right account, with the opportunity."""
    unread = OneOf(((work.before.get("Lead", case["lead_id"]) or {}).get("IsUnreadByOwner"), False))
    work.may_change("Lead", case["lead_id"], *_CONVERSION, IsUnreadByOwner=unread)
    lead = work.after.get("Lead", case["lead_id"]) or {}
    converted = lead.get("IsConverted") is True
    opportunity = work.after.get("Opportunity", lead.get("ConvertedOpportunityId"))
    account = work.after.get("Account", lead.get("ConvertedAccountId"))
    if converted:
        new = account is not None and account["Id"] not in case["account_ids"]
        _claim_converted(work, lead, account, new_account=new)
    work.may_change("Account", (account or {}).get("Id"))
    yield Milestone(
        "converted", converted, 0.3, f"{case['lead']} is converted", "converted" if converted else "not"
    )
    yield exists("opportunity", 0.1, opportunity, "an opportunity of the conversion")
    yield holds("opportunity_name", 0.3, opportunity, "Name", case["opportunity"])
    yield _right_account(case, account)
    yield holds("converted_status", ASKED, lead if converted else None, "Status", "Closed - Converted")


def _right_account(case: Case, account: Row | None) -> Milestone:
    known = case["account_ids"]
    named = account is not None and same(called(account), case["company"])
    right = named and (not known or (account is not None and account["Id"] in known))
    expected = f"the {'existing' if known else 'new'} account '{case['company']}'"
    twin = " (another one than the existing)" if named and not right else ""
    return Milestone("account", right, 0.3, expected, (called(account) if account else "none") + twin)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first lead of the name; any account will do."""
    org = Records(evidence.after)
    lead = first(org.named("Lead", case["lead"]))
    opportunity = org.get("Opportunity", lead.get("ConvertedOpportunityId"))
    yield fact("converted", 0.3, lead.get("IsConverted") is True)
    yield fact("opportunity", 0.1, opportunity is not None)
    yield fact("opportunity_name", 0.3, (opportunity or {}).get("Name") == case["opportunity"])
    yield fact("account", 0.3, org.get("Account", lead.get("ConvertedAccountId")) is not None)


async def solve(pilot: Pilot, case: Case) -> None:
    """Convert the lead, into the account that the dialog offers where it offers one."""
    await open_record(pilot, "Leads", case["lead"])
    await start(pilot, "Convert")
    match = f"{DIALOG} >> label[for=convert-AccountId-1]"
    if await pilot.sees(match):
        await pilot.click(match)
    if case["opportunity"]:
        await enter(pilot, "Opportunity Name", case["opportunity"])
    await pick(pilot, "Converted Status", "Closed - Converted")
    await press(pilot, "Convert")
    await press(pilot, "Go to Leads")


@slip("milestone:opportunity_name", 0.727)
def left_the_proposed_name(case: Case) -> Case:
    """The opportunity has the name that the dialog proposes."""
    return misread(case, opportunity="")


@slip("record_integrity/critical", 0.0)
def converted_somebody_else(case: Case) -> Case:
    """There is no way back for the other lead."""
    return misread(case, lead=case["other_lead"])
