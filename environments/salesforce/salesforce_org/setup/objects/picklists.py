"""What is done to the values of picklists, wherever they are kept: in a shared set or with a field of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from salesforce_org.metadata.definitions import entry_tree as described_entry
from salesforce_org.metadata.fields import Fields
from salesforce_org.record_types import move_value
from salesforce_org.store import DmlError, Field, Org, PicklistValue

_SETS = (("StandardValueSet", "standardValue"), ("GlobalValueSet", "customValue"))
LONGEST = 255


def editable(org: Org, field: Field) -> bool:
    """Whether the values can be changed: some of Salesforce's own fields are fixed."""
    if field.type not in ("picklist", "multipicklist"):
        return False
    return field.custom if field.value_set is None else _home(org, field.value_set) is not None


def add(org: Org, object: str, field: Field, labels: Sequence[str]) -> None:
    """Add values at the end, one for each label that is not there yet.

    Raises:
        DmlError: There is no label, one is too long, or all are there already.
    """
    now = org.picklist(field)
    known = {entry.value.casefold() for entry in now}
    wanted = [label for label in dict.fromkeys(label.strip() for label in labels) if label]
    if not wanted:
        raise DmlError("REQUIRED_FIELD_MISSING", "You must enter a value", ("labels",))
    if long := next((label for label in wanted if len(label) > LONGEST), None):
        raise DmlError("STRING_TOO_LONG", f"{long[:40]}... is longer than {LONGEST} characters", ("labels",))
    new = [PicklistValue(label, label) for label in wanted if label.casefold() not in known]
    if not new:
        raise DmlError("DUPLICATE_VALUE", f"The picklist has the value {wanted[0]} already", ("labels",))
    store(org, object, field, [*now, *new])


def change(org: Org, object: str, field: Field, value: str, new: PicklistValue) -> None:
    """Replace a value; records that have it get the new one.

    Raises:
        DmlError: Another value is called so.
    """
    now = org.picklist(field)
    if any(new.value.casefold() == entry.value.casefold() for entry in now if entry.value != value):
        raise DmlError("DUPLICATE_VALUE", f"The picklist has the value {new.value} already", ("value",))
    entries = [new if entry.value == value else _with_default(entry, new.default) for entry in now]
    store(org, object, field, entries)
    if new.value != value:
        _move(org, field, value, new.value)


def remove(org: Org, object: str, field: Field, value: str, instead: str | None) -> None:
    """Delete a value; records that have it get another one, or none."""
    store(org, object, field, [entry for entry in org.picklist(field) if entry.value != value])
    _move(org, field, value, instead)


def activate(org: Org, object: str, field: Field, value: str, active: bool) -> None:
    """Let a value be chosen, or no more; records keep it."""
    entries = [
        replace(entry, active=active, default=entry.default and active) if entry.value == value else entry
        for entry in org.picklist(field)
    ]
    store(org, object, field, entries)


def reorder(org: Org, object: str, field: Field, order: Sequence[str], default: str) -> None:
    """Put the active values into an order, and say which new records get.

    Raises:
        DmlError: The order does not name every active value once.
    """
    now = {entry.value: entry for entry in org.picklist(field)}
    active = {value for value, entry in now.items() if entry.active}
    if set(order) != active or len(order) != len(active):
        raise DmlError("INVALID_FIELD", "The order must name every active value once", ("order",))
    ordered = [replace(now[value], default=value == default) for value in order]
    store(org, object, field, [*ordered, *(entry for entry in now.values() if not entry.active)])


def store(org: Org, object: str, field: Field, entries: Sequence[PicklistValue]) -> None:
    """Keep values where the picklist has them."""
    if field.value_set is None:
        _store_own(org, f"{object}.{field.name}", entries)
        return
    home = _home(org, field.value_set)
    if home is None:
        raise DmlError("INVALID_FIELD", "The values of this picklist cannot be changed")
    kind, key = home
    tree = org.component(kind, field.value_set) or {}
    org.put_component(kind, field.value_set, {**tree, key: [entry_tree(entry) for entry in entries]})


def entry_tree(entry: PicklistValue) -> dict[str, Any]:
    """Return a value as shared sets hold it."""
    told = {"value": entry.value, "label": entry.label, "default": entry.default, **entry.more}
    return told if entry.active else {**told, "active": False}


def uses(org: Org, field: Field) -> list[tuple[str, Field]]:
    """Return the fields whose picklist changes with this one's."""
    return [
        (kind.name, one)
        for kind in org.schema.objects.values()
        for one in kind.fields
        if one is field or (field.value_set is not None and one.value_set == field.value_set)
    ]


def _home(org: Org, name: str) -> tuple[str, str] | None:
    return next(((kind, key) for kind, key in _SETS if org.component(kind, name) is not None), None)


def _with_default(entry: PicklistValue, taken: bool) -> PicklistValue:
    return replace(entry, default=False) if taken else entry


def _move(org: Org, field: Field, old: str, new: str | None) -> None:
    """Give records that have a value another one."""
    for object, one in uses(org, field):
        move_value(org, object, one.name, old, new)
        for row in list(org.rows(object)):
            held = str(row.get(one.name) or "").split(";")
            if old in held:
                moved = [new if part == old else part for part in held]
                with org.unchecked():
                    org.update(row["Id"], **{one.name: ";".join(part for part in moved if part) or None})


def _store_own(org: Org, name: str, entries: Sequence[PicklistValue]) -> None:
    tree = Fields().read(org, name)
    assert tree is not None, name
    definition = {
        **tree["valueSet"]["valueSetDefinition"],
        "value": [described_entry(entry) for entry in entries],
    }
    Fields().write(org, name, {**tree, "valueSet": {**tree["valueSet"], "valueSetDefinition": definition}})
