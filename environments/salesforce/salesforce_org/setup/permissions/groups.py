"""Permission set groups: list, page, the sets in a group."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import Area, SetupVisit, link
from salesforce_org.setup.forms import Form, Input, Section, put_record, record_form
from salesforce_org.setup.permissions.access import is_plain, plain_sets, rename, sets_in
from salesforce_org.setup.permissions.assigning import Assigning
from salesforce_org.setup.permissions.settings import ObjectSettings
from salesforce_org.setup.shown import named, stamps
from salesforce_org.setup.tables import (
    Action,
    Cell,
    Column,
    ListPage,
    Table,
    letters,
    listing,
    related,
    show_list,
)
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

GROUPS = Area("PermSetGroups", "user")
Assigning("PermissionSetGroup", "PermissionSetGroupId", "MasterLabel").register(GROUPS)
ObjectSettings(
    "PermissionSetGroup",
    "Permission Set Group",
    "MasterLabel",
    lambda org, row: [one["Id"] for one in sets_in(org, row["Id"])],
    False,
).register(GROUPS)
INTRO = "Bundle permission sets for a job, and assign the group instead of every permission set by itself."


@GROUPS.get("/home")
def groups(page: SetupVisit) -> Response:
    """Show all permission set groups."""
    columns = (
        Column(
            "Permission Set Group Label", lambda row: Cell(row["MasterLabel"], page.link(f"/{row['Id']}"))
        ),
        Column("API Name", lambda row: row["DeveloperName"]),
        Column("Status", lambda row: row["Status"]),
        Column("Permission Sets", lambda row: str(len(sets_in(page.org, row["Id"])))),
        Column("Description", lambda row: row["Description"]),
    )
    rows = page.org.rows("PermissionSetGroup")
    table = listing(page, "Permission Set Groups", columns, rows, lambda row: _actions(page, row))
    views = (("all", "All Permission Set Groups"),)
    new = Action("New Permission Set Group", page.link("/new"))
    told = ListPage("Permission Set Groups", table, INTRO, (new,), views, "all", letters(page))
    return show_list(page, told)


@record_form(GROUPS, lambda page: page.record("PermissionSetGroup"), lambda page, row: _form(row))
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a group; what names it follows it to another name."""
    claim(
        page.org,
        "PermissionSetGroup",
        "DeveloperName",
        values["DeveloperName"],
        "API Name",
        row["Id"] if row else None,
    )
    id = put_record(page.org, "PermissionSetGroup", row, values)
    if row:
        rename(page.org, "PermissionSetGroup", row["DeveloperName"], values["DeveloperName"])
    return f"/{id}"


@GROUPS.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a group."""
    row = page.record("PermissionSetGroup")
    try:
        page.org.delete(row["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go()


@GROUPS.get("/{id}")
def overview(page: SetupVisit) -> Response:
    """Show a group."""
    row = page.record("PermissionSetGroup")
    pairs = [
        ("Label", Cell(row["MasterLabel"])),
        ("API Name", Cell(row["DeveloperName"])),
        ("Description", Cell(row["Description"] or "")),
        ("Status", Cell(row["Status"] or "")),
        ("Session Activation Required", Cell(checked=bool(row["HasActivationRequired"]))),
        ("", Cell()),
        *stamps(page.org, row),
    ]
    count = len(sets_in(page.org, row["Id"]))
    return page.render("setup/permission_group.html", row=row, pairs=pairs, count=count)


@GROUPS.get("/{id}/sets")
def sets(page: SetupVisit) -> Response:
    """Show the permission sets of a group."""
    row = page.record("PermissionSetGroup")
    table = _set_table(page.org, "Permission Sets in Group", sets_in(page.org, row["Id"]))
    return page.render("setup/group_sets.html", row=row, table=table, step="")


@GROUPS.get("/{id}/sets/add")
def choose_sets(page: SetupVisit) -> Response:
    """Offer the permission sets that a group does not have."""
    row = page.record("PermissionSetGroup")
    inside = {one["Id"] for one in sets_in(page.org, row["Id"])}
    offered = [one for one in plain_sets(page.org) if one["Id"] not in inside]
    table = _set_table(page.org, "Add Permission Sets", offered)
    return page.render("setup/group_sets.html", row=row, table=table, step="add")


@GROUPS.post("/{id}/sets/add")
def add_sets(page: SetupVisit) -> Response:
    """Put the ticked permission sets into a group."""
    row = page.record("PermissionSetGroup")
    ticked = [page.find("PermissionSet", id) for id in page.fields("sets")]
    if not ticked or not all(is_plain(one) for one in ticked):
        page.visit.toast("Select at least one permission set.", "error")
        return page.go(f"/{row['Id']}/sets/add")
    inside = {one["Id"] for one in sets_in(page.org, row["Id"])}
    for one in ticked:
        if one["Id"] not in inside:
            page.org.insert(
                "PermissionSetGroupComponent", PermissionSetGroupId=row["Id"], PermissionSetId=one["Id"]
            )
    table = _set_table(page.org, "Added Permission Sets", ticked)
    return page.render("setup/group_sets.html", row=row, table=table, step="done")


@GROUPS.post("/{id}/sets/remove")
def remove_sets(page: SetupVisit) -> Response:
    """Take the ticked permission sets out of a group."""
    row = page.record("PermissionSetGroup")
    ticked = set(page.fields("sets"))
    for part in list(page.org.rows("PermissionSetGroupComponent", PermissionSetGroupId=row["Id"])):
        if part["PermissionSetId"] in ticked:
            page.org.delete(part["Id"])
    if not ticked:
        page.visit.toast("Select at least one permission set.", "error")
    return page.go(f"/{row['Id']}/sets")


def _set_table(org: Org, name: str, rows: list[Record]) -> Table:
    columns = (
        Column("Permission Set Label", lambda one: Cell(one["Label"], link("PermSets", f"/{one['Id']}"))),
        Column("API Name", lambda one: one["Name"]),
        Column("License", lambda one: named(org, one["LicenseId"])),
        Column("Description", lambda one: one["Description"]),
    )
    return related(name, columns, rows, empty="No permission sets yet")


def _actions(page: SetupVisit, row: Record) -> list[Action]:
    ask = f"Are you sure you want to delete the permission set group {row['MasterLabel']}?"
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action("Del", page.link(f"/{row['Id']}/delete"), post=True, confirm=ask),
    ]


def _form(row: Record | None) -> Form:
    inputs = (
        Input("MasterLabel", "Label", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "API Name", required=True, length=80),
        Input("Description", "Description", "textarea"),
        Input("HasActivationRequired", "Session Activation Required", "checkbox"),
    )
    section = Section("Permission Set Group Information", inputs)
    title = row["MasterLabel"] if row else "New Permission Set Group"
    return Form(title, "Permission Set Group", (section,), dict(row or {}))
