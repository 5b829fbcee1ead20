"""Queues: list, page, form."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import Form, Input, Section, put_record, record_form
from salesforce_org.setup.groups import members
from salesforce_org.setup.groups.pages import delete_group, detail, group_actions, group_of, member_input
from salesforce_org.setup.shown import stamps
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, related, show_list
from salesforce_org.store import DmlError, Org, Record, SObject

QUEUES = Area("Queues", "groups")
INTRO = (
    "Queues hold records until somebody takes them. Choose the objects whose records the queue may own, and the users, "
    "roles and groups who work on them."
)
# These own records for themselves or are owned through others.
_NEVER = frozenset(
    {"Account", "Contact", "Opportunity", "Product2", "Pricebook2", "Campaign", "Asset", "Quote", "Event"}
)


@QUEUES.get("/home")
def queues(page: SetupVisit) -> Response:
    """Show all queues."""
    columns = (
        Column("Label", lambda row: Cell(row["Name"] or "", page.link(f"/{row['Id']}"))),
        Column("Queue Name", lambda row: row["DeveloperName"]),
        Column("Queue Email", lambda row: row["Email"]),
        Column("Supported Objects", lambda row: ", ".join(_labels(page.org, row))),
    )
    rows = page.org.rows("Group", Type="Queue")
    table = listing(page, "Queues", columns, rows, lambda row: group_actions(page, row))
    new = Action("New", page.link("/new"))
    told = ListPage("Queues", table, INTRO, (new,), (("all", "All Queues"),), "all", letters(page))
    return show_list(page, told)


@record_form(QUEUES, lambda page: group_of(page, "Queue"), lambda page, row: _form(page.org, row))
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a queue with its objects and members."""
    if not values["objects"]:
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", "You must select at least one supported object", ("objects",)
        )
    given = {name: values[name] for name in ("Name", "DeveloperName", "Email", "DoesSendEmailToMembers")}
    known = row["Id"] if row else None
    claim(page.org, "Group", "DeveloperName", given["DeveloperName"], "Queue Name", known, Type="Queue")
    id = put_record(page.org, "Group", row, given if row else {**given, "Type": "Queue"})
    _set_objects(page.org, id, values["objects"])
    members.set_members(page.org, id, values["members"])
    return f"/{id}"


@QUEUES.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a queue, unless something needs it."""
    return delete_group(page, group_of(page, "Queue"))


@QUEUES.get("/{id}")
def show(page: SetupVisit) -> Response:
    """Show a queue with its objects and members."""
    row = group_of(page, "Queue")
    pairs = [
        ("Label", Cell(row["Name"] or "")),
        ("Queue Email", Cell(row["Email"] or "")),
        ("Queue Name", Cell(row["DeveloperName"] or "")),
        ("Send Email to Members", Cell(checked=bool(row["DoesSendEmailToMembers"]))),
        *stamps(page.org, row),
    ]
    objects = related("Supported Objects", (Column("Object", lambda label: label),), _labels(page.org, row))
    return detail(page, row, "Queue", pairs, objects=objects)


def queueable(org: Org) -> list[SObject]:
    """Return the objects whose records a queue may own, by label."""
    found = (
        one
        for one in org.schema.objects.values()
        if one.searchable
        and one.name not in _NEVER
        and (owner := one.field("OwnerId"))
        and "Group" in owner.to
    )
    return sorted(found, key=lambda one: one.label.casefold())


def _objects(org: Org, queue_id: str) -> dict[str, str]:
    """Return the row of each object that a queue may own."""
    return {row["SobjectType"]: row["Id"] for row in org.rows("QueueSobject", QueueId=queue_id)}


def _labels(org: Org, row: Record) -> list[str]:
    kinds = (org.schema.get(name) for name in _objects(org, row["Id"]))
    return sorted(kind.label for kind in kinds if kind)


def _set_objects(org: Org, queue_id: str, wanted: list[str]) -> None:
    kept = _objects(org, queue_id)
    for name, row_id in kept.items():
        if name not in wanted:
            org.delete(row_id)
    for name in dict.fromkeys(wanted):
        if name not in kept:
            org.insert("QueueSobject", QueueId=queue_id, SobjectType=name)


def _form(org: Org, row: Record | None) -> Form:
    naming = (
        Input("Name", "Label", required=True, length=40, fills="DeveloperName"),
        Input("DeveloperName", "Queue Name", required=True, length=80),
        Input("Email", "Queue Email", "email", length=80),
        Input("DoesSendEmailToMembers", "Send Email to Members", "checkbox"),
    )
    offered = [Choice(one.name, one.label) for one in queueable(org)]
    objects = Input(
        "objects",
        "Supported Objects",
        "dual",
        choices=offered,
        titles=("Available Objects", "Selected Objects"),
    )
    people = member_input(org, row, "Queue Members", ("Available Members", "Selected Members"))
    sections = (
        Section("Queue Name and Email Address", naming),
        Section("Supported Objects", (objects,)),
        Section("Queue Members", (people,)),
    )
    values: dict[str, Any] = dict(row) if row else {}
    values["objects"] = list(_objects(org, row["Id"])) if row else []
    values["members"] = members.members(org, row["Id"]) if row else []
    title = row["Name"] if row else "New Queue"
    intro = "Notification emails go to the queue's address; tick the box to send them to its members, too."
    return Form(title, "Queue", sections, values, intro=intro)
