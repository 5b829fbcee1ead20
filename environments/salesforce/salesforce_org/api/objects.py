"""Objects and records as the interfaces name and show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from salesforce_org.api.call import ApiError, Call
from salesforce_org.soql import virtual
from salesforce_org.store import Field, Org, Record, SObject, ids
from salesforce_org.store.errors import NotThere


def object_named(org: Org, name: str) -> SObject:
    """Return the object of a name in any case.

    Raises:
        NotThere: The org has no object of this name.
    """
    found = org.schema.get(name)
    if found is None:
        raise NotThere
    return found


def all_objects(org: Org, *, tooling: bool = False) -> list[SObject]:
    """Return stored and computed objects by name."""
    computed = {one.object.name: one.object for one in virtual.tables(tooling).values()}
    return [one for _, one in sorted({**org.schema.objects, **computed}.items())]


def any_object(org: Org, name: str, *, tooling: bool = False) -> SObject:
    """Return the stored or computed object of a name in any case.

    Raises:
        NotThere: No object has this name.
    """
    computed = virtual.tables(tooling).get(name.casefold())
    return computed.object if computed else object_named(org, name)


def record_of(org: Org, kind: SObject, id: str) -> Record:
    """Return an object's record.

    Raises:
        NotThere: No record has this id, or it is in the recycle bin.
    """
    try:
        whole = ids.full(id)
    except ValueError:
        whole = ""
    if org.schema.of_id(whole) != kind:
        raise NotThere(f"Provided external ID field does not exist or is not accessible: {id[:80]}")
    row = org.get(kind.name, whole)
    if row is None:
        raise NotThere("entity is deleted", "ENTITY_IS_DELETED") if in_bin(org, whole) else NotThere()
    return row


def in_bin(org: Org, id: str) -> bool:
    """Tell whether a record is in the recycle bin."""
    return any(row["Id"] == id for _, row in org.deleted())


def attributes(kind: SObject, id: str, root: str) -> dict[str, str]:
    """Return what stands in front of a record's fields."""
    return {"type": kind.name, "url": f"{root}/sobjects/{kind.name}/{id}"}


def shown(call: Call, kind: SObject, row: Record, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return a record as JSON: all its fields, or those that are named.

    Raises:
        ApiError: It has no field of a name.
    """
    every = (*kind.fields, *kind.addresses.values())
    fields = every if names is None else [field_named(kind, name) for name in names]
    values = {one.name: call.org.value(kind, row, one) for one in fields}
    return {"attributes": attributes(kind, row["Id"], call.root), **values}


def field_named(kind: SObject, name: str) -> Field:
    """Return the field of a name in any case.

    Raises:
        ApiError: The object has no field of this name.
    """
    found = kind.readable(name.strip())
    if found is None:
        told = f"No such column '{name.strip()}' on sobject of type {kind.name}"
        raise ApiError(400, "INVALID_FIELD", told)
    return found


def names_in(text: str | None) -> list[str] | None:
    """Return the names in a list such as `Name,Phone`; None where nothing was asked for."""
    return [name for name in text.split(",") if name.strip()] if text else None
