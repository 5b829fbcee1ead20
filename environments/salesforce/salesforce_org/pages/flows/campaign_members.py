"""Members of campaigns: choose several people for a campaign, or a campaign for one, then say with which status."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.pages import finding
from salesforce_org.pages.dialogs import back, dialog
from salesforce_org.pages.formats import record_href
from salesforce_org.pages.forms import COMPLETE
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.routing import page
from salesforce_org.pages.tables import Table, table
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.rules.campaigns import add_members, member_statuses
from salesforce_org.store import Record
from salesforce_org.store.errors import OrgError

LISTED = 25
NOBODY = "Select at least one record."


@dataclass(frozen=True, slots=True)
class People:
    """Who can be added by a flow, and what its table says of them."""

    object: str
    columns: tuple[str, ...]


FLOWS = {
    "add-leads": People("Lead", ("Name", "Company", "Phone", "Email", "Status")),
    "add-contacts": People("Contact", ("Name", "AccountId", "Phone", "Email", "Title")),
}


@page("GET", "/lightning/r/Campaign/{id}/add-leads")
def ask_leads(visit: Visit) -> Response:
    """Offer leads, those that fit what is typed."""
    return _offer(visit, "add-leads", visit.query.getlist("ids"))


@page("GET", "/lightning/r/Campaign/{id}/add-contacts")
def ask_contacts(visit: Visit) -> Response:
    """Offer contacts, those that fit what is typed."""
    return _offer(visit, "add-contacts", visit.query.getlist("ids"))


@page("POST", "/lightning/r/Campaign/{id}/add-leads")
def add_leads(visit: Visit) -> Response:
    """Go on with the leads that were chosen."""
    return _go_on(visit, "add-leads")


@page("POST", "/lightning/r/Campaign/{id}/add-contacts")
def add_contacts(visit: Visit) -> Response:
    """Go on with the contacts that were chosen."""
    return _go_on(visit, "add-contacts")


@page("GET", "/lightning/r/Lead/{id}/add-to-campaign")
def ask_campaign_of_lead(visit: Visit) -> Response:
    """Ask to which campaign a lead is added."""
    return _ask_campaign(visit, "add-leads")


@page("POST", "/lightning/r/Lead/{id}/add-to-campaign")
def add_lead(visit: Visit) -> Response:
    """Go on with the campaign that was chosen for a lead."""
    return _with_campaign(visit, "add-leads")


@page("GET", "/lightning/r/Contact/{id}/add-to-campaign")
def ask_campaign_of_contact(visit: Visit) -> Response:
    """Ask to which campaign a contact is added."""
    return _ask_campaign(visit, "add-contacts")


@page("POST", "/lightning/r/Contact/{id}/add-to-campaign")
def add_contact(visit: Visit) -> Response:
    """Go on with the campaign that was chosen for a contact."""
    return _with_campaign(visit, "add-contacts")


def _ask_campaign(visit: Visit, flow: str, problem: str = "") -> Response:
    kind = visit.org.schema[FLOWS[flow].object]
    if visit.org.get(kind.name, visit.params["id"]) is None:
        raise NotHere
    context = {"action": visit.path, "back": visit.field("back") or back(visit), "problem": problem}
    return dialog(visit, kind, "flows/choose_campaign.html", "Add to Campaign", **context)


def _with_campaign(visit: Visit, flow: str) -> Response:
    """Ask for the status in the campaign; from there it goes on as from the campaign's page."""
    who = visit.org.get(FLOWS[flow].object, visit.params["id"])
    campaign = visit.org.get("Campaign", visit.field("CampaignId"))
    if who is None or campaign is None:
        return _ask_campaign(visit, flow, COMPLETE)
    return _ask_status(visit, flow, campaign, [who["Id"]])


def _go_on(visit: Visit, flow: str) -> Response:
    """After the people the status is asked for, after the status they are added."""
    told = FLOWS[flow]
    ids = [id for id in dict.fromkeys(map(str, visit.form.getlist("ids"))) if visit.org.get(told.object, id)]
    if not ids or visit.field("step") == "back":
        return _offer(visit, flow, ids, "" if ids else NOBODY)
    if visit.field("step") != "submit":
        return _ask_status(visit, flow, _campaign(visit), ids)
    try:
        with visit.org.transaction():
            overwrite = visit.field("again") == "overwrite"
            count = add_members(
                visit.org, visit.params["id"], told.object, ids, visit.field("Status"), overwrite
            )
    except OrgError as problem:
        return _ask_status(visit, flow, _campaign(visit), ids, problem.message)
    return _done(visit, flow, count)


def _done(visit: Visit, flow: str, count: int) -> Response:
    kind = visit.org.schema[FLOWS[flow].object]
    campaign = _campaign(visit)
    said = f"{count} {(kind.label if count == 1 else kind.plural).lower()} added to {campaign['Name']}."
    return visit.go(visit.field("back") or record_href("Campaign", campaign["Id"]), said)


def _offer(visit: Visit, flow: str, ids: list[str], problem: str = "") -> Response:
    text = visit.query.get("q", "").strip()
    kind = visit.org.schema[FLOWS[flow].object]
    context = _frame(visit, flow, _campaign(visit)) | {
        "chosen": ids,
        "people": _people(visit, flow, ids, text),
        "who": kind,
        "text": text,
        "problem": problem,
    }
    if visit.fragment == "member-results":
        return visit.render("flows/member_results.html", **context)
    title = f"Add {kind.plural} to Campaign"
    return dialog(visit, visit.org.schema["Campaign"], "flows/add_members.html", title, **context)


def _people(visit: Visit, flow: str, ids: list[str], text: str) -> Table:
    """Return whoever is chosen already, and below them whoever fits."""
    org, told = visit.org, FLOWS[flow]
    kind = org.schema[told.object]
    chosen = [row for id in ids if (row := org.get(told.object, id)) is not None]
    seen = visit.login.recent if visit.login else []
    found = finding.find(org, kind, text, LISTED) if text else finding.recent(org, kind, seen, LISTED)
    rows = [*chosen, *(row for row in found if row["Id"] not in ids)]
    return table(org, layout_of(kind), told.columns, rows)


def _ask_status(visit: Visit, flow: str, campaign: Record, ids: list[str], problem: str = "") -> Response:
    statuses = member_statuses(visit.org, campaign["Id"])
    default = next((row["Label"] for row in statuses if row["IsDefault"]), "")
    context = _frame(visit, flow, campaign) | {
        "ids": ids,
        "statuses": [(row["Label"], row["Label"]) for row in statuses],
        "chosen": visit.field("Status") or default,
        "again": visit.field("again") or "keep",
        "who": visit.org.schema[FLOWS[flow].object],
        "problem": problem,
    }
    return dialog(
        visit, visit.org.schema["Campaign"], "flows/member_status.html", "Add to Campaign", **context
    )


def _frame(visit: Visit, flow: str, campaign: Record) -> dict[str, Any]:
    return {
        "campaign": campaign,
        "action": f"/lightning/r/Campaign/{campaign['Id']}/{flow}",
        "back": visit.field("back") or back(visit),
    }


def _campaign(visit: Visit) -> Record:
    campaign = visit.org.get("Campaign", visit.params["id"])
    if campaign is None:
        raise NotHere
    return campaign
