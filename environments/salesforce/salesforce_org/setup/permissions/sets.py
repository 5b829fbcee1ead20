"""Permission sets: list, page, forms."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import of_rows
from salesforce_org.setup.forms import CANCEL, SAVE, Form, Input, Section, put_record, record_form
from salesforce_org.setup.permissions.access import bearer, plain_sets, rename
from salesforce_org.setup.permissions.assigning import Assigning
from salesforce_org.setup.permissions.settings import ObjectSettings
from salesforce_org.setup.shown import named, stamps
from salesforce_org.setup.tables import Action, Cell, Column, ListPage, letters, listing, show_list
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

SETS = Area("PermSets", "user")
Assigning("PermissionSet", "PermissionSetId", "Label").register(SETS)
ObjectSettings("PermissionSet", "Permission Set", "Label", lambda org, row: [row["Id"]], True).register(SETS)
INTRO = (
    "On this page you can create, view, and manage permission sets. A permission set gives users access to tools and "
    "functions beside what their profile gives them."
)


@SETS.get("/home")
def sets(page: SetupVisit) -> Response:
    """Show all permission sets."""
    return _list(page)


@SETS.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a permission set, unless something needs it."""
    row = bearer(page, "PermissionSet")
    try:
        page.org.delete(row["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go()


@record_form(SETS, lambda page: bearer(page, "PermissionSet"), lambda page, row: _form(page.org, row))
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a permission set; what names it follows it to another name."""
    claim(page.org, "PermissionSet", "Name", values["Name"], "API Name", row["Id"] if row else None)
    id = put_record(page.org, "PermissionSet", row, values)
    if row:
        rename(page.org, "PermissionSet", row["Name"], values["Name"])
    return f"/{id}"


@SETS.get("/{id}")
def overview(page: SetupVisit) -> Response:
    """Show a permission set."""
    row = bearer(page, "PermissionSet")
    pairs = [
        ("Description", Cell(row["Description"] or "")),
        ("API Name", Cell(row["Name"])),
        ("License", Cell(named(page.org, row["LicenseId"]))),
        ("Session Activation Required", Cell(checked=bool(row["HasActivationRequired"]))),
        ("Permission Set Groups Added To", Cell(str(_uses(page.org, row)))),
        ("", Cell()),
        *stamps(page.org, row),
    ]
    return page.render("setup/permission_set.html", row=row, pairs=pairs)


def _list(page: SetupVisit) -> Response:
    columns = (
        Column("Permission Set Label", lambda row: Cell(row["Label"], page.link(f"/{row['Id']}"))),
        Column("Description", lambda row: row["Description"]),
        Column("License", lambda row: named(page.org, row["LicenseId"])),
    )
    table = listing(page, "Permission Sets", columns, plain_sets(page.org), lambda row: _actions(page, row))
    told = ListPage(
        "Permission Sets",
        table,
        INTRO,
        (Action("New", page.link("/new")),),
        (("all", "All Permission Sets"),),
        "all",
        letters(page),
    )
    return show_list(page, told)


def _actions(page: SetupVisit, row: Record) -> list[Action]:
    if not row["IsCustom"]:
        return []
    ask = f"Are you sure you want to delete the permission set {row['Label']}?"
    return [
        Action("Edit", page.link(f"/{row['Id']}/e")),
        Action("Del", page.link(f"/{row['Id']}/delete"), post=True, confirm=ask),
    ]


def _uses(org: Org, row: Record) -> int:
    return sum(1 for _ in org.rows("PermissionSetGroupComponent", PermissionSetId=row["Id"]))


def _form(org: Org, row: Record | None) -> Form:
    inputs = [
        Input("Label", "Label", required=True, length=80, fills="Name"),
        Input("Name", "API Name", required=True, length=80),
        Input("Description", "Description", "textarea"),
        Input("HasActivationRequired", "Session Activation Required", "checkbox"),
    ]
    sections = [Section("Permission Set Information", tuple(inputs))]
    if row is None:
        help = "Choose a license if only its users shall get this permission set."
        offered = of_rows(org.rows("UserLicense"))
        license = Input("LicenseId", "License", "picklist", choices=offered, help=help)
        sections.append(Section("Select the type of users who will use this permission set", (license,)))
        return Form("Create", "Permission Set", tuple(sections), {}, (SAVE, CANCEL))
    return Form(row["Label"], "Permission Set", tuple(sections), dict(row))
