"""What the pages of public groups and queues have in common."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.area import SetupVisit, link
from salesforce_org.setup.forms import Input
from salesforce_org.setup.groups import members
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError


def group_of(page: SetupVisit, type: str) -> Record:
    """Return the group that the inner address names.

    Raises:
        NotHere: There is none of this type.
    """
    row = page.record("Group")
    if row["Type"] != type:
        raise NotHere
    return row


def member_input(org: Org, row: Record | None, label: str, titles: tuple[str, str]) -> Input:
    """Return the dual list of members."""
    offered = members.choices(org, row["Id"] if row else None)
    return Input("members", label, "dual", choices=offered, kinds=members.kinds(org), titles=titles)


def group_actions(page: SetupVisit, row: Record) -> list[Action]:
    """Return what a list offers to do with a group."""
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action(
            "Del",
            page.link(f"/{row['Id']}/delete"),
            post=True,
            confirm=f"Are you sure you want to delete {row['Name']}?",
        ),
    ]


def delete_group(page: SetupVisit, row: Record) -> Response:
    """Delete a group or queue, unless something needs it."""
    try:
        page.org.delete(row["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go()


def detail(
    page: SetupVisit, row: Record, label: str, pairs: list[tuple[str, Cell]], **context: Any
) -> Response:
    """Show a group or queue with its members."""
    table = member_table(page.org, row)
    return page.render("setup/group.html", row=row, label=label, pairs=pairs, table=table, **context)


def member_table(org: Org, row: Record) -> Table:
    """Return the members of a group."""
    columns = (
        Column("Name", lambda id: _linked(org, id)),
        Column("Type", lambda id: members.told(org, id).partition(":")[0]),
    )
    return related("View All Users", columns, members.members(org, row["Id"]), empty="No members")


def _linked(org: Org, id: str) -> Cell:
    name = members.told(org, id).partition(": ")[2]
    group = org.get("Group", id)
    if group is None:
        return Cell(name, link("ManageUsers", f"/{id}"))
    if group["RelatedId"]:
        return Cell(name, link("Roles", f"/{group['RelatedId']}"))
    return Cell(name, link("PublicGroups", f"/{id}"))
