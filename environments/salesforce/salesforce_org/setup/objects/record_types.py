"""Record Types in Object Manager: the list, a type's page with its picklists, and the wizard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

from starlette.responses import Response

from salesforce_org import record_types
from salesforce_org.metadata.profiles import Profiles, layouts_of
from salesforce_org.metadata.records import drop
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.metadata.visibility import entry, lay_out, show_record_types
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.record_types import (
    FIELD,
    KIND,
    PROCESSES,
    SECTION,
    encoded,
    full_name_of,
    picklists,
    without_lost,
)
from salesforce_org.setup.apinames import claim
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice, of_entries, of_rows
from salesforce_org.setup.forms import CANCEL, Button, Form, Input, Section, submit
from salesforce_org.setup.objects.layout_assignment import layout_label, profiles_named
from salesforce_org.setup.objects.manager import BUILT, MANAGER, address, in_manager, object_of, show_tab
from salesforce_org.setup.objects.shown import field_label
from salesforce_org.setup.shown import stamped, stamps
from salesforce_org.setup.tables import Action, Cell, Column, listing, related
from salesforce_org.setup.wizard import Draft, Step, Wizard, form_step
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.org import Tree

TAB = "RecordTypes"
MASTER = "--Master--"


def _types(page: SetupVisit, kind: SObject) -> dict[str, object]:
    columns = (
        Column("Record Type Label", lambda row: Cell(row["Name"], address(kind, TAB, row["Id"]))),
        Column("Description", lambda row: row["Description"]),
        Column("Active", lambda row: bool(row["IsActive"])),
        Column("Modified By", lambda row: stamped(page.org, row, "LastModifiedById", "LastModifiedDate")),
    )

    def actions(row: Record) -> list[Action]:
        base = f"/{kind.name}/recordtypes/{row['Id']}"
        return [Action("Edit", page.link(f"{base}/edit")), Action("Del", page.link(f"{base}/delete"))]

    table = listing(page, "Record Types", columns, page.org.rows(KIND, SobjectType=kind.name), actions)
    return {"table": table, "supported": record_types.supports(kind)}


BUILT[TAB] = _types


@address_of_page("GET", "/lightning/setup/ObjectManager/{object}/RecordTypes/{id}/view")
def detail(visit: Visit) -> Response:
    """Show a record type."""
    page = in_manager(visit)
    return show_tab(page, object_of(page), TAB, "setup/object_recordtype.html", _told)


def _told(page: SetupVisit, kind: SObject) -> dict[str, object]:
    org, row = page.org, _found(page)
    tree, base = (
        TYPES[KIND].source.read(org, full_name_of(row)) or {},
        f"/{kind.name}/recordtypes/{row['Id']}",
    )
    led = PROCESSES.get(kind.name)
    process = [(led[1], Cell(unquote(tree.get("businessProcess", ""))))] if led else []
    pairs = [
        ("Record Type Label", Cell(row["Name"])),
        ("Active", Cell(checked=bool(row["IsActive"]))),
        ("Record Type Name", Cell(row["DeveloperName"])),
        *process,
        ("Description", Cell(row["Description"] or "")),
        *stamps(org, row),
    ]

    def values(field: Field) -> str:
        return ", ".join(one.label for one in record_types.entries(org, kind.name, field, {FIELD: row["Id"]}))

    columns = (Column("Field", lambda one: field_label(one, kind)), Column("Values", values))
    fields = related(
        "Picklists Available for Editing",
        columns,
        picklists(org, kind),
        lambda one: [Action("Edit", page.link(f"{base}/values/{one.name}"))],
    )
    return {"row": row, "pairs": pairs, "fields": fields, "base": base}


def _found(page: SetupVisit) -> Record:
    row = page.record(KIND)
    if row["SobjectType"] != object_of(page).name:
        raise NotHere
    return row


# New Record Type


def _about(page: SetupVisit, draft: Draft) -> Form:
    kind, org = object_of(page), page.org
    if not record_types.supports(kind):
        raise NotHere
    existing = (Choice("", MASTER), *of_rows(org.rows(KIND, SobjectType=kind.name)))
    source = Input(
        "source",
        "Existing Record Type",
        "picklist",
        choices=existing,
        none=False,
        help=f"The new record type begins with the picklist values of this one; {MASTER} has all of them.",
    )
    return _form(page, "Enter the Details", (source, *_inputs(org, kind)), {"active": True})


def _inputs(org: Org, kind: SObject) -> tuple[Input, ...]:
    led = PROCESSES.get(kind.name)
    named = [Choice(name, name) for name in sorted(record_types.processes(org, kind.name), key=str.casefold)]
    process = (Input("process", led[1], "picklist", True, named),) if led else ()
    return (
        Input("label", "Record Type Label", required=True, length=80, fills="name"),
        Input("name", "Record Type Name", required=True, length=80),
        *process,
        Input("description", "Description"),
        Input("active", "Active", "checkbox"),
    )


def _form(page: SetupVisit, title: str, inputs: tuple[Input, ...], values: dict[str, Any]) -> Form:
    section = Section("Record Type Information", inputs)
    return Form(title, f"{object_of(page).label} Record Type", (section,), values)


def _check(page: SetupVisit, draft: Draft) -> None:
    _claim(page, draft["name"])


def _claim(page: SetupVisit, name: str, but: str | None = None) -> None:
    claim(page.org, KIND, "DeveloperName", name, "Record Type Name", but, SobjectType=page.params["object"])


_DETAILS = form_step(
    "Enter the Details", _about, _check, "setup/record_type_step.html", lambda page, _: profiles_named(page)
)


def _take_details(page: SetupVisit, draft: Draft) -> str:
    draft |= {"visible": page.fields("visible"), "default": page.fields("default")}
    return _DETAILS.take(page, draft)


def _show_layouts(page: SetupVisit, draft: Draft) -> dict[str, Any]:
    names = layouts_of(page.org, page.params["object"])
    told = {"layouts": [(name, layout_label(name)) for name in names]}
    return told | profiles_named(page) | {"kind_label": object_of(page).label}


def _take_layouts(page: SetupVisit, draft: Draft) -> str:
    known = layouts_of(page.org, page.params["object"])
    draft["way"], draft["all"] = page.field("way"), page.field("all")
    draft["each"] = {name: page.field(f"each-{name}") for name in Profiles().names(page.org)}
    given = {*draft["each"].values()} if draft["way"] == "each" else {draft["all"]}
    return "" if given <= {*known, ""} else "Choose one of the layouts of the object."


def _begin(page: SetupVisit) -> Draft:
    return {"source": "", "visible": [], "default": [], "way": "all", "all": "", "each": {}}


def _finish(page: SetupVisit, draft: Draft) -> Response:
    org, kind = page.org, object_of(page)
    source = org.get(KIND, draft["source"])
    values = [_entry(org, kind, field, source) for field in picklists(org, kind)]
    name = f"{kind.name}.{draft['name']}"
    _store(org, name, draft, {"picklistValues": values})
    for profile in Profiles().names(org):
        _offer(org, profile, name, profile in draft["visible"], profile in draft["default"])
        if layout := draft["each"].get(profile) if draft["way"] == "each" else draft["all"]:
            lay_out(org, profile, kind.name, name, layout)
    if page.field("do") == "again":
        return page.go(f"/{kind.name}/recordtypes/new")
    row = org.one(KIND, SobjectType=kind.name, DeveloperName=draft["name"])
    return page.go(address(kind, TAB, row["Id"]))


def _offer(org: Org, profile: str, name: str, visible: bool, default: bool) -> None:
    """Let a profile offer a new record type, perhaps as its default in place of another one."""
    if not (visible or default):
        return
    object = name.partition(".")[0]
    shown = [full_name_of(row) for row in org.rows(KIND, SobjectType=object)]
    told = [(one, entry(org, profile, SECTION, one)) for one in shown]
    usual = next((one for one, said in told if said and said["default"]), "")
    before = [one for one, said in told if said and said["visible"]]
    show_record_types(org, profile, object, [*before, name], name if default else usual)


def _entry(org: Org, kind: SObject, field: Field, source: Record | None) -> dict[str, Any]:
    found = record_types.entries(org, kind.name, field, {FIELD: source["Id"] if source else None})
    values = [{"fullName": encoded(one.value), "default": one.default} for one in found]
    return {"picklist": field.name, "values": sorted(values, key=lambda one: str(one["fullName"]))}


def _store(org: Org, name: str, given: Mapping[str, Any], more: Tree) -> None:
    told = {"label": given["label"], "active": given["active"], "description": given["description"] or None}
    process = encoded(given["process"]) if given.get("process") else None
    told["picklistValues"] = without_lost(org, name.partition(".")[0], more.get("picklistValues", ()))
    TYPES[KIND].source.write(org, name, ordered(KIND, {**more, **told, "businessProcess": process}))


Wizard(
    "New Record Type",
    "/{object}/recordtypes/new",
    (
        replace(_DETAILS, take=_take_details),
        Step(
            "Assign Page Layouts",
            "setup/record_type_layouts.html",
            _take_layouts,
            _show_layouts,
            "Save",
            True,
        ),
    ),
    _begin,
    _finish,
    lambda page: address(object_of(page), TAB),
).register(MANAGER)


# Changing and deleting a record type


@MANAGER.get("/{object}/recordtypes/{id}/edit")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a record type."""
    return _editing(page).show(page)


