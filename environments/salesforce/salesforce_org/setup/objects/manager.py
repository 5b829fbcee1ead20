"""Object Manager: the list of objects, and the tabs of an object."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import QueryParams
from starlette.responses import Response

from salesforce_org.metadata.fields import Fields
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.area import ASIDES, Area, Aside, SetupVisit
from salesforce_org.setup.objects.shown import data_type, field_label
from salesforce_org.setup.permissions.access import RIGHTS, access, governed, plain_sets, set_of_profile
from salesforce_org.setup.shown import modified
from salesforce_org.setup.tables import Action, Cell, Column, Table, listing, related
from salesforce_org.store import Field, Org, SObject

MANAGER = Area("ObjectManager")
TABS = (
    ("Details", "Details"),
    ("FieldsAndRelationships", "Fields & Relationships"),
    ("PageLayouts", "Page Layouts"),
    ("LightningPages", "Lightning Record Pages"),
    ("ButtonsLinksActions", "Buttons, Links, and Actions"),
    ("CompactLayouts", "Compact Layouts"),
    ("FieldSets", "Field Sets"),
    ("Limits", "Object Limits"),
    ("RecordTypes", "Record Types"),
    ("LookupFilters", "Related Lookup Filters"),
    ("SearchLayouts", "Search Layouts"),
    ("ListViewButtonLayout", "List View Button Layout"),
    ("RestrictionRules", "Restriction Rules"),
    ("ScopingRules", "Scoping Rules"),
    ("ObjectAccess", "Object Access"),
    ("ApexTriggers", "Triggers"),
    ("FlowTriggers", "Flow Triggers"),
    ("ValidationRules", "Validation Rules"),
)
# Objects that Setup has pages of their own for.
_ELSEWHERE = frozenset({"Group", "Profile", "PermissionSet", "Report", "Dashboard", "Folder"})


def address(kind: SObject, tab: str = "Details", field: str = "") -> str:
    """Return where a tab of an object, or one of its fields, is."""
    inner = f"/{field}" if field else ""
    return f"/lightning/setup/ObjectManager/{kind.name}/{tab}{inner}/view"


def managed(org: Org) -> list[SObject]:
    """Return the objects that are managed here, by label."""
    found = (one for one in org.schema.objects.values() if one.searchable or one.name == "User" or one.custom)
    return sorted((one for one in found if one.name not in _ELSEWHERE), key=lambda one: one.label.casefold())


def in_manager(visit: Visit) -> SetupVisit:
    """Return the visit of a page at an address of Object Manager's own."""
    return SetupVisit(visit, "ObjectManager", visit.path, QueryParams(str(visit.query)), visit.params)


def object_of(page: SetupVisit) -> SObject:
    """Return the object that an address names.

    Raises:
        NotHere: The org has no object of this name.
    """
    found = page.org.schema.get(page.params["object"])
    if found is None:
        raise NotHere
    return found


@MANAGER.get("/home")
def objects(page: SetupVisit) -> Response:
    """Show all objects."""
    columns = (
        Column("Label", lambda one: Cell(one.label, address(one))),
        Column("API Name", lambda one: one.name),
        Column("Type", lambda one: "Custom Object" if one.custom else "Standard Object"),
        Column("Description", lambda one: one.description),
        Column(
            "Last Modified", lambda one: modified(page.org, "CustomObject", one.name) if one.custom else ""
        ),
        Column("Deployed", lambda one: "✓" if one.custom else ""),
    )
    table = listing(
        page, "Object Manager", columns, managed(page.org), lambda one: _object_actions(page, one)
    )
    return page.render("setup/object_list.html", table=table)


# What is asked before a custom object or field is deleted.
GONE_OBJECT = (
    "Deleting a custom object deletes all of its records, fields, list views and its tab. Are you sure?"
)
GONE_FIELD = "Deleting a custom field deletes its values in all records. Are you sure?"


def _object_actions(page: SetupVisit, kind: SObject) -> tuple[Action, ...]:
    return _edit_and_delete(page, f"/{kind.name}", GONE_OBJECT) if kind.custom else ()


def _edit_and_delete(page: SetupVisit, base: str, warning: str) -> tuple[Action, ...]:
    return (
        Action("Edit", page.link(f"{base}/edit")),
        Action("Delete", page.link(f"{base}/delete"), True, warning),
    )


