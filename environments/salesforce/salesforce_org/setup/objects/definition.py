"""An object's own settings: its Details tab, Create > Custom Object, Edit and Delete."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from salesforce_org.list_views import EVERYBODY, ListView, save_list_view
from salesforce_org.metadata import components
from salesforce_org.metadata.objects import KIND
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.visit import NotHere
from salesforce_org.setup.apinames import check_name
from salesforce_org.setup.area import SetupVisit, link
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import CANCEL, SAVE, SAVE_AND_NEW, Form, Input, Section, submit
from salesforce_org.setup.objects.manager import BUILT, GONE_OBJECT, MANAGER, address, object_of
from salesforce_org.setup.permissions.access import RIGHTS, allow, set_of_profile
from salesforce_org.setup.tables import Cell
from salesforce_org.store import DmlError, Org, SObject
from salesforce_org.store.errors import OrgError
from salesforce_org.store.org import Tree

AUTO = "AutoNumber"
_FORMAT = re.compile(r"[^{}]*\{0+\}[^{}]*")
# Boxes of the form, by the element that they set.
_FEATURES = (
    Input("enableReports", "Allow Reports", "checkbox"),
    Input("enableActivities", "Allow Activities", "checkbox"),
    Input("enableHistory", "Track Field History", "checkbox"),
    Input("allowInChatterGroups", "Allow in Chatter Groups", "checkbox"),
)
_CLASSES = (
    Input("enableSharing", "Allow Sharing", "checkbox"),
    Input("enableBulkApi", "Allow Bulk API Access", "checkbox"),
    Input("enableStreamingApi", "Allow Streaming API Access", "checkbox"),
)
_SEARCH = Input("enableSearch", "Allow Search", "checkbox")
_BOXES = (*_FEATURES, *_CLASSES, _SEARCH)
_STATUS = (Choice("InDevelopment", "In Development"), Choice("Deployed", "Deployed"))
_TYPES = (Choice("Text", "Text"), Choice(AUTO, "Auto Number"))
NEW = {
    "type": "Text",
    "format": "",
    "enableSharing": True,
    "enableBulkApi": True,
    "enableStreamingApi": True,
    "deploymentStatus": "Deployed",
}


def details(page: SetupVisit, kind: SObject) -> dict[str, object]:
    """Return what the Details tab shows."""
    tree = _tree(page.org, kind)
    deployed = tree.get("deploymentStatus", "Deployed") == "Deployed"
    pairs = [
        ("Description", Cell(tree.get("description", kind.description))),
        ("Enable Reports", Cell(checked=bool(tree.get("enableReports", True)))),
        ("API Name", Cell(kind.name)),
        ("Track Activities", Cell(checked=bool(tree.get("enableActivities", not kind.custom)))),
        ("Custom", Cell(checked=kind.custom)),
        ("Track Field History", Cell(checked=bool(tree.get("enableHistory", False)))),
        ("Singular Label", Cell(kind.label)),
        ("Deployment Status", Cell("Deployed" if deployed else "In Development")),
        ("Plural Label", Cell(kind.plural)),
        ("Allow Search", Cell(checked=kind.searchable)),
    ]
    return {"pairs": pairs, "warning": GONE_OBJECT}


BUILT["Details"] = details


@MANAGER.get("/new")
def new(page: SetupVisit) -> Response:
    """Ask about a new custom object."""
    return _form("New Custom Object").show(page)


@MANAGER.post("/new")
def create(page: SetupVisit) -> Response:
    """Make a custom object, and go on to its tab where that is wanted."""

    def write(values: Mapping[str, Any]) -> str:
        kind = make(page.org, values)
        return link("CustomTabs", "/new", object=kind.name) if values["tab"] else address(kind)

    return submit(page, _form("New Custom Object"), write, again="/new")


@MANAGER.get("/{object}/edit")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a custom object."""
    return _editing(page).show(page)


@MANAGER.post("/{object}/edit")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a custom object."""
    kind = _custom(page)

    def write(values: Mapping[str, Any]) -> str:
        _store(page.org, kind.name, values)
        return address(kind)

    return submit(page, _editing(page), write, back=address(kind))


@MANAGER.post("/{object}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a custom object with its records, unless something depends on it."""
    kind = _custom(page)
    try:
        with page.org.transaction():
            components.delete(page.org, TYPES[KIND], kind.name)
    except OrgError as refused:
        page.visit.toast(refused.message, "error")
        return page.go(address(kind))
    return page.go(toast=f"{kind.label} was deleted.")


def _tree(org: Org, kind: SObject) -> Tree:
    return TYPES[KIND].source.read(org, kind.name) or {}


def _custom(page: SetupVisit) -> SObject:
    kind = object_of(page)
    if not kind.custom:
        raise NotHere
    return kind