@MANAGER.post("/{object}/recordtypes/{id}/edit")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a record type."""
    row, kind = _found(page), object_of(page)
    back = address(kind, TAB, row["Id"])

    def write(given: dict[str, Any]) -> str:
        _claim(page, given["name"], row["Id"])
        if given["name"] != row["DeveloperName"]:
            page.org.update(row["Id"], DeveloperName=given["name"])
        name = f"{kind.name}.{given['name']}"
        _store(page.org, name, given, page.org.component(KIND, name) or {})
        return back

    return submit(page, _editing(page), write, back=back)


def _editing(page: SetupVisit) -> Form:
    row, kind = _found(page), object_of(page)
    tree = page.org.component(KIND, full_name_of(row)) or {}
    values = {
        "label": row["Name"],
        "name": row["DeveloperName"],
        "process": unquote(tree.get("businessProcess", "")),
        "description": row["Description"],
        "active": row["IsActive"],
    }
    return _form(page, row["Name"], _inputs(page.org, kind), values)


@MANAGER.get("/{object}/recordtypes/{id}/delete")
def ask_delete(page: SetupVisit) -> Response:
    """Ask of which record type the records are to be from now on."""
    return _deleting(page).show(page)


@MANAGER.post("/{object}/recordtypes/{id}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a record type; its records get another one."""
    row, kind = _found(page), object_of(page)

    def write(given: dict[str, Any]) -> str:
        for one in list(page.org.rows(kind.name, **{FIELD: row["Id"]})):
            with page.org.unchecked():
                page.org.update(one["Id"], **{FIELD: given["instead"]})
        drop(page.org, row["Id"])
        return address(kind, TAB)

    return submit(page, _deleting(page), write, back=address(kind, TAB))


