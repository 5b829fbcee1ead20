"""Finds what the names of a query mean: getters of fields, also through parents of one or several objects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import no_column, no_relationship
from salesforce_org.store import Field, Record, SObject
from salesforce_org.store.schema import address_of

LONGEST_FILTERED = 255
Get = Callable[[Any], Any]
Parent = tuple[SObject, Record]


@dataclass(frozen=True, slots=True)
class Bound:
    """A field or function of a record: how to get it and what it is.

    Attributes:
        name: Its canonical name, with the parents that it is reached through.
        type: Of which kind the values are; fields' types.
        field: The field, if it is one; `object` is what the field belongs to.
    """

    name: str
    type: str
    get: Get
    field: Field | None = None
    object: SObject | None = None

    @property
    def long(self) -> bool:
        """Whether it is a text too long to be filtered, sorted or grouped by."""
        return (
            self.field is not None
            and self.type in ("textarea", "address")
            and self.field.length > LONGEST_FILTERED
        )


def getter(catalog: Catalog, object: SObject, field: Field) -> Get:
    """Return the function that gives a field's value in a record."""
    name, org = field.name, catalog.org
    if field.type == "address":
        return lambda row: address_of(field, row)
    if field.computed is not None:
        return lambda row: org.value(object, row, field)
    if field.type == "boolean":
        return lambda row: row.get(name) or False
    return lambda row: row.get(name)


def parents(catalog: Catalog, reference: Field) -> Callable[[Record], Parent | None]:
    """Return the function that gives the record that a reference points to, with its object."""
    name = reference.name
    only = catalog.object(reference.to[0]) if len(reference.to) == 1 else None

    def one(row: Record) -> Parent | None:
        assert only is not None
        found = catalog.get(only, row.get(name))
        return None if found is None else (only, found)

    def any_of(row: Record) -> Parent | None:
        id = row.get(name)
        object = catalog.of_id(id) if id else None
        found = catalog.get(object, id) if object else None
        return None if object is None or found is None else (object, found)

    return one if only is not None else any_of


def targets(catalog: Catalog, reference: Field) -> tuple[SObject, ...]:
    """Return the objects that a reference may point to."""
    names = reference.to or tuple(catalog.org.schema.objects)
    return tuple(found for name in names if (found := catalog.object(name)) is not None)


def resolved(catalog: Catalog, object: SObject, names: tuple[str, ...], at: int) -> Bound:
    """Return what the names of a path mean for records of an object.

    Raises:
        SoqlError: They mean nothing.
    """
    if len(names) == 1:
        return own(catalog, object, names[0], at)
    reference = object.parent(names[0])
    if reference is None:
        raise no_relationship(names[0], "field path", at)
    reach = parents(catalog, reference)
    several = targets(catalog, reference)
    if len(several) == 1:
        last = resolved(catalog, several[0], names[1:], at)
        found = _through(reach, last)
    else:
        found = _polymorphic(catalog, reach, several, names[1:], at)
    return replace(found, name=f"{reference.relationship}.{found.name}")


def own(catalog: Catalog, object: SObject, name: str, at: int) -> Bound:
    """Return a field of the object itself."""
    field = object.readable(name)
    if field is None:
        raise no_column(name, object.name, at)
    return Bound(field.name, field.type, getter(catalog, object, field), field, object)


def _through(reach: Callable[[Record], Parent | None], last: Bound) -> Bound:
    inner = last.get
    missing = False if last.type == "boolean" else None

    def get(row: Record) -> Any:
        found = reach(row)
        return missing if found is None else inner(found[1])

    return replace(last, get=get)


def _polymorphic(
    catalog: Catalog,
    reach: Callable[[Record], Parent | None],
    several: tuple[SObject, ...],
    names: tuple[str, ...],
    at: int,
) -> Bound:
    """Return what all, or some, of several objects may have in common; the others have no value there."""
    inner: dict[str, Bound] = {}
    for object in several:
        bound = named(catalog, object, names, at)
        if bound is not None:
            inner[object.name] = bound
    if not inner:
        if len(names) == 1:
            raise no_column(names[0], "Name", at)
        raise no_relationship(names[0], "field path", at)
    pattern = next(iter(inner.values()))
    missing = False if pattern.type == "boolean" else None

    def get(row: Record) -> Any:
        found = reach(row)
        bound = inner.get(found[0].name) if found else None
        return missing if found is None or bound is None else bound.get(found[1])

    return replace(pattern, get=get)


def named(catalog: Catalog, object: SObject, names: tuple[str, ...], at: int) -> Bound | None:
    """Return a field of one of a reference's several objects, or None where that one has it not.

    Whatever they are, all have a `Name` and a `Type`, which is the name of the object; a queue's is its own.
    """
    if len(names) == 1:
        name = names[0].casefold()
        if name == "type" and object.name != "Group":
            return Bound("Type", "string", lambda row: object.name)
        if name == "name" and object.field("Name") is None and object.name_field:
            return replace(own(catalog, object, object.name_field, at), name="Name", type="string")
        return own(catalog, object, name, at) if object.readable(name) else None
    if object.parent(names[0]) is None:
        return None
    return resolved(catalog, object, names, at)