def _editing(page: SetupVisit) -> Form:
    kind = _custom(page)
    tree = _tree(page.org, kind)
    name = tree["nameField"]
    values = {
        "label": kind.label,
        "plural": kind.plural,
        "vowel": tree.get("startsWith") == "Vowel",
        "name": kind.name.removesuffix("__c"),
        "record": name["label"],
        "type": name["type"],
        "format": name.get("displayFormat", ""),
        **tree,
    }
    return _form(kind.label, values)


def _form(title: str, values: Mapping[str, Any] | None = None) -> Form:
    """Return the form of a custom object: with values that of one which is there."""
    is_new = values is None
    name = Input("name", "Object Name", "text" if is_new else "shown", is_new, length=40)
    information = (
        Input("label", "Label", required=True, length=40, help="Example: Account", fills="name"),
        Input("plural", "Plural Label", required=True, length=40, help="Example: Accounts"),
        Input("vowel", "Starts with vowel sound", "checkbox"),
        name,
        Input("description", "Description", "textarea", length=1000),
    )
    record = (
        Input("record", "Record Name", required=True, length=80, help="Example: Account Name", after="label"),
        Input("type", "Data Type", "picklist", True, _TYPES, none=False),
        Input("format", "Display Format", length=30, help="Example: A-{0000}; for the data type Auto Number"),
    )
    launch = Input("tab", "Launch New Custom Tab Wizard after saving this custom object", "checkbox")
    sections = [
        Section("Custom Object Information", information),
        Section("Enter Record Name Label and Format", record),
        Section("Optional Features", _FEATURES),
        Section("Object Classification", _CLASSES),
        Section("Deployment Status", (Input("deploymentStatus", "Status", "radio", True, _STATUS),)),
        Section("Search Status", (_SEARCH,)),
    ]
    if is_new:
        sections.append(
            Section("Object Creation Options (Available only when custom object is first created)", (launch,))
        )
    buttons = (SAVE, SAVE_AND_NEW, CANCEL) if is_new else (SAVE, CANCEL)
    return Form(title, "Custom Object Definition", tuple(sections), dict(values or NEW), buttons)


def make(org: Org, values: Mapping[str, Any]) -> SObject:
    """Make an object with what every object has: rights of administrators, a list view, a layout."""
    check_name(values["name"], "Object Name", "name")
    name = f"{values['name']}__c"
    if org.schema.get(name) is not None:
        raise DmlError("DUPLICATE_DEVELOPER_NAME", "There is already an object with this name.", ("name",))
    _store(org, name, values)
    for row in org.rows("Profile", PermissionsModifyAllData=True):
        parent = set_of_profile(org, row["Id"])
        if parent is not None:
            allow(org, parent, name, [right for right, _ in RIGHTS if right != "PermissionsViewAllFields"])
    save_list_view(org, ListView(name, "All", "All", ("Name",), shared=EVERYBODY))
    components.replace(org, TYPES["Layout"], f"{name}-{values['label']} Layout", _layout())
    return org.schema[name]


def _store(org: Org, name: str, values: Mapping[str, Any]) -> None:
    told = {
        **{one.name: bool(values.get(one.name)) for one in _BOXES},
        "deploymentStatus": values["deploymentStatus"],
        "description": values.get("description") or None,
        "label": values["label"],
        "nameField": _name_field(values),
        "pluralLabel": values["plural"],
        "startsWith": "Vowel" if values.get("vowel") else "Consonant",
    }
    before = TYPES[KIND].source.read(org, name)
    if before is not None:  # an element that is not there and says nothing new stays away
        told = {key: one for key, one in told.items() if key in before or one not in (False, "Consonant")}
    whole = {"sharingModel": "ReadWrite", "visibility": "Public", **(before or {}), **told}
    TYPES[KIND].source.write(org, name, ordered(KIND, whole))


def _name_field(values: Mapping[str, Any]) -> dict[str, str]:
    if values["type"] != AUTO:
        return {"label": values["record"], "type": "Text"}
    if not _FORMAT.fullmatch(values["format"]):
        raise DmlError("INVALID_FIELD", "Enter a display format such as A-{0000}.", ("format",))
    return {"displayFormat": values["format"], "label": values["record"], "type": AUTO}


def _layout() -> dict[str, Any]:
    """Return the layout of a new object."""

    def section(label: str, *columns: tuple[str, ...], **more: Any) -> dict[str, Any]:
        behaviors = {"Name": "Required", "OwnerId": "Edit"}
        items = [
            {"layoutItems": [{"behavior": behaviors.get(one, "Readonly"), "field": one} for one in column]}
            for column in columns
        ]
        style = {"label": label, "layoutColumns": items, "style": "TwoColumnsTopToBottom"}
        return {"customLabel": False, "detailHeading": False, "editHeading": True, **style, **more}

    sections = (
        section("Information", ("Name",), ("OwnerId",)),
        section("System Information", ("CreatedById",), ("LastModifiedById",)),
    )
    return ordered("Layout", {"layoutSections": sections})
