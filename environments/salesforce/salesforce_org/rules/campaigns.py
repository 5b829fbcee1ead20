"""Campaigns, their members, and the figures that come from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from salesforce_org.rules.registry import RULES, number
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record

PEOPLE = ("LeadId", "ContactId", "AccountId")


@RULES.on("after", "Campaign")
def statuses(change: Change) -> None:
    """A new campaign has the org's usual member statuses."""
    if change.old is not None:
        return
    tree = change.org.component("StandardValueSet", "CampaignMemberStatus") or {"standardValue": []}
    for order, value in enumerate(tree["standardValue"], 1):
        change.org.insert(
            "CampaignMemberStatus",
            CampaignId=change.id,
            Label=value["value"],
            SortOrder=order,
            IsDefault=value.get("default", False),
            HasResponded=value.get("responded", False),
        )


@RULES.on("before", "CampaignMember")
def member(change: Change) -> None:
    """A member is one lead, contact or account, in a campaign once, with one of the campaign's statuses."""
    org, new = change.org, change.new
    if change.old is None:
        _one_person(change)
    known = {row["Label"]: row for row in org.rows("CampaignMemberStatus", CampaignId=new["CampaignId"])}
    if new["Status"] not in known:
        default = next((label for label, row in known.items() if row["IsDefault"]), next(iter(known), None))
        new["Status"] = default if new["Status"] is None else new["Status"]
    responded = bool(known.get(new["Status"], {}).get("HasResponded"))
    if responded and not new["HasResponded"]:
        new["FirstRespondedDate"] = new["FirstRespondedDate"] or org.today().isoformat()
    new["HasResponded"] = responded


def _one_person(change: Change) -> None:
    new = change.new
    given = [name for name in PEOPLE if new[name]]
    if len(given) != 1:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "A campaign member is one lead, one contact or one account", PEOPLE
        )
    for row in change.org.rows("CampaignMember", CampaignId=new["CampaignId"], **{given[0]: new[given[0]]}):
        if row["Id"] != change.id:
            raise DmlError("DUPLICATE_VALUE", "Already a campaign member.", (given[0],))


def member_statuses(org: Org, campaign_id: str) -> list[Record]:
    """Return the statuses that members of a campaign can have, in their order."""
    found = org.rows("CampaignMemberStatus", CampaignId=campaign_id)
    return sorted(found, key=lambda row: row["SortOrder"] or 0)


def add_members(
    org: Org, campaign_id: str, object: str, ids: Iterable[str], status: str, overwrite: bool = False
) -> int:
    """Make leads or contacts members of a campaign; returns how many are new or have their status overwritten."""
    count = 0
    for id in ids:
        who = {f"{object}Id": id}
        known = next(org.rows("CampaignMember", CampaignId=campaign_id, **who), None)
        if known is None:
            org.insert("CampaignMember", CampaignId=campaign_id, Status=status or None, **who)
        elif overwrite:
            org.update(known["Id"], Status=status)
        count += known is None or overwrite
    return count


@RULES.on("before", "CampaignMemberStatus")
def one_label(change: Change) -> None:
    """A campaign has a status once."""
    new = change.new
    for row in change.org.rows("CampaignMemberStatus", CampaignId=new["CampaignId"], Label=new["Label"]):
        if row["Id"] != change.id:
            raise DmlError("DUPLICATE_VALUE", "The campaign has this member status already", ("Label",))


def person(org: Org, row: Record) -> Record:
    """Return the lead, contact or account that is the member."""
    for name, object in zip(PEOPLE, ("Lead", "Contact", "Account"), strict=True):
        found = org.get(object, row[name])
        if found is not None:
            return found
    return {}


def _of_person(name: str) -> Callable[[Org, Record], Any]:
    def value(org: Org, row: Record) -> Any:
        return person(org, row).get(name)

    return value


for _computed, _field in (
    ("name", "Name"),
    ("salutation", "Salutation"),
    ("first_name", "FirstName"),
    ("last_name", "LastName"),
    ("title", "Title"),
    ("email", "Email"),
    ("phone", "Phone"),
    ("mobile", "MobilePhone"),
    ("lead_source", "LeadSource"),
    ("person", "Id"),
    ("owner", "OwnerId"),
):
    RULES.compute(f"member_{_computed}")(_of_person(_field))


@RULES.compute("member_company")
def company(org: Org, row: Record) -> str | None:
    """A lead's company, a contact's account."""
    found = person(org, row)
    account = org.get("Account", found.get("AccountId"))
    return found.get("Company") or (account["Name"] if account else None)


@RULES.compute("member_type")
def kind(org: Org, row: Record) -> str:
    """Of which object the member is."""
    return next((name.removesuffix("Id") for name in PEOPLE if row[name]), "Lead")


def _count(what: Callable[[Org, Record], bool]) -> Callable[[Org, Record], int]:
    def value(org: Org, row: Record) -> int:
        return sum(what(org, one) for one in org.rows("CampaignMember", CampaignId=row["Id"]))

    return value


def _converted(org: Org, row: Record) -> bool:
    lead = org.get("Lead", row["LeadId"])
    return bool(lead and lead["IsConverted"])


RULES.compute("campaign_leads")(_count(lambda org, row: bool(row["LeadId"])))
RULES.compute("campaign_contacts")(_count(lambda org, row: bool(row["ContactId"])))
RULES.compute("campaign_responses")(_count(lambda org, row: bool(row["HasResponded"])))
RULES.compute("campaign_converted_leads")(_count(_converted))


def _of_opportunities(field: str | None, **equal: Any) -> Callable[[Org, Record], float]:
    def value(org: Org, row: Record) -> float:
        found = org.rows("Opportunity", CampaignId=row["Id"], **equal)
        return sum(1 if field is None else number(one, field) for one in found)

    return value


RULES.compute("campaign_opportunities")(_of_opportunities(None))
RULES.compute("campaign_won_opportunities")(_of_opportunities(None, IsWon=True))
RULES.compute("campaign_amount")(_of_opportunities("Amount"))
RULES.compute("campaign_amount_won")(_of_opportunities("Amount", IsWon=True))
