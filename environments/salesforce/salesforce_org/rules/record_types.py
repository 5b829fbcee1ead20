"""Record types: the field by which records name theirs, what a new record begins with, and which values it may have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from salesforce_org import record_types
from salesforce_org.metadata.listing import identity
from salesforce_org.metadata.registry import TYPES
from salesforce_org.record_types import FIELD, KIND, PROCESS
from salesforce_org.rules.references import HOLDERS, SECTIONS
from salesforce_org.rules.registry import RULES, alone, check_developer_name
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change, Org, Record, Tree
from salesforce_org.store.schema import Field, read_field

_OF_RECORDS = read_field(
    FIELD,
    {"label": "Record Type ID", "type": "reference", "to": [KIND], "relationship": KIND},
)


@RULES.on("before", KIND)
def check(change: Change) -> None:
    """A record type belongs to an object that can have some, under a name of its own."""
    new, schema = change.new, change.org.schema
    if new["SobjectType"] not in schema.objects or not record_types.supports(schema[new["SobjectType"]]):
        raise DmlError(
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
            f"Sobject Type Name: bad value for restricted picklist field: {new['SobjectType']}",
            ("SobjectType",),
        )
    if change.turned("DeveloperName") and new["DeveloperName"]:
        check_developer_name(new["DeveloperName"], "DeveloperName")
        named = {"SobjectType": new["SobjectType"], "DeveloperName": new["DeveloperName"]}
        alone(
            change,
            "This record type name already exists or has been previously used",
            ("DeveloperName",),
            **named,
        )


@RULES.on("after", KIND)
def stored(change: Change) -> None:
    """With its first record type an object gets the field that names one; a new name is a new name everywhere."""
    org, object = change.org, change.new["SobjectType"]
    if org.schema[object].field(FIELD) is None:
        org.extend(org.schema.with_field(object, _OF_RECORDS))
    if change.old is not None and change.turned("DeveloperName"):
        _rename(org, record_types.full_name_of(change.old), record_types.full_name_of(change.new))


@RULES.on("deleting", KIND)
def deleted(change: Change) -> None:
    """The component of a record type goes with it, and with the last one the field that names one."""
    org, object = change.org, change.new["SobjectType"]
    org.put_component(KIND, record_types.full_name_of(change.new), None)
    if record_types.types(org, object) == [change.old]:
        org.extend(org.schema.without_field(object, FIELD))


@RULES.on_component(KIND)
def check_values(org: Org, name: str, tree: Tree | None) -> None:
    """A record type names a process, picklists and values that its object has."""
    object = name.partition(".")[0]
    process = unquote((tree or {}).get("businessProcess", ""))
    if process and process not in record_types.processes(org, object):
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", f"no {PROCESS} named {object}.{process} found")
    for one in (tree or {}).get("picklistValues", ()):
        field = org.schema[object].field(one["picklist"])
        if field is None or "picklist" not in field.type:
            raise DmlError(
                "INVALID_CROSS_REFERENCE_KEY", f"no CustomField named {object}.{one['picklist']} found"
            )
        known = {entry.value for entry in org.picklist(field)}
        for value in (unquote(entry["fullName"]) for entry in one["values"]):
            if value not in known:
                told = f"Picklist value: {value} in picklist: {field.name} not found"
                raise DmlError("FIELD_INTEGRITY_EXCEPTION", told)


@RULES.compute("record_type_process")
def process(org: Org, row: Record) -> str | None:
    """Return the id of the process that a record type has."""
    name = (org.component(KIND, record_types.full_name_of(row)) or {}).get("businessProcess")
    return (
        identity(org, TYPES[PROCESS], f"{row['SobjectType']}.{record_types.encoded(unquote(name))}")
        if name
        else None
    )


def choose(change: Change) -> None:
    """A new record gets the user's record type and what it begins with; values that the type lacks are refused.

    Only picklists that are restricted refuse a value.

    Raises:
        DmlError: The user may not choose the record type, or it does not have a value.
    """
    org, kind, new = change.org, change.object, change.new
    if kind.field(FIELD) is None:
        return
    if change.old is None and FIELD not in change.given:
        new[FIELD] = record_types.default(org, kind.name)
    id = new[FIELD]
    usable = {row["Id"] for row in record_types.available(org, kind.name)} if org.checked else {id}
    if id and change.turned(FIELD) and id not in usable:
        told = f"Record Type ID: this ID value isn't valid for the user: {id}"
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", told, (FIELD,))
    for field in kind.fields if id else ():
        if (
            "picklist" in field.type
            and (some := record_types.chosen(org, kind.name, field.name, id)) is not None
        ):
            _settle(change, field, some)


def _settle(change: Change, field: Field, some: Mapping[str, bool]) -> None:
    if change.old is None and field.name not in change.given:
        id = change.new[FIELD]
        change.new[field.name] = record_types.begins_with(change.org, change.object.name, field, id)
    if field.restricted and change.turned(field.name):
        for value in str(change.new[field.name] or "").split(";"):
            if value and value not in some:
                told = f"{field.label}: bad value for restricted picklist field: {value}"
                raise DmlError("INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST", told, (field.name,))


def _rename(org: Org, old: str, new: str) -> None:
    tree = org.component(KIND, old)
    if tree is not None:
        org.put_component(KIND, old, None)
        org.put_component(KIND, new, tree)
    for holder in HOLDERS:
        for full, tree in list(org.components(holder).items()):
            org.put_component(
                holder, full, {key: _renamed(key, value, old, new) for key, value in tree.items()}
            )


def _renamed(section: str, value: Any, old: str, new: str) -> Any:
    element = SECTIONS[KIND].get(section)
    if element is None:
        return value
    return [{**one, element: new} if one.get(element) == old else one for one in value]


RULES.first.append(choose)
