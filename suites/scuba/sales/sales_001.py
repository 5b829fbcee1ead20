"""New account with its contact."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import Findings, exists, holds, judged
from ..toolkit.kinds import PHONE
from ..toolkit.lightning import enter, new_related
from ..toolkit.records import Records, called
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from . import shared
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Nothing has to be there; the person who is only mentioned is another one than the contact."""
    first, _, last = values["mentioned"].partition(" ")
    return {"other_first": first, "other_last": last}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a new account, and on it the contact with what is known of the person."""
    account = work.closest("Account", {"Name": case["company"]})
    facts = {"AccountId": (account or {}).get("Id")}
    facts |= {"Email": case["email"]} if case["email"] else {}
    facts |= {case["phone_field"]: case["phone"]} if case["phone"] else {}
    contact = work.closest("Contact", {"Name": case["contact"]}, **facts)
    work.claim(contact, FirstName=case["first_name"], LastName=case["last_name"])
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
        yield holds("phone", share, contact, case["phone_field"], case["phone"], PHONE)


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first account of the name, and the first contact of it."""
    org = Records(evidence.after)
    account = first(org.named("Account", case["company"]))
    contact = first(org.where("Contact", AccountId=account["Id"]) if account else [])
    both = bool(case["phone"] and case["email"])
    phones = [contact.get(name) for name in ("Phone", "MobilePhone", "HomePhone")]
    yield fact("account", 0.2, bool(account))
    yield fact("contact_on_account", 0.2 if both else 0.3, bool(contact))
    yield fact("contact_name", 0.2 if both else 0.3, called(contact) == case["contact"])
    if case["email"]:
        yield fact("email", 0.2, contact.get("Email") == case["email"])
    if case["phone"]:
        yield fact("phone", 0.2, case["phone"] in phones)


async def solve(pilot: Pilot, case: Case) -> None:
    """Enter the account, and the contact from the account's page."""
    await shared.new(pilot, "Accounts")
    await enter(pilot, "Account Name", case["company"])
    await shared.save_anyway(pilot)
    if case.values.get("on_account", True):
        await new_related(pilot, "Contacts")
    else:
        await shared.new(pilot, "Contacts")
    await enter(pilot, "First Name", case["first_name"])
    await enter(pilot, "Last Name", case["last_name"])
    if case["email"]:
        await enter(pilot, "Email", case["email"])
    if case["phone"]:
        await enter(pilot, {"MobilePhone": "Mobile"}.get(case["phone_field"], "Phone"), case["phone"])
    await shared.save_anyway(pilot)


@slip("milestone:contact_name", 0.4)
def entered_who_was_mentioned(case: Case) -> Case:
    """The contact is the person who only told of the company."""
    return misread(
        case, contact=case["mentioned"], first_name=case["other_first"], last_name=case["other_last"]
    )


@slip("milestone:contact_on_account", 0.8)
def left_the_contact_without_account(case: Case) -> Case:
    """Nobody sees where the contact belongs."""
    return misread(case, on_account=False)
