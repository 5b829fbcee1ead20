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
from salesforce_org.setup.forms import CANCEL, SAVE, Form, Input, Section
from salesforce_org.setup.formulas import editor
from salesforce_org.setup.objects import picklists
from salesforce_org.setup.objects.field_formulas import BLANKS
from salesforce_org.setup.objects.field_steps import profiles, secure
from salesforce_org.setup.objects.field_types import DEFAULT, DEFAULTED
from salesforce_org.setup.objects.manager import GONE_FIELD, MANAGER, address, in_manager, object_of, show_tab
from salesforce_org.setup.objects.shown import data_type, field_label
from salesforce_org.setup.objects.values import ValueList, ValuePages, submit_to, values_table
from salesforce_org.setup.permissions.access import access, set_of_profile
from salesforce_org.setup.tables import Cell
from salesforce_org.store import Field, SObject

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

    home = address(kind, "FieldsAndRelationships", field.name)
    return submit_to(page, home, _changing(page, kind, field), write)


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


def _named(page: SetupVisit) -> tuple[SObject, Field]:
    kind = object_of(page)
    field = kind.field(page.params["field"])
    if field is None or ("/values/" in page.path and not picklists.editable(page.org, field)):
        raise NotHere
    return kind, field


def _back(kind: SObject, field: Field) -> Response:
    return RedirectResponse(address(kind, "FieldsAndRelationships", field.name), 303)


def _list(page: SetupVisit) -> ValueList:
    return _values_of(*_named(page))


def _values_of(kind: SObject, field: Field) -> ValueList:
    home = address(kind, "FieldsAndRelationships", field.name)
    label = field_label(field, kind)
    return ValueList(kind.name, field, label, kind.label, f"/{kind.name}/{field.name}/values", home)


ValuePages(_list).register(MANAGER, BASE)


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
        "values": values_table(page, _values_of(kind, field), True) if is_list else None,
        "inactive": values_table(page, _values_of(kind, field), False) if is_list else None,
        "editable": picklists.editable(org, field),
        "changeable": Fields().read(org, f"{kind.name}.{field.name}") is not None,
    }
