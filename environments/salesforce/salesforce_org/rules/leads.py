"""Leads and their conversion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from salesforce_org.rules.contracts import months_later
from salesforce_org.rules.registry import RULES, settle
from salesforce_org.store.errors import DmlError, NotThere
from salesforce_org.store.org import Change, Org, Record

ADDRESS = ("Street", "City", "State", "PostalCode", "Country")
TO_ACCOUNT = ("Phone", "Fax", "Website", "Industry", "Rating", "AnnualRevenue", "NumberOfEmployees")
TO_CONTACT = (
    "Salutation",
    "FirstName",
    "LastName",
    "Title",
    "Phone",
    "MobilePhone",
    "Fax",
    "Email",
    "LeadSource",
)
FLAGS = ("HasOptedOutOfEmail", "HasOptedOutOfFax", "DoNotCall")


@dataclass(frozen=True, slots=True)
class Converted:
    """What a lead became; no opportunity where none was wanted."""

    account_id: str
    contact_id: str
    opportunity_id: str | None


@RULES.on("before", "Lead")
def converted_stays(change: Change) -> None:
    """A converted lead changes no more."""
    if change.old and change.old["IsConverted"] and change.org.checked:
        raise DmlError("CANNOT_UPDATE_CONVERTED_LEAD", "cannot reference converted lead")


def convert_lead(
    org: Org,
    lead_id: str,
    account_id: str | None = None,
    contact_id: str | None = None,
    opportunity_name: str | None = None,
    *,
    opportunity_id: str | None = None,
    account_name: str | None = None,
    contact: dict[str, Any] | None = None,
    status: str | None = None,
    owner_id: str | None = None,
    create_opportunity: bool = True,
) -> Converted:
    """Make account, contact and opportunity out of a lead, or attach it to ones that exist.

    Args:
        account_id: An account to use; without, one is made with the lead's company as its name.
        contact_id: A contact to use; it must be of that account.
        opportunity_id: An opportunity to use instead of a new one.
        opportunity_name: Of the new one; the company's name and a dash where none is given.
        contact: Salutation, FirstName, LastName of the new contact, if other than the lead's.
        status: A status that means converted; the first such one where none is given.

    Raises:
        DmlError: The lead is converted already, or something given does not fit.
        NotThere: There is no such lead.
    """
    lead = org.get("Lead", lead_id)
    if lead is None:
        raise NotThere
    if lead["IsConverted"]:
        raise DmlError("CANNOT_UPDATE_CONVERTED_LEAD", "This lead is converted already")
    status = _converted_status(org, status)
    owner = owner_id or _user(lead["OwnerId"]) or org.user_id
    with org.transaction():
        account = _account(org, lead, account_id, account_name, owner)
        person = _contact(org, lead, account, contact_id, contact or {}, owner)
        sold = opportunity_id
        if sold is None and create_opportunity:
            sold = _opportunity(org, lead, account, person, opportunity_name, owner)
        settle(
            org,
            lead_id,
            Status=status,
            IsConverted=True,
            ConvertedDate=org.today().isoformat(),
            ConvertedAccountId=account,
            ConvertedContactId=person,
            ConvertedOpportunityId=sold,
            IsUnreadByOwner=False,
        )
        _move(org, lead_id, account, person, sold)
    return Converted(account, person, sold)


def converted_statuses(org: Org) -> list[str]:
    """Return the lead statuses that mean converted."""
    field = org.schema["Lead"].field("Status")
    assert field is not None
    return [one.value for one in org.picklist(field) if one.active and one.more.get("converted")]


def _converted_status(org: Org, status: str | None) -> str:
    known = converted_statuses(org)
    if status is None and known:
        return known[0]
    if status not in known:
        raise DmlError("INVALID_STATUS", f"{status} is no status of converted leads", ("Status",))
    return status


def _user(owner: str | None) -> str | None:
    return owner if owner and owner.startswith("005") else None


def _account(org: Org, lead: Record, given: str | None, name: str | None, owner: str | None) -> str:
    if given is not None:
        if org.get("Account", given) is None:
            raise DmlError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", ("AccountId",))
        return given
    address = {f"Billing{part}": lead[part] for part in ADDRESS}
    copied = {name: lead[name] for name in TO_ACCOUNT}
    return org.insert(
        "Account",
        Name=name or lead["Company"],
        AccountSource=lead["LeadSource"],
        OwnerId=owner,
        **address,
        **copied,
    )


def _contact(
    org: Org, lead: Record, account: str, given: str | None, names: dict[str, Any], owner: str | None
) -> str:
    if given is not None:
        found = org.get("Contact", given)
        if found is None or found["AccountId"] not in (None, account):
            raise DmlError("INVALID_CROSS_REFERENCE_KEY", "The contact is of another account", ("ContactId",))
        if found["AccountId"] is None:
            org.update(given, AccountId=account)
        return given
    address = {f"Mailing{part}": lead[part] for part in ADDRESS}
    copied = {name: lead[name] for name in (*TO_CONTACT, *FLAGS)} | names
    return org.insert("Contact", AccountId=account, OwnerId=owner, **address, **copied)


def _opportunity(
    org: Org, lead: Record, account: str, contact: str, name: str | None, owner: str | None
) -> str:
    today = org.today()
    quarter_end = months_later(today.replace(day=1), 3 - (today.month - 1) % 3)
    made = org.insert(
        "Opportunity",
        Name=name or f"{lead['Company']}-",
        AccountId=account,
        StageName=_first_stage(org),
        CloseDate=(quarter_end - quarter_end.resolution).isoformat(),
        LeadSource=lead["LeadSource"],
        OwnerId=owner,
    )
    org.insert("OpportunityContactRole", OpportunityId=made, ContactId=contact, IsPrimary=True)
    return made


def _first_stage(org: Org) -> str:
    field = org.schema["Opportunity"].field("StageName")
    assert field is not None
    return next(one.value for one in org.picklist(field) if one.active)


def _move(org: Org, lead_id: str, account: str, contact: str, sold: str | None) -> None:
    """Activities and campaigns of the lead are the contact's from now on."""
    for object in ("Task", "Event"):
        for row in org.rows(object, WhoId=lead_id):
            org.update(row["Id"], WhoId=contact, WhatId=sold or account)
    for row in org.rows("CampaignMember", LeadId=lead_id):
        if not next(org.rows("CampaignMember", CampaignId=row["CampaignId"], ContactId=contact), None):
            settle(org, row["Id"], ContactId=contact)
