"""Accounts, contacts, leads, opportunities and campaigns: what the tasks want to be true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_cuabench.task import Case
from pytest_cuabench.verdict import Milestone

from ..judging import ASKED, Work, exists, holds, judged, listed
from ..records import Row, called, fold, same

Milestones = Iterator[Milestone]

# What a stage says of an opportunity beside its name.
STAGE = (
    "StageName",
    "Probability",
    "ForecastCategory",
    "ForecastCategoryName",
    "IsClosed",
    "IsWon",
    "ExpectedRevenue",
    "LastStageChangeDate",
)
CONVERSION = (
    "Status",
    "IsConverted",
    "ConvertedDate",
    "ConvertedAccountId",
    "ConvertedContactId",
    "ConvertedOpportunityId",
    "IsUnreadByOwner",
)


@judged
def sales_001(work: Work, case: Case) -> Milestones:
    """Have a new account, and on it the contact with what is known of the person."""
    account = work.closest("Account", {"Name": case["company"]})
    contact = work.closest("Contact", {"Name": case["contact"]}, AccountId=(account or {}).get("Id"))
    attempt = contact or next(iter(work.made("Contact")), None)
    on_it = bool(account and attempt and attempt.get("AccountId") == account["Id"])
    place = work.after.name("Account", attempt.get("AccountId")) if attempt else "no contact"
    yield exists("account", 0.2, account, f"a new account '{case['company']}'")
    yield Milestone(
        "contact_on_account", on_it, 0.2, f"a contact of {case['company']}", place or "no account"
    )
    both = bool(case["phone"] and case["email"])
    yield exists("contact_name", 0.2 if both else 0.3, contact, f"the contact {case['contact']}")
    share = 0.2 if both else 0.3
    if case["email"]:
        yield holds("email", share, contact, "Email", case["email"])
    if case["phone"]:
        yield holds("phone", share, contact, case["phone_field"], case["phone"], same_phone)


def same_phone(one: Any, other: Any) -> bool:
    """Whether two phone numbers have the same digits."""
    return re.sub(r"\D", "", str(one or "")) == re.sub(r"\D", "", str(other or ""))


@judged
def sales_002(work: Work, case: Case) -> Milestones:
    """Have every account, and those below others below them."""
    share = 1 / sum(1 + 2 * len(branch["children"]) for branch in case["tree"])
    number = 0
    for place, branch in enumerate(case["tree"], 1):
        parent = work.closest("Account", {"Name": branch["parent"]}, ParentId=None)
        top = parent if parent and not parent.get("ParentId") else None
        yield exists(f"parent_{place}", share, top, f"'{branch['parent']}' with no parent account")
        for name in branch["children"]:
            number += 1
            child = work.closest("Account", {"Name": name}, ParentId=(parent or {}).get("Id"))
            yield exists(f"child_{number}", share, child, f"an account '{name}'")
            below = bool(parent and child and child.get("ParentId") == parent["Id"])
            seen = work.after.name("Account", child.get("ParentId")) if child else "no such account"
            yield Milestone(
                f"below_{number}", below, share, f"{name} below {branch['parent']}", seen or "no parent"
            )


@judged
def sales_003(work: Work, case: Case) -> Milestones:
    """Have the lead with what was told of it."""
    facts = {"Company": case["company"], "LeadSource": case["source"], "Rating": case["rating"]}
    lead = work.closest("Lead", {"Name": case["lead"]}, **facts)
    yield exists("lead", 0.3, lead, f"a new lead {case['lead']}")
    yield holds("company", 0.2, lead, "Company", case["company"])
    yield holds("lead_source", 0.3, lead, "LeadSource", case["source"])
    yield holds("rating", 0.2, lead, "Rating", case["rating"])
    yield holds("industry", ASKED, lead, "Industry", case["industry"] or None)


@judged
def sales_004(work: Work, case: Case) -> Milestones:
    """Have the lead converted into the right account, with the opportunity."""
    work.may_change("Lead", case["lead_id"], *CONVERSION)
    lead = work.after.get("Lead", case["lead_id"]) or {}
    converted = lead.get("IsConverted") is True
    opportunity = work.after.get("Opportunity", lead.get("ConvertedOpportunityId"))
    account = work.after.get("Account", lead.get("ConvertedAccountId"))
    work.claim(opportunity, work.after.get("Contact", lead.get("ConvertedContactId")))
    if account and account["Id"] not in case["account_ids"]:
        work.claim(account)
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


_SUBTYPE = {"Event": "EventSubtype", "Task": "TaskSubtype"}


@judged
def sales_005(work: Work, case: Case) -> Milestones:
    """Have the stage, and one activity of the kind with its text."""
    work.may_change("Opportunity", case["opportunity_id"], *STAGE)
    opportunity = work.after.get("Opportunity", case["opportunity_id"])
    object = "Event" if case["activity"] == "Event" else "Task"
    identity = {"WhatId": case["opportunity_id"], _SUBTYPE[object]: case["activity"]}
    activity = work.closest(object, identity, **{case["field"]: case["text"]})
    letters = [*work.made("EmailMessage", RelatedToId=case["opportunity_id"])]
    work.claim(*letters[:1])
    yield holds("stage", 0.4, opportunity, "StageName", case["stage"])
    yield exists(
        "activity", 0.3, activity, f"an activity of the kind {case['activity']} on {case['opportunity']}"
    )
    yield holds("text", 0.3, activity, case["field"], case["text"], _same_text)
    if case["activity"] == "Email":
        yield _sent_to(case, letters)


def _same_text(one: Any, other: Any) -> bool:
    """Whether two texts agree but for a full stop at the end, and the mark that Salesforce gives emails."""
    said, wanted = (fold(text).removeprefix("email: ").rstrip(".") for text in (one, other))
    return said == wanted


def _sent_to(case: Case, letters: list[Row]) -> Milestone:
    addresses = [str(row.get("ToAddress") or "") for row in letters]
    right = len(addresses) == 1 and fold(addresses[0]) == fold(case["recipient"])
    return Milestone("recipient", right, ASKED, f"one email to {case['recipient']}", listed(addresses))


@judged
def sales_012(work: Work, case: Case) -> Milestones:
    """Have the campaign with its figures, and exactly these members."""
    facts = {"Type": case["type"], "StartDate": case["starts_on"]}
    campaign = work.closest("Campaign", {"Name": case["campaign"]}, **facts)
    yield exists("campaign", 0.1, campaign, f"a new campaign '{case['campaign']}'")
    yield holds("type", 0.1, campaign, "Type", case["type"])
    yield holds("start_date", 0.2, campaign, "StartDate", case["starts_on"])
    yield holds("budgeted_cost", 0.2, campaign, "BudgetedCost", case["budget"])
    yield holds("expected_revenue", 0.2, campaign, "ExpectedRevenue", case["revenue"])
    members = work.made("CampaignMember", CampaignId=campaign["Id"]) if campaign else []
    work.claim(*members)
    found = [row.get("LeadId") or row.get("ContactId") or "" for row in members]
    seen = listed(work.after.name("Lead", id) or work.after.name("Contact", id) for id in found)
    right = sorted(found) == sorted(case["lead_ids"])
    yield Milestone("members", right, 0.2, f"exactly {case['leads_words']}", seen)
