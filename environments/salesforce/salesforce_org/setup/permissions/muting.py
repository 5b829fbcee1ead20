"""The muting permission set of a permission set group: what its permission sets allow and the group does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from salesforce_org.metadata.permissions import ON_OBJECTS
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.rules.permissions import NEEDS
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.forms import Form, Input, Section, submit
from salesforce_org.setup.permissions.access import Access, sets_in
from salesforce_org.setup.permissions.groups import GROUPS
from salesforce_org.setup.permissions.settings import Flags, ObjectSettings
from salesforce_org.setup.tables import Cell, Column, related
from salesforce_org.store import DmlError, Org, Record, SObject

KIND = "MutingPermissionSet"
GROUP = "PermissionSetGroup"


@dataclass(frozen=True, slots=True)
class Muting(ObjectSettings):
    """Object settings of a group's muting permission set; what is ticked is muted."""

    def heading(self, page: SetupVisit, owner: Record) -> dict[str, Any]:
        """Return what stands above the pages."""
        return {**ObjectSettings.heading(self, page, owner), "name": _muting(page.org, owner)[1]["label"]}

    def given(self, org: Org, owner: Record, kind: SObject) -> Access:
        """Return what is muted on an object."""
        tree = _muting(org, owner)[1]
        rights = {
            ON_OBJECTS[name]
            for one in tree.get("objectPermissions", ())
            for name, on in one.items()
            if one["object"] == kind.name and name in ON_OBJECTS and on
        }
        fields = {
            one["field"].partition(".")[2]: (bool(one.get("readable")), bool(one["editable"]))
            for one in tree.get("fieldPermissions", ())
            if one["field"].partition(".")[0] == kind.name
        }
        return Access(frozenset(rights), fields)

    def store(self, page: SetupVisit, owner: Record, kind: SObject, rights: set[str], fields: Flags) -> None:
        """Store what is muted on an object and its fields, with what cannot be without it."""
        name, tree = _muting(page.org, owner)
        muted = rights | {one for one, needed in NEEDS.items() if rights.intersection(needed)}
        objects = [one for one in tree.get("objectPermissions", ()) if one["object"] != kind.name]
        if muted:
            flags = {word: right in muted for word, right in ON_OBJECTS.items()}
            objects.append({"object": kind.name, **flags})
        others = [
            one for one in tree.get("fieldPermissions", ()) if one["field"].partition(".")[0] != kind.name
        ]
        own = [
            {"field": f"{kind.name}.{field}", "editable": read or edit, "readable": read}
            for field, (read, edit) in fields.items()
            if read or edit
        ]
        new = {
            **tree,
            "fieldPermissions": sorted([*others, *own], key=lambda one: str(one["field"])),
            "objectPermissions": sorted(objects, key=lambda one: str(one["object"])),
        }
        page.org.put_component(KIND, name, ordered(KIND, new))


Muting(
    GROUP,
    "Muting Permission Set",
    "MasterLabel",
    lambda org, row: [one["Id"] for one in sets_in(org, row["Id"])],
    True,
    "/muting",
).register(GROUPS)


@GROUPS.get("/{id}/muting")
def show(page: SetupVisit) -> Response:
    """Show the muting permission set of a group, or that it has none."""
    row = page.record(GROUP)
    names = muting_names(page.org, row)
    trees = {name: page.org.component(KIND, name) or {} for name in names}
    link = page.link(f"/{row['Id']}/muting/set")
    columns = (
        Column("Permission Set Label", lambda name: Cell(trees[name]["label"], link)),
        Column("API Name", lambda name: name),
        Column("Description", lambda name: trees[name].get("description", "")),
    )
    table = related("Muting Permission Set in Group", columns, names, empty="No muting permission set yet")
    return page.render("setup/group_muting.html", row=row, table=table, names=names)


@GROUPS.get("/{id}/muting/new")
def new(page: SetupVisit) -> Response:
    """Ask about a new muting permission set."""
    return _form(page.record(GROUP)).show(page)


@GROUPS.post("/{id}/muting/new")
def create(page: SetupVisit) -> Response:
    """Store a new muting permission set; a group has one at most."""
    row = page.record(GROUP)

    def write(values: Mapping[str, Any]) -> str:
        name = values["name"]
        check_name(name, "API Name", "name")
        if page.org.component(KIND, name) is not None or any(page.org.rows("PermissionSet", Name=name)):
            raise DmlError("DUPLICATE_DEVELOPER_NAME", f"The API Name {name} is already in use.", ("name",))
        if muting_names(page.org, row):
            raise DmlError("LIMIT_EXCEEDED", "A permission set group has one muting permission set at most.")
        tree = {"description": values["description"] or None, "label": values["label"]}
        page.org.put_component(KIND, name, ordered(KIND, tree))
        page.org.put_component(GROUP, row["DeveloperName"], {"mutingPermissionSets": [name]})
        return f"/{row['Id']}/muting"

    return submit(page, _form(row), write, back=f"/{row['Id']}/muting")


@GROUPS.post("/{id}/muting/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a group's muting permission set; nothing is muted then."""
    row = page.record(GROUP)
    name, _ = _muting(page.org, row)
    page.org.put_component(GROUP, row["DeveloperName"], None)
    page.org.put_component(KIND, name, None)
    return page.go(f"/{row['Id']}/muting")


@GROUPS.get("/{id}/muting/set")
def overview(page: SetupVisit) -> Response:
    """Show a muting permission set."""
    row = page.record(GROUP)
    name, tree = _muting(page.org, row)
    pairs = [
        ("Description", Cell(tree.get("description", ""))),
        ("API Name", Cell(name)),
        ("Permission Set Group", Cell(row["MasterLabel"], page.link(f"/{row['Id']}"))),
    ]
    return page.render("setup/muting.html", row=row, tree=tree, pairs=pairs)


def muting_names(org: Org, group: Record) -> list[str]:
    """Return the names of a group's muting permission sets."""
    kept = org.component(GROUP, group["DeveloperName"]) or {}
    return [name for name in kept.get("mutingPermissionSets", ()) if org.component(KIND, name) is not None]


def _muting(org: Org, group: Record) -> tuple[str, Tree]:
    names = muting_names(org, group)
    if not names:
        raise NotHere
    return names[0], org.component(KIND, names[0]) or {}


def _form(row: Record) -> Form:
    inputs = (
        Input("label", "Label", required=True, length=80, fills="name"),
        Input("name", "API Name", required=True, length=80),
        Input("description", "Description", "textarea"),
    )
    values = {"label": f"{row['MasterLabel']} Muting", "name": f"{row['DeveloperName']}_Muting"}
    section = Section("Muting Permission Set Information", inputs)
    return Form("New Muting Permission Set", "Muting Permission Set", (section,), values)
