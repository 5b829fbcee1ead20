"""A field's page, and the pages that change it and its picklist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.responses import RedirectResponse, Response

from salesforce_org.formulas import Use
from salesforce_org.metadata import components
from salesforce_org.metadata.fields import KIND as CUSTOM_FIELD
from salesforce_org.metadata.fields import Fields
from salesforce_org.metadata.registry import TYPES
from salesforce_org.metadata.trees import ordered
from salesforce_org.pages.routing import page as address_of_page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.setup.area import SetupVisit
from salesforce_org.setup.choices import Choice
from salesforce_org.setup.forms import CANCEL, SAVE, Form, Input, Section
from salesforce_org.setup.formulas import editor
from salesforce_org.setup.objects import picklists
from salesforce_org.setup.objects.field_formulas import BLANKS
from salesforce_org.setup.objects.field_steps import profiles, secure
from salesforce_org.setup.objects.field_types import DEFAULT, DEFAULTED
from salesforce_org.setup.objects.manager import GONE_FIELD, MANAGER, address, in_manager, object_of, show_tab
from salesforce_org.setup.objects.shown import data_type, field_label
from salesforce_org.setup.permissions.access import access, set_of_profile
from salesforce_org.setup.tables import Action, Cell, Column, Table, related
from salesforce_org.store import Field, Org, PicklistValue, SObject
from salesforce_org.store.errors import OrgError

BASE = "/{object}/{field}/values"


@address_of_page("GET", "/lightning/setup/ObjectManager/{object}/FieldsAndRelationships/{field}/view")
def detail(visit: Visit) -> Response:
    """Show a field."""
    page = in_manager(visit)
    kind, field = _named(page)
    return show_tab(
        page,
        kind,
        "FieldsAndRelationships",
        "setup/object_field.html",
        lambda page, kind: _told(page, kind, field),
    )


@MANAGER.get("/{object}/{field}/edit")
def edit_field(page: SetupVisit) -> Response:
    """Ask what to change about a field."""
    return _changing(page, *_named(page)).show(page)


@MANAGER.post("/{object}/{field}/edit")
def save_field(page: SetupVisit) -> Response:
    """Store what was changed about a field."""
    kind, field = _named(page)

    def write(values: Mapping[str, Any]) -> None:
        elements = {_ELEMENTS[name]: value or None for name, value in values.items() if name != "required"}
        told = elements | ({"required": values["required"]} if "required" in values else {})
        tree = Fields().read(page.org, f"{kind.name}.{field.name}") or {}
        Fields().write(page.org, f"{kind.name}.{field.name}", ordered(CUSTOM_FIELD, {**tree, **told}))

    return _submit(page, kind, field, _changing(page, kind, field), write)


@MANAGER.get("/{object}/{field}/security")
def security(page: SetupVisit) -> Response:
    """Ask which profiles see and edit a field."""
    kind, field = _named(page)
    sets = {row["Id"]: set_of_profile(page.org, row["Id"]) or "" for row in profiles(page.org)}
    given = {
        id: access(page.org, [own], kind.name).fields.get(field.name) or (False, False)
        for id, own in sets.items()
    }
    return page.render(
        "setup/field_visibility.html",
        kind=kind,
        label=field_label(field),
        profiles=[(row["Id"], row["Name"]) for row in profiles(page.org)],
        visible=[id for id, (read, _) in given.items() if read or field.required],
        readonly=[id for id, (read, edit) in given.items() if read and not edit],
        access="required" if field.required else "" if field.updateable else "read",
        buttons=(SAVE, CANCEL),
    )


@MANAGER.post("/{object}/{field}/security")
def save_security(page: SetupVisit) -> Response:
    """Store which profiles see and edit a field."""
    kind, field = _named(page)
    if page.field("do") != CANCEL.value:
        secure(page.org, kind.name, field, page.fields("visible"), page.fields("readonly"))
    return _back(kind, field)


@MANAGER.post("/{object}/{field}/delete")
def delete_field(page: SetupVisit) -> Response:
    """Delete a custom field with its values."""
    kind, field = _named(page)
    if not field.custom:
        raise NotHere
    components.delete(page.org, TYPES[CUSTOM_FIELD], f"{kind.name}.{field.name}")
    return RedirectResponse(address(kind, "FieldsAndRelationships"), 303)


@MANAGER.get(f"{BASE}/new")
def new(page: SetupVisit) -> Response:
    """Ask for new values."""
    return _adding(*_named(page)).show(page)


@MANAGER.post(f"{BASE}/new")
def add(page: SetupVisit) -> Response:
    """Store new values, one for each line."""
    kind, field = _named(page)

    def write(values: Mapping[str, Any]) -> None:
        picklists.add(page.org, kind.name, field, values["labels"].splitlines())

    return _submit(page, kind, field, _adding(kind, field), write)


@MANAGER.get(f"{BASE}/edit")
def edit(page: SetupVisit) -> Response:
    """Ask what to change about a value."""
    kind, field = _named(page)
    return _editing(kind, field, _value(page, field)).show(page)


@MANAGER.post(f"{BASE}/edit")
def save(page: SetupVisit) -> Response:
    """Store what was changed about a value."""
    kind, field = _named(page)
    old = _value(page, field)

    def write(values: Mapping[str, Any]) -> None:
        made = replace(old, label=values["label"], value=values["value"], default=values["default"])
        picklists.change(page.org, kind.name, field, old.value, made)

    return _submit(page, kind, field, _editing(kind, field, old), write)


@MANAGER.get(f"{BASE}/delete")
def ask_instead(page: SetupVisit) -> Response:
    """Ask what records get that have a value which is to be deleted."""
    kind, field = _named(page)
    return _deleting(page.org, kind, field, _value(page, field)).show(page)


@MANAGER.post(f"{BASE}/delete")
def delete(page: SetupVisit) -> Response:
    """Delete a value."""
    kind, field = _named(page)
    old = _value(page, field)

    def write(values: Mapping[str, Any]) -> None:
        picklists.remove(page.org, kind.name, field, old.value, values["instead"] or None)

    return _submit(page, kind, field, _deleting(page.org, kind, field, old), write)


@MANAGER.post(f"{BASE}/active")
def activate(page: SetupVisit) -> Response:
    """Deactivate a value, or activate it again."""
    kind, field = _named(page)
    picklists.activate(page.org, kind.name, field, _value(page, field).value, page.field("active") == "true")
    return _back(kind, field)


@MANAGER.get(f"{BASE}/reorder")
def ask_order(page: SetupVisit) -> Response:
    """Ask in which order values are offered."""
    kind, field = _named(page)
    return _order(page, kind, field, "")


@MANAGER.post(f"{BASE}/reorder")
def reorder(page: SetupVisit) -> Response:
    """Store the order of values and which of them new records get."""
    kind, field = _named(page)
    if page.field("do") == "cancel":
        return _back(kind, field)
    order = page.fields("order")
    if page.field("sort"):
        order.sort(key=str.casefold)
    try:
        picklists.reorder(page.org, kind.name, field, order, page.field("default"))
    except OrgError as refused:
        return _order(page, kind, field, refused.message)
    return _back(kind, field)


def _named(page: SetupVisit) -> tuple[SObject, Field]:
    kind = object_of(page)
    field = kind.field(page.params["field"])
    if field is None or ("/values/" in page.path and not picklists.editable(page.org, field)):
        raise NotHere
    return kind, field


def _value(page: SetupVisit, field: Field) -> PicklistValue:
    wanted = page.query.get("value") or page.field("value")
    found = next((entry for entry in page.org.picklist(field) if entry.value == wanted), None)
    if found is None:
        raise NotHere
    return found


def _back(kind: SObject, field: Field) -> Response:
    return RedirectResponse(address(kind, "FieldsAndRelationships", field.name), 303)


def _submit(page: SetupVisit, kind: SObject, field: Field, form: Form, write: Any) -> Response:
    if page.field("do") == "cancel":
        return _back(kind, field)
    if form.read(page).check(page.org):
        try:
            with page.org.transaction():
                write(form.given)
        except OrgError as refused:
            form.blame(refused)
        else:
            return _back(kind, field)
    return form.show(page)


# What a field's page says of how its value is made.
_DEFINED = {
    "formula": "Formula",
    "formulaTreatBlanksAs": "Blank Field Handling",
    "summarizedField": "Field to Aggregate",
    "summaryForeignKey": "Summarized Relationship",
    "defaultValue": "Default Value",
}
# Inputs of the form of a field by the elements that they set.
_ELEMENTS = {
    "label": "label",
    "description": "description",
    "help": "inlineHelpText",
    "formula": "formula",
    "blanks": "formulaTreatBlanksAs",
    "default": "defaultValue",
}


def _changing(page: SetupVisit, kind: SObject, field: Field) -> Form:
    """Return the form of a field; Salesforce's own have only a help text to change."""
    org = page.org
    tree = Fields().read(org, f"{kind.name}.{field.name}")
    if tree is None:
        raise NotHere
    help = Input("help", "Help Text", "textarea", length=510)
    inputs: tuple[Input, ...] = (Input("shown", "Field Name", "shown"), help)
    if field.custom:
        label = Input("label", "Field Label", required=True, length=40)
        inputs = (label, inputs[0], Input("description", "Description", "textarea", length=1000), help)
    if field.custom and tree.get("required") is not None:
        always = "Always require a value in this field in order to save a record"
        inputs = (*inputs, Input("required", "Required", "checkbox", help=always))
    if "formula" in tree:
        shown = editor(page, Use.FIELD, str(tree["type"]))
        inputs = (*inputs, Input("formula", "Formula", "formula", True, editor=shown), BLANKS)
    elif tree.get("type") in DEFAULTED:
        inputs = (*inputs, replace(DEFAULT, editor=editor(page, Use.DEFAULT, str(tree["type"]))))
    values = {name: tree.get(element, "") for name, element in _ELEMENTS.items()}
    values |= {"shown": field.name.removesuffix("__c"), "required": tree.get("required", False)}
    section = Section(f"Field Information: {data_type(org, field)}", inputs)
    return Form(f"{kind.label}: {field_label(field, kind)}", "Custom Field", (section,), values)


