"""Writes of records as the interfaces take them: JSON tables, references by external id, upserts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from salesforce_org.api.call import ApiError
from salesforce_org.api.objects import record_of
from salesforce_org.duplicates import refuse_duplicates
from salesforce_org.store import DmlError, Field, Org, Record, SObject, ids


class Writer(Protocol):
    """Writes an object that is not stored as records, such as a component of the Tooling API."""

    def create(self, org: Org, table: Mapping[str, Any]) -> str:
        """Make one and return its id."""

    def change(self, org: Org, id: str, table: Mapping[str, Any]) -> None:
        """Change one."""

    def remove(self, org: Org, id: str) -> None:
        """Delete one."""


WRITERS: dict[str, Writer] = {}


def create(org: Org, kind: SObject, table: Mapping[str, Any]) -> str:
    """Store a new record and return its id.

    Raises:
        OrgError: It is refused.
    """
    if writer := _writer(org, kind):
        return writer.create(org, table)
    if not kind.createable:
        raise DmlError("INVALID_TYPE_FOR_OPERATION", f"entity type {kind.name} does not support create")
    if "id" in (name.casefold() for name in table):
        raise DmlError("INVALID_FIELD_FOR_INSERT_UPDATE", "cannot specify Id in an insert call", ("Id",))
    given = fields_of(org, kind, table)
    refuse_duplicates(org, kind.name, given)
    return org.insert(kind.name, **given)


def change(org: Org, kind: SObject, id: str, table: Mapping[str, Any]) -> None:
    """Change fields of a record.

    Raises:
        OrgError: It is refused.
    """
    if writer := _writer(org, kind):
        writer.change(org, _full(id), table)
        return
    row = record_of(org, kind, id)
    if not kind.updateable:
        raise DmlError("INVALID_TYPE_FOR_OPERATION", f"entity type {kind.name} does not support update")
    given = fields_of(org, kind, table)
    refuse_duplicates(org, kind.name, given, row)
    org.update(row["Id"], **given)


def remove(org: Org, kind: SObject, id: str) -> None:
    """Put a record into the recycle bin.

    Raises:
        OrgError: It is refused.
    """
    if writer := _writer(org, kind):
        writer.remove(org, _full(id))
        return
    org.delete(record_of(org, kind, id)["Id"])


def _full(id: str) -> str:
    try:
        return ids.full(id)
    except ValueError:
        raise DmlError("MALFORMED_ID", f"malformed id {id[:40]}", ("Id",)) from None


def _writer(org: Org, kind: SObject) -> Writer | None:
    return None if kind.name in org.schema.objects else WRITERS.get(kind.name)


def upsert(
    org: Org, kind: SObject, key: Field, value: str, table: Mapping[str, Any], *, insert: bool = True
) -> tuple[str, bool]:
    """Change the record that an external id names, or store a new one; return its id and whether it is new.

    Raises:
        Several: More than one record has this value.
        OrgError: It is refused.
    """
    rest = {name: one for name, one in table.items() if name.casefold() != key.name.casefold()}
    if key.name == "Id":
        if not value:
            return create(org, kind, rest), True
        change(org, kind, value, rest)
        return str(record_of(org, kind, value)["Id"]), False
    found = with_value(org, kind, key, value)
    if found:
        change(org, kind, found["Id"], rest)
        return str(found["Id"]), False
    if not insert:
        raise ApiError(404, "NOT_FOUND", "The requested resource does not exist")
    return create(org, kind, {**rest, key.name: value}), True


class Several(ApiError):
    """An external id that more than one record has."""

    def __init__(self, kind: SObject, key: Field, found: list[str]) -> None:
        super().__init__(
            300, "DUPLICATE_EXTERNAL_ID", f"{key.name}: {len(found)} records of {kind.name} have this value"
        )
        self.found = found


def external_key(kind: SObject, name: str) -> Field:
    """Return the field that records are found by.

    Raises:
        ApiError: It is no such field.
    """
    found = kind.field(name)
    if found is None or not (found.external_id or found.name == "Id"):
        told = "Provided external ID field does not exist or is not accessible"
        raise ApiError(404, "NOT_FOUND", f"{told}: {name[:80]}")
    return found


def with_value(org: Org, kind: SObject, key: Field, value: str) -> Record | None:
    """Return the record whose external id has a value, or None.

    Raises:
        Several: More than one has it.
    """
    wanted = str(value).casefold()
    rows = (row for row in org.rows(kind.name) if row.get(key.name) is not None)
    found = [row for row in rows if str(row[key.name]).casefold() == wanted]
    if len(found) > 1:
        raise Several(kind, key, [row["Id"] for row in found])
    return found[0] if found else None


def fields_of(org: Org, kind: SObject, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that a table gives, references by external id resolved.

    Raises:
        OrgError: A value cannot be what a field holds.
    """
    given: dict[str, Any] = {}
    for name, value in table.items():
        if name in ("attributes", "type"):
            continue
        if name.casefold() == "id":
            told = "The Id field should not be specified in the sobject data."
            raise DmlError("INVALID_FIELD", told)
        if isinstance(value, Mapping):
            reference, value = _pointed(org, kind, name, value)
            given[reference.name] = value
        else:
            given[name] = value
    return given


def _pointed(org: Org, kind: SObject, relationship: str, table: Mapping[str, Any]) -> tuple[Field, str]:
    """Return the reference behind `{"Account": {"Number__c": "7"}}` and the id of the record that it names."""
    reference = kind.parent(relationship)
    if reference is None:
        told = f"No such column '{relationship}' on sobject of type {kind.name}"
        raise DmlError("INVALID_FIELD", told, (relationship,))
    named = table.get("attributes", {}).get("type") if isinstance(table.get("attributes"), dict) else None
    target = org.schema.get(str(named or next(iter(reference.to), "")))
    keys = {name: value for name, value in table.items() if name not in ("attributes", "type")}
    if target is None or len(keys) != 1:
        told = f"{relationship} must name one external id of the record that it points to"
        raise DmlError("INVALID_FIELD", told, (relationship,))
    name, value = keys.popitem()
    key = target.field(name)
    if key is None or not (key.external_id or key.unique or key.name == "Id"):
        told = f"Field name provided, {name} is not an External ID or indexed field for {target.name}"
        raise DmlError("INVALID_FIELD", told, (name,))
    found = with_value(org, target, key, str(value))
    if found is None:
        told = f"Foreign key external ID: {value} not found for field {name} in entity {target.name}"
        raise DmlError("INVALID_FIELD", told, (name,))
    return reference, found["Id"]
