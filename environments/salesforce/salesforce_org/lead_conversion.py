"""Makes an account, a contact and an opportunity out of a lead; the page and the interfaces both do it here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.errors import NotThere

_ADDRESS = ("Street", "City", "State", "PostalCode", "Country")
_TO_ACCOUNT = {
    **{name: f"Billing{name}" for name in _ADDRESS},
    **{name: name for name in ("Phone", "Fax", "Website", "Industry", "AnnualRevenue", "NumberOfEmployees")},
    "Company": "Name",
    "Rating": "Rating",
    "LeadSource": "AccountSource",
}
_TO_CONTACT = {
    **{name: f"Mailing{name}" for name in _ADDRESS},
    **{
        name: name for name in ("Salutation", "FirstName", "LastName", "Title", "Phone", "MobilePhone", "Fax")
    },
    **{name: name for name in ("Email", "LeadSource", "Description")},
    **{name: name for name in ("HasOptedOutOfEmail", "HasOptedOutOfFax", "DoNotCall")},
}


@dataclass(frozen=True, slots=True)
class Conversion:
    """What a lead is to become.

    Attributes:
        status: The converted status that the lead ends with; the first such where it is empty.
        account_id: An account that is there already; `contact_id` and `opportunity_id` likewise.
        opportunity_name: Where it is empty, the company's name and a hyphen.
        contact_names: Salutation, first and last name of a new contact, if other than the lead's.
        owner_id: Of what is made; the lead's owner where it is empty.
        overwrite_source: Whether a contact that is there gets the lead's source.
    """

    lead_id: str
    status: str = ""
    account_id: str = ""
    account_name: str = ""
    contact_id: str = ""
    contact_names: Mapping[str, str | None] = field(default_factory=dict)
    opportunity_id: str = ""
    opportunity_name: str = ""
    with_opportunity: bool = True
    owner_id: str = ""
    overwrite_source: bool = False


@dataclass(frozen=True, slots=True)
class Converted:
    """What a lead has become."""

    lead_id: str
    account_id: str
    contact_id: str
    opportunity_id: str | None


def converted_statuses(org: Org) -> list[str]:
    """Return the lead statuses that mean a lead is converted."""
    status = org.schema["Lead"].field("Status")
    entries = org.picklist(status) if status else ()
    return [entry.value for entry in entries if entry.active and entry.more.get("converted")]


def convert(org: Org, wanted: Conversion) -> Converted:
    """Convert a lead.

    Raises:
        OrgError: It cannot be done; nothing is then changed.
    """
    lead = _open_lead(org, wanted.lead_id)
    status = _status(org, wanted.status)
    with org.transaction():
        owner = wanted.owner_id or lead["OwnerId"]
        account = _existing(org, "Account", wanted.account_id) or _new_account(org, lead, wanted, owner)
        contact = _contact(org, lead, account, wanted, owner)
        opportunity = _opportunity(org, lead, account, contact, wanted, owner)
        _follow(org, lead["Id"], contact, opportunity or account)
        done = {"IsConverted": True, "ConvertedDate": org.today().isoformat(), "Status": status}
        ends = {
            "ConvertedAccountId": account,
            "ConvertedContactId": contact,
            "ConvertedOpportunityId": opportunity,
        }
        with org.unchecked():
            org.update(lead["Id"], **done, **ends)
    return Converted(lead["Id"], account, contact, opportunity)


def _open_lead(org: Org, id: str) -> Record:
    kind, lead = org.record(id)
    if kind.name != "Lead":
        raise NotThere("The id given is not a lead's", "INVALID_ID_FIELD")
    if lead["IsConverted"]:
        raise DmlError("CANNOT_UPDATE_CONVERTED_LEAD", "The lead is converted already")
    return lead


def _status(org: Org, wanted: str) -> str:
    allowed = converted_statuses(org)
    if not allowed or (wanted and wanted not in allowed):
        raise DmlError("INVALID_STATUS", f"invalid convertedStatus: {wanted}", ("Status",))
    return wanted or allowed[0]


def _existing(org: Org, object: str, id: str) -> str:
    if not id:
        return ""
    kind, row = org.record(id)
    if kind.name != object:
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", f"{id} is no id of an {object}")
    return str(row["Id"])


def _mapped(org: Org, object: str, lead: Record, names: dict[str, str]) -> dict[str, Any]:
    """Return what a lead gives an object, as far as there is something to give and a place for it."""
    kind = org.schema[object]
    return {own: lead[name] for name, own in names.items() if kind.field(own) and lead.get(name) is not None}


def _new_account(org: Org, lead: Record, wanted: Conversion, owner: str) -> str:
    given = _mapped(org, "Account", lead, _TO_ACCOUNT)
    if wanted.account_name:
        given["Name"] = wanted.account_name
    return org.insert("Account", **{**given, "OwnerId": _person(org, owner)})


def _contact(org: Org, lead: Record, account: str, wanted: Conversion, owner: str) -> str:
    given = _mapped(org, "Contact", lead, _TO_CONTACT)
    id = _existing(org, "Contact", wanted.contact_id)
    if not id:
        place = {"AccountId": account, "OwnerId": _person(org, owner)}
        return org.insert("Contact", **{**given, **wanted.contact_names, **place})
    row = org.record(id)[1]
    if row["AccountId"] not in (None, account):
        raise DmlError(
            "INVALID_CROSS_REFERENCE_KEY", "The contact belongs to another account", ("ContactId",)
        )
    missing = {name: value for name, value in given.items() if row.get(name) is None}
    if wanted.overwrite_source and "LeadSource" in given:
        missing["LeadSource"] = given["LeadSource"]
    org.update(id, **missing, **({} if row.get("AccountId") else {"AccountId": account}))
    return id


def _opportunity(
    org: Org, lead: Record, account: str, contact: str, wanted: Conversion, owner: str
) -> str | None:
    if not wanted.with_opportunity:
        return None
    id = _existing(org, "Opportunity", wanted.opportunity_id)
    if not id:
        told = {
            "Name": wanted.opportunity_name or f"{lead['Company']}-",
            "LeadSource": lead.get("LeadSource"),
        }
        place = {"AccountId": account, "OwnerId": _person(org, owner)}
        times = {"StageName": _first_stage(org), "CloseDate": _end_of_quarter(org.today()).isoformat()}
        id = org.insert("Opportunity", **told, **place, **times)
    if not next(org.rows("OpportunityContactRole", OpportunityId=id, ContactId=contact), None):
        org.insert("OpportunityContactRole", OpportunityId=id, ContactId=contact, IsPrimary=True)
    return id


def _person(org: Org, owner: str) -> str | None:
    """Return a user who can own accounts; a queue cannot, so that the acting user does."""
    found = org.schema.of_id(owner)
    return owner if found is not None and found.name == "User" else org.user_id


def _first_stage(org: Org) -> str:
    stage = org.schema["Opportunity"].field("StageName")
    entries = [entry for entry in org.picklist(stage) if entry.active] if stage else []
    first = next((entry for entry in entries if entry.default), entries[0] if entries else None)
    if first is None:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "There is no opportunity stage to begin with", ("StageName",)
        )
    return first.value


def _end_of_quarter(today: date) -> date:
    month = (today.month - 1) // 3 * 3 + 3
    return (date(today.year, month, 28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def _follow(org: Org, lead: str, contact: str, other: str) -> None:
    """Point to the contact whatever pointed to the lead: activities and campaign memberships."""
    for object in ("Task", "Event"):
        for row in list(org.rows(object, WhoId=lead)):
            org.update(row["Id"], WhoId=contact, **({} if row.get("WhatId") else {"WhatId": other}))
    for row in list(org.rows("CampaignMember", LeadId=lead)):
        if not next(org.rows("CampaignMember", CampaignId=row["CampaignId"], ContactId=contact), None):
            with org.unchecked():
                org.update(row["Id"], ContactId=contact)
