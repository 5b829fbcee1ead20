"""System permissions of a permission set: what it lets users do across apps."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, form_at
from salesforce_org.setup.permissions.access import bearer
from salesforce_org.setup.permissions.sets import SETS
from salesforce_org.setup.tables import Column, related
from salesforce_org.store import Field, Record, SObject


def system_permissions(kind: SObject) -> list[Field]:
    """Return the fields that stand for permissions, by label."""
    found = (one for one in kind.fields if one.name.startswith("Permissions"))
    return sorted(found, key=lambda one: one.label.casefold())


@SETS.get("/{id}/system")
def show(page: SetupVisit) -> Response:
    """Show which of them a permission set gives."""
    row = bearer(page, "PermissionSet")
    columns = (Column("Name", lambda one: one.label), Column("Enabled", lambda one: bool(row[one.name])))
    table = related("System Permissions", columns, system_permissions(page.org.schema["PermissionSet"]))
    return page.render("setup/system_permissions.html", row=row, table=table)


@form_at(
    SETS,
    "/{id}/system/e",
    lambda page: _form(page, bearer(page, "PermissionSet")),
    back=lambda page: f"/{page.params['id']}/system",
)
def save(page: SetupVisit, values: dict[str, Any]) -> str:
    """Store which of them a permission set gives."""
    id = bearer(page, "PermissionSet")["Id"]
    page.org.update(id, **values)
    return f"/{id}/system"


def _form(page: SetupVisit, row: Record) -> Form:
    fields = system_permissions(page.org.schema["PermissionSet"])
    inputs = tuple(Input(one.name, one.label, "checkbox") for one in fields)
    return Form(row["Label"], "System Permissions", (Section("System", inputs),), dict(row))
