"""What a field's name in a layout stands for: a field, a person's whole name, an address, or a field of a parent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.pages.formats import EMPTY, Shown, record_href, show
from salesforce_org.pages.layout import Layout, layout_of
from salesforce_org.store import Field, Org, SObject

ADDRESS = ("Street", "City", "State", "PostalCode", "Country")
NAME = ("Salutation", "FirstName", "LastName")
Row = Mapping[str, Any]


def person(kind: SObject, name: str) -> bool:
    """Whether a name stands for salutation, first and last name."""
    return name == "Name" and kind.field("LastName") is not None


def address(kind: SObject, name: str) -> bool:
    """Whether a name stands for all parts of an address."""
    return (
        name.endswith("Address") and kind.field(name) is None and kind.field(_part(name, "City")) is not None
    )


def parts(kind: SObject, name: str) -> tuple[Field, ...]:
    """Return the fields that a name in a layout stands for; none where the object has no such field."""
    if person(kind, name):
        found = [kind.field(one) for one in NAME]
    elif address(kind, name):
        found = [kind.field(_part(name, one)) for one in ADDRESS]
    else:
        found = [kind.field(name)]
    return tuple(one for one in found if one is not None)


def label(layout: Layout, name: str) -> str:
    """Return what pages call a field, a compound, or a field of a parent (`Account.Name`)."""
    kind = layout.object
    if name in layout.labels:
        return layout.labels[name]
    if address(kind, name):
        return _spaced(name)
    if person(kind, name):
        return "Name"
    relationship, _, rest = name.partition(".")
    if rest:
        parent = kind.parent(relationship)
        return f"{layout.label(parent)} {_spaced(rest)}" if parent else name
    found = kind.field(name)
    return layout.label(found) if found else name


def shown(org: Org, kind: SObject, row: Row, name: str) -> Shown:
    """Return the value behind a name in a layout; a record's own name links to it."""
    if address(kind, name):
        return _whole_address(kind, row, name)
    relationship, _, rest = name.partition(".")
    if rest:
        return _of_parent(org, kind, row, relationship, rest)
    field = kind.field(name)
    if field is None:
        return EMPTY
    value = show(org, field, org.value(kind, row, field))
    if name == kind.name_field or (value.text and name == layout_of(kind).title):
        return Shown(value.text or "Untitled", "link", record_href(kind.name, row["Id"]), value.sort)
    return value


def columns(layout: Layout) -> tuple[str, ...]:
    """Return everything that a table of records can show, the object's own name first."""
    fields = [
        one.name for one in layout.object.fields if one.name not in ("Id", "IsDeleted", "SystemModstamp")
    ]
    return tuple(sorted(fields, key=lambda name: label(layout, name).casefold()))


def _of_parent(org: Org, kind: SObject, row: Row, relationship: str, rest: str) -> Shown:
    reference = kind.parent(relationship)
    target = row.get(reference.name) if reference else None
    found = org.schema.of_id(target) if target else None
    parent = org.get(found.name, target) if found else None
    return shown(org, found, parent, rest) if found and parent else EMPTY


def _whole_address(kind: SObject, row: Row, name: str) -> Shown:
    def part(one: str) -> str:
        return str(row.get(_part(name, one)) or "")

    town = ", ".join(
        one for one in (part("City"), " ".join(filter(None, (part("State"), part("PostalCode"))))) if one
    )
    text = "\n".join(one for one in (part("Street"), town, part("Country")) if one)
    return Shown(text, "lines", sort=text.casefold())


def _part(name: str, part: str) -> str:
    return name.removesuffix("Address") + part


def _spaced(name: str) -> str:
    return "".join(f" {one}" if one.isupper() else one for one in name).strip()