def _adding(kind: SObject, field: Field) -> Form:
    labels = Input(
        "labels",
        field_label(field, kind),
        "textarea",
        True,
        length=20_000,
        help="Put each value on its own line; the value is its API name, too.",
    )
    return Form(
        f"Add Picklist Values: {field_label(field, kind)}",
        "Picklist Value",
        (Section(kind.label, (labels,)),),
    )


def _editing(kind: SObject, field: Field, entry: PicklistValue) -> Form:
    inputs = (
        Input("label", "Label", required=True),
        Input("value", "API Name", required=True),
        Input("default", "Default", "checkbox", help="New records get this value."),
    )
    values = {"label": entry.label, "value": entry.value, "default": entry.default}
    return Form(
        f"{field_label(field, kind)}: {entry.label}", "Picklist Value", (Section(kind.label, inputs),), values
    )


def _deleting(org: Org, kind: SObject, field: Field, entry: PicklistValue) -> Form:
    others = [
        Choice(one.value, one.label) for one in org.picklist(field) if one.active and one.value != entry.value
    ]
    intro = f"Choose which {field_label(field, kind)} records get that have {entry.label}, or leave it blank for them."
    instead = Input("instead", "Replace with", "picklist", choices=others)
    return Form(f"Delete {entry.label}", "Picklist Value", (Section(kind.label, (instead,)),), intro=intro)


