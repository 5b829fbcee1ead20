"""Public groups: list, page, form."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, put_record, record_form
from salesforce_org.setup.groups import members
from salesforce_org.setup.groups.pages import delete_group, detail, group_actions, group_of, member_input
from salesforce_org.setup.shown import named, stamps
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import Org, Record

GROUPS = Area("PublicGroups", "groups")
INTRO = "Groups of users, roles and other groups, to share records and folders with and to use in rules."


@GROUPS.get("/home")
def groups(page: SetupVisit) -> Response:
    """Show all public groups."""
    columns = (
        Column("Label", lambda row: Cell(row["Name"] or "", page.link(f"/{row['Id']}"))),
        Column("Group Name", lambda row: row["DeveloperName"]),
        Column("Created By", lambda row: named(page.org, row["CreatedById"])),
    )
    rows = page.org.rows("Group", Type="Regular")
    table = listing(page, "Public Groups", columns, rows, lambda row: group_actions(page, row))
    new = Action("New", page.link("/new"))
    told = ListPage("Public Groups", table, INTRO, (new,), (("all", "All"),), "all", letters(page))
    return show_list(page, told)


@record_form(GROUPS, lambda page: group_of(page, "Regular"), lambda page, row: _form(page.org, row))
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a group with its members."""
    given = {name: values[name] for name in ("Name", "DeveloperName", "DoesIncludeBosses")}
    known = row["Id"] if row else None
    claim(page.org, "Group", "DeveloperName", given["DeveloperName"], "Group Name", known, Type="Regular")
    id = put_record(page.org, "Group", row, given if row else {**given, "Type": "Regular"})
    members.set_members(page.org, id, values["members"])
    return f"/{id}"


@GROUPS.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a group, unless something needs it."""
    return delete_group(page, group_of(page, "Regular"))


@GROUPS.get("/{id}")
def show(page: SetupVisit) -> Response:
    """Show a group with its members."""
    row = group_of(page, "Regular")
    pairs = [
        ("Label", Cell(row["Name"] or "")),
        ("Grant Access Using Hierarchies", Cell(checked=bool(row["DoesIncludeBosses"]))),
        ("Group Name", Cell(row["DeveloperName"] or "")),
        ("", Cell()),
        *stamps(page.org, row),
    ]
    return detail(page, row, "Group", pairs)


def _form(org: Org, row: Record | None) -> Form:
    inputs = (
        Input("Name", "Label", required=True, length=40, fills="DeveloperName"),
        Input("DeveloperName", "Group Name", required=True, length=80),
        Input("DoesIncludeBosses", "Grant Access Using Hierarchies", "checkbox"),
        member_input(org, row, "Members", ("Available Members", "Selected Members")),
    )
    values: dict[str, Any] = dict(row) if row else {"DoesIncludeBosses": True}
    values["members"] = members.members(org, row["Id"]) if row else []
    title = row["Name"] if row else "New Group"
    return Form(title, "Group", (Section("Group Information", inputs),), values)