@address_of_page("GET", "/lightning/setup/ObjectManager/{object}/{tab}/view")
def tab(visit: Visit) -> Response:
    """Show a tab of an object."""
    page = in_manager(visit)
    kind, name = object_of(page), visit.params["tab"]
    if name not in dict(TABS):
        raise NotHere
    own = name in BUILT and name not in PLAIN
    template = f"setup/object_{name.lower() if own else 'part'}.html"
    return show_tab(page, kind, name, template, BUILT.get(name))


def show_tab(
    page: SetupVisit,
    kind: SObject,
    name: str,
    template: str,
    build: Callable[[SetupVisit, SObject], dict[str, object]] | None = None,
) -> Response:
    """Answer with a tab of an object."""
    more = build(page, kind) if build else {}
    context = {"kind": kind, "tab_label": dict(TABS)[name], "address": address}
    return page.render(template, aside=_aside(kind, name), **context, **more)


def _aside(kind: SObject, name: str) -> Aside:
    return Aside(kind.label, tuple((label, address(kind, one), one == name) for one, label in TABS))


# To which part of an object a page belongs that is at an inner address, by its second step.
_PARTS = {
    "layouts": "PageLayouts",
    "recordtypes": "RecordTypes",
    "rules": "ValidationRules",
    "edit": "Details",
}


def _beside(page: SetupVisit) -> Aside | None:
    """Return the parts of the object that an inner page is about."""
    kind = page.org.schema.get(page.params.get("object", ""))
    steps = page.path.split("/")
    return _aside(kind, _PARTS.get(steps[2], "FieldsAndRelationships")) if kind and len(steps) > 2 else None


ASIDES[MANAGER.node] = _beside


def _fields(page: SetupVisit, kind: SObject) -> dict[str, object]:
    columns = (
        Column(
            "Field Label",
            lambda one: Cell(field_label(one, kind), address(kind, "FieldsAndRelationships", one.name)),
        ),
        Column(
            "Field Name", lambda one: one.name.removesuffix("Id") if one.type == "reference" else one.name
        ),
        Column("Data Type", lambda one: data_type(page.org, one)),
        Column("Controlling Field", lambda one: ""),
        Column("Indexed", lambda one: "✓" if one.unique or one.type in ("id", "reference") else ""),
    )
    shown = [
        one
        for one in kind.fields
        if one.name not in ("Id", "IsDeleted", "SystemModstamp", "CreatedDate", "LastModifiedDate")
    ]
    known = Fields()

    def actions(one: Field) -> tuple[Action, ...]:
        if one.custom:
            return _edit_and_delete(page, f"/{kind.name}/{one.name}", GONE_FIELD)
        changeable = known.read(page.org, f"{kind.name}.{one.name}") is not None
        return (Action("Edit", page.link(f"/{kind.name}/{one.name}/edit")),) if changeable else ()

    return {"table": listing(page, "Fields & Relationships", columns, shown, actions)}


def _access(page: SetupVisit, kind: SObject) -> dict[str, object]:
    org = page.org
    sets = [
        (str(row["Label"]), f"/lightning/setup/PermSets/page?address=%2F{row['Id']}", row["Id"])
        for row in plain_sets(org)
    ]
    profiles = [
        (
            str(row["Name"]),
            f"/lightning/setup/EnhancedProfiles/page?address=%2F{row['Id']}",
            set_of_profile(org, row["Id"]),
        )
        for row in sorted(org.rows("Profile"), key=lambda row: str(row["Name"]).casefold())
    ]
    return {
        "sets": _access_table(org, kind, "Permission Sets", sets),
        "profiles": _access_table(org, kind, "Profiles", profiles),
        "governed": kind in governed(org),
    }


def _access_table(org: Org, kind: SObject, name: str, owners: list[tuple[str, str, str | None]]) -> Table:
    given = {owner[0]: access(org, [owner[2]] if owner[2] else [], kind.name).rights for owner in owners}
    columns = (
        Column(name.removesuffix("s"), lambda owner: Cell(owner[0], owner[1])),
        *(Column(label, _right(given, right)) for right, label in RIGHTS),
    )
    return related(name, columns, [owner for owner in owners if given[owner[0]]], empty="None has access")


def _right(given: dict[str, frozenset[str]], right: str) -> Callable[[tuple[str, str, str | None]], bool]:
    return lambda owner: right in given[owner[0]]


BUILT: dict[str, Callable[[SetupVisit, SObject], dict[str, object]]] = {
    "FieldsAndRelationships": _fields,
    "ObjectAccess": _access,
}
# Those that are a list and nothing more.
PLAIN: set[str] = set()