def _order(page: SetupVisit, kind: SObject, field: Field, problem: str) -> Response:
    entries = [entry for entry in page.org.picklist(field) if entry.active]
    return page.render(
        "setup/picklist_order.html",
        kind=kind,
        field=field,
        entries=entries,
        problem=problem,
    )


def _told(page: SetupVisit, kind: SObject, field: Field) -> dict[str, object]:
    org = page.org
    pairs = [
        ("Field Label", Cell(field_label(field, kind))),
        ("Object Name", Cell(kind.label)),
        ("Field Name", Cell(field.name.removesuffix("__c"))),
        ("Data Type", Cell(data_type(org, field))),
        ("API Name", Cell(field.name)),
        ("Required", Cell(checked=field.required)),
        ("Help Text", Cell(field.help)),
        ("Unique", Cell(checked=field.unique)),
        ("Description", Cell(field.description)),
        ("External ID", Cell(checked=field.external_id)),
    ]
    pairs += [
        (_DEFINED[name], Cell(str(value))) for name, value in field.definition.items() if name in _DEFINED
    ]
    is_list = field.type in ("picklist", "multipicklist")
    return {
        "field": field,
        "label": field_label(field, kind),
        "warning": GONE_FIELD,
        "pairs": pairs,
        "values": _values(page, kind, field, True) if is_list else None,
        "inactive": _values(page, kind, field, False) if is_list else None,
        "editable": picklists.editable(org, field),
        "changeable": Fields().read(org, f"{kind.name}.{field.name}") is not None,
    }


def _values(page: SetupVisit, kind: SObject, field: Field, active: bool) -> Table:
    base = f"/{kind.name}/{field.name}/values"
    columns = (
        Column("Values", lambda entry: entry.label),
        Column("API Name", lambda entry: entry.value),
        Column("Default", lambda entry: bool(entry.default)),
    )

    def actions(entry: PicklistValue) -> list[Action]:
        sends = (("value", entry.value), ("active", "false" if active else "true"))
        turn = Action(
            "Deactivate" if active else "Activate", page.link(f"{base}/active"), post=True, sends=sends
        )
        if not active:
            return [turn]
        return [
            Action("Edit", page.link(f"{base}/edit", value=entry.value)),
            Action("Del", page.link(f"{base}/delete", value=entry.value)),
            turn,
        ]

    entries = [entry for entry in page.org.picklist(field) if entry.active == active]
    name = f"{field_label(field, kind)} Picklist Values" if active else "Inactive Values"
    empty = "No values" if active else "No Inactive Values"
    return related(name, columns, entries, actions if picklists.editable(page.org, field) else None, empty)