def _deleting(page: SetupVisit) -> Form:
    row, kind = _found(page), object_of(page)
    used = sum(1 for _ in page.org.rows(kind.name, **{FIELD: row["Id"]}))
    others = of_rows(one for one in page.org.rows(KIND, SobjectType=kind.name) if one["Id"] != row["Id"])
    instead = Input(
        "instead", "Replacement Record Type", "picklist", choices=(Choice("", MASTER), *others), none=False
    )
    title = f"Delete {row['Name']}"
    told = Input("used", "Records of this type", "shown")
    made = _form(page, title, (told, instead), {"used": str(used)})
    return replace(made, buttons=(Button("Delete", "save"), CANCEL))


@MANAGER.get("/{object}/recordtypes/{id}/values/{field}")
def ask_values(page: SetupVisit) -> Response:
    """Ask which values of a picklist a record type has."""
    return _values(page).show(page)


@MANAGER.post("/{object}/recordtypes/{id}/values/{field}")
def save_values(page: SetupVisit) -> Response:
    """Store which values of a picklist a record type has."""
    row, kind, field = _found(page), object_of(page), _picklist(page)
    back = address(kind, TAB, row["Id"])

    def write(given: dict[str, Any]) -> str:
        tree = page.org.component(KIND, full_name_of(row)) or {}
        values = [
            {"fullName": encoded(one), "default": one == given["default"]} for one in sorted(given["values"])
        ]
        told = without_lost(page.org, kind.name, tree.get("picklistValues", ()))
        others = [one for one in told if one["picklist"] != field.name]
        mine = {"picklist": field.name, "values": values}
        whole = sorted([*others, mine], key=lambda one: str(one["picklist"]))
        page.org.put_component(KIND, full_name_of(row), {**tree, "picklistValues": whole})
        return back

    return submit(page, _values(page), write, back=back)


def _picklist(page: SetupVisit) -> Field:
    found = (one for one in picklists(page.org, object_of(page)) if one.name == page.params["field"])
    if (field := next(found, None)) is None:
        raise NotHere
    return field


def _values(page: SetupVisit) -> Form:
    row, kind, field = _found(page), object_of(page), _picklist(page)
    offered = of_entries(page.org, field)
    now = record_types.entries(page.org, kind.name, field, {FIELD: row["Id"]})
    inputs = (
        Input("values", "Values", "dual", choices=offered, titles=("Available Values", "Selected Values")),
        Input("default", "Default", "picklist", choices=offered),
    )
    values = {
        "values": [one.value for one in now],
        "default": next((one.value for one in now if one.default), ""),
    }
    label = field_label(field, kind)
    intro = f"Choose the values of {label} that records of the type {row['Name']} can have."
    return Form(label, "Record Type Picklist", (Section(label, inputs),), values, intro=intro)
