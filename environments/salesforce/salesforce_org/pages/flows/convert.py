"""Converting a lead: account, contact and opportunity, new or existing, in one dialog."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.pages import finding
from salesforce_org.pages.dialogs import dialog
from salesforce_org.pages.lookups import offer
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.rules.leads import Converted, convert_lead, converted_statuses
from salesforce_org.store import Record, SObject
from salesforce_org.store.errors import OrgError

COMPLETE = "Complete this field."
TYPED = ("account_name", "Salutation", "FirstName", "LastName", "opportunity_name", "Status")
PICKED = {"account": "AccountId", "contact": "ContactId", "opportunity": "OpportunityId"}


@page("GET", "/lightning/r/Lead/{id}/convert")
def ask(visit: Visit) -> Response:
    """Open the dialog: everything is new, and what matches is offered."""
    lead = _lead(visit)
    begin = {name: str(lead.get(name) or "") for name in ("Salutation", "FirstName", "LastName")}
    begin |= {
        "account_name": lead["Company"],
        "opportunity_name": f"{lead['Company']}-",
        "OwnerId": lead["OwnerId"],
    }
    begin |= {"Status": next(iter(converted_statuses(visit.org)), "")}
    return _ask(visit, lead, begin, {})


@page("POST", "/lightning/r/Lead/{id}/convert")
def convert(visit: Visit) -> Response:
    """Convert the lead and show what it has become."""
    lead = _lead(visit)
    given = {name: visit.field(name) for name in (*TYPED, "OwnerId")}
    given |= {f"{what}_mode": visit.field(f"{what}_mode") or "new" for what in PICKED}
    given |= {name: visit.field(name) or visit.field(f"{name}_match") for name in PICKED.values()}
    given["no_opportunity"] = visit.field("no_opportunity")
    errors = _errors(given)
    if not errors:
        try:
            with visit.org.transaction():
                made = _converted(visit, lead, given)
        except OrgError as problem:
            errors = {"": problem.message}
        else:
            return _done(visit, lead, made)
    return _ask(visit, lead, given, errors)


def _lead(visit: Visit) -> Record:
    lead = visit.org.get("Lead", visit.params["id"])
    if lead is None or lead["IsConverted"]:
        raise NotHere
    return lead


def _errors(given: dict[str, str]) -> dict[str, str]:
    needed = {"account_name": ("account", "new"), "LastName": ("contact", "new")}
    needed |= {name: (what, "existing") for what, name in PICKED.items()}
    if not given["no_opportunity"]:
        needed["opportunity_name"] = ("opportunity", "new")
    else:
        del needed["OpportunityId"]
    wrong = {
        name: COMPLETE
        for name, (what, mode) in needed.items()
        if given[f"{what}_mode"] == mode and not given[name]
    }
    return wrong | {name: COMPLETE for name in ("Status", "OwnerId") if not given[name]}


def _converted(visit: Visit, lead: Record, given: dict[str, str]) -> Converted:
    def existing(what: str) -> str | None:
        return given[PICKED[what]] if given[f"{what}_mode"] == "existing" else None

    wanted = not given["no_opportunity"]
    return convert_lead(
        visit.org,
        lead["Id"],
        existing("account"),
        existing("contact"),
        given["opportunity_name"],
        opportunity_id=existing("opportunity") if wanted else None,
        account_name=given["account_name"],
        contact={name: given[name] or None for name in ("Salutation", "FirstName", "LastName")},
        status=given["Status"],
        owner_id=given["OwnerId"] if given["OwnerId"].startswith("005") else None,
        create_opportunity=wanted,
    )


def _done(visit: Visit, lead: Record, made: Converted) -> Response:
    org = visit.org
    ids = {"Account": made.account_id, "Contact": made.contact_id, "Opportunity": made.opportunity_id}
    offers = [
        (org.schema[name], offer(org, org.schema[name], row))
        for name, id in ids.items()
        if (row := org.get(name, id))
    ]
    return dialog(
        visit, org.schema["Lead"], "flows/converted.html", "Your lead has been converted", offers=offers
    )


def _ask(visit: Visit, lead: Record, given: dict[str, str], errors: dict[str, str]) -> Response:
    org = visit.org
    modes = {f"{what}_mode": given.get(f"{what}_mode", "new") for what in PICKED}
    picked = {name: given.get(name, "") for name in PICKED.values()}
    salutation = org.schema["Lead"].field("Salutation")
    context: dict[str, Any] = {
        "given": {"no_opportunity": "", **given, **modes, **picked},
        "names": {
            name: org.name_of(id) or "" for name, id in (picked | {"OwnerId": given["OwnerId"]}).items()
        },
        "errors": errors,
        "accounts": _matches(visit, org.schema["Account"], lead["Company"]),
        "contacts": _matches(visit, org.schema["Contact"], str(org.name_of(lead["Id"]))),
        "statuses": [(one, one) for one in converted_statuses(org)],
        "salutations": [(one.value, one.label) for one in org.picklist(salutation)] if salutation else [],
        "action": visit.path,
    }
    return dialog(visit, org.schema["Lead"], "flows/convert.html", "Convert Lead", **context)


def _matches(visit: Visit, kind: SObject, name: str) -> list[Any]:
    """Return the records that are called exactly so."""
    rows = finding.find(visit.org, kind, name, 20)
    same = [row for row in rows if (visit.org.name_of(row["Id"]) or "").casefold() == name.casefold()]
    return [offer(visit.org, kind, row) for row in same[:3]]
