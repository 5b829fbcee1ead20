"""Roles: the tree, the form, the page of a role and who has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from starlette.responses import Response

from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import Area, SetupVisit
from salesforce_org.setup.choices import Choice, of_rows
from salesforce_org.setup.forms import (
    CANCEL,
    SAVE,
    SAVE_AND_NEW,
    Form,
    Input,
    Section,
    form_at,
    put_record,
    record_form,
)
from salesforce_org.setup.shown import full_name, named, role_link, stamps, user_link
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.errors import OrgError

ROLES = Area("Roles", "hierarchy")
SEEN = "Roles introduced"


@ROLES.get("/home")
def introduction(page: SetupVisit) -> Response:
    """Say what roles are, until the browser was told not to."""
    if page.drafts.get(SEEN):
        return page.go("/tree")
    return page.render("setup/roles_intro.html")


@ROLES.post("/home")
def introduced(page: SetupVisit) -> Response:
    """Go on to the tree."""
    page.drafts[SEEN] = bool(page.field("never"))
    return page.go("/tree")


@ROLES.get("/tree")
def tree(page: SetupVisit) -> Response:
    """Show all roles below each other."""
    return page.render("setup/roles.html", company=_company(page.org), below=_below(page.org))


@record_form(
    ROLES,
    lambda page: page.record("UserRole"),
    lambda page, row: _form(page, row),
    back="/tree",
    again="/new",
)
def save(page: SetupVisit, row: Record | None, values: dict[str, Any]) -> str:
    """Store a role; a new one is proposed below the one that the address names."""
    known = row["Id"] if row else None
    claim(page.org, "UserRole", "DeveloperName", values["DeveloperName"], "Role Name", known)
    if known and values["ParentRoleId"] in set(subordinates(page.org, known)):
        raise DmlError("CIRCULAR_DEPENDENCY", "A role cannot report to a role below it", ("ParentRoleId",))
    return f"/{put_record(page.org, 'UserRole', row, values)}"


@ROLES.post("/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a role that nobody has and that has none below it."""
    row = page.record("UserRole")
    if next(page.org.rows("User", UserRoleId=row["Id"]), None):
        page.visit.toast(f"{row['Name']} can't be deleted, because users are assigned to it.", "error")
        return page.go("/tree")
    try:
        page.org.delete(row["Id"])
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
    return page.go("/tree")


@form_at(
    ROLES,
    "/{id}/assign",
    lambda page: _assignment(page.org, page.record("UserRole")),
    back=lambda page: "/tree",
)
def assign(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store who has a role."""
    row = page.record("UserRole")
    had = {user["Id"] for user in page.org.rows("User", UserRoleId=row["Id"])}
    for id in values["users"]:
        if id not in had:
            page.org.update(id, UserRoleId=row["Id"])
    for id in had.difference(values["users"]):
        page.org.update(id, UserRoleId=None)
    return f"/{row['Id']}"


@ROLES.get("/{id}")
def detail(page: SetupVisit) -> Response:
    """Show a role, what is above and below it, and who has it."""
    row, org = page.record("UserRole"), page.org
    siblings = [
        one for one in org.rows("UserRole", ParentRoleId=row["ParentRoleId"]) if one["Id"] != row["Id"]
    ]
    pairs = [
        ("Label", Cell(row["Name"])),
        ("This role reports to", role_link(org, row["ParentRoleId"])),
        ("Role Name", Cell(row["DeveloperName"] or "")),
        ("Role Name as displayed on reports", Cell(row["RollupDescription"] or "")),
        ("Sibling Roles", Cell(", ".join(one["Name"] for one in siblings))),
        (
            "Subordinate Roles",
            Cell(", ".join(one["Name"] for one in org.rows("UserRole", ParentRoleId=row["Id"]))),
        ),
        *stamps(org, row),
    ]
    columns = (
        Column("Full Name", lambda user: Cell(full_name(user), user_link(org, user["Id"]).href)),
        Column("Alias", lambda user: user["Alias"]),
        Column("Username", lambda user: user["Username"]),
        Column("Active", lambda user: bool(user["IsActive"])),
    )
    users = sorted(org.rows("User", UserRoleId=row["Id"]), key=full_name)
    table = related("Users in Role", columns, users, empty="No users have this role")
    above = [*_above(org, row)][::-1]
    return page.render(
        "setup/role.html", row=row, pairs=pairs, table=table, above=above, company=_company(org)
    )


def _company(org: Org) -> str:
    """Return what stands at the top of the hierarchy."""
    company = next(org.rows("Organization"), None)
    return str(company["Name"]) if company else "Company"


def _above(org: Org, row: Record) -> Iterator[Record]:
    """Yield the roles above one, the nearest first."""
    while (parent := org.get("UserRole", row["ParentRoleId"] or "")) is not None:
        yield parent
        row = parent


def subordinates(org: Org, id: str) -> Iterator[str]:
    """Yield a role and all roles below it."""
    yield id
    for row in org.rows("UserRole", ParentRoleId=id):
        yield from subordinates(org, row["Id"])


def _below(org: Org) -> dict[str | None, list[Record]]:
    found: dict[str | None, list[Record]] = {}
    for row in sorted(org.rows("UserRole"), key=lambda row: str(row["Name"]).casefold()):
        found.setdefault(row["ParentRoleId"], []).append(row)
    return found


def _form(page: SetupVisit, row: Record | None) -> Form:
    above = [one for one in page.org.rows("UserRole") if row is None or one["Id"] != row["Id"]]
    inputs = (
        Input("Name", "Label", required=True, length=80, fills="DeveloperName"),
        Input("DeveloperName", "Role Name", required=True, length=80),
        Input("ParentRoleId", "This role reports to", "lookup", choices=of_rows(above)),
        Input("RollupDescription", "Role Name as displayed on reports", length=80),
    )
    title = named(page.org, row["Id"]) if row else "New Role"
    values = dict(row or {"ParentRoleId": page.query.get("parent", "")})
    buttons = (SAVE, SAVE_AND_NEW, CANCEL)
    return Form(title, "Role", (Section("Role Information", inputs),), values, buttons)


def _assignment(org: Org, row: Record) -> Form:
    users = [user for user in org.rows("User") if user["IsActive"] or user["UserRoleId"] == row["Id"]]
    kind = {None: "Unassigned", row["Id"]: "All Users"}
    offered = [
        Choice(user["Id"], str(named(org, user["Id"])), kind.get(user["UserRoleId"], "All Users"))
        for user in users
    ]
    offered.sort(key=lambda choice: choice.label.casefold())
    titles = ("Available Users", f"Selected Users for {row['Name']}")
    dual = Input("users", "Users", "dual", choices=offered, kinds=("Unassigned", "All Users"), titles=titles)
    chosen = [user["Id"] for user in users if user["UserRoleId"] == row["Id"]]
    return Form(row["Name"], "Role Assignment", (Section("", (dual,)),), {"users": chosen})
