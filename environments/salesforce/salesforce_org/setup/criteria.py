"""Criteria in forms of Setup: rows of field, operator and value, with filter logic that combines them.

A form's input of the kind `criteria` holds a `Criteria`; `stored` makes the entries of metadata out of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from salesforce_org.criteria import field_of, name_of
from salesforce_org.metadata.records import said
from salesforce_org.pages.lists.conditions import NUMBERS, OPERATORS, ORDERED, operators
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.setup.choices import Choice
from salesforce_org.store import DmlError, Field, Org, SObject
from salesforce_org.store.org import Tree

ROWS, MOST = 5, 10  # shown at first, and with Add Row
_GROUPED = re.compile(r"[$]?\d{1,3}(,\d{3})+(\.\d+)?")
_HIDDEN = ("id", "address", "location", "base64", "anyType")
_UNSEEN = ("IsDeleted", "SystemModstamp", "MasterRecordId", "PhotoUrl")


@dataclass(frozen=True, slots=True)
class Criteria:
    """What stands in the rows, as field, operator and value; rows without a field are left out."""

    rows: tuple[tuple[str, str, str], ...] = ()
    logic: str = ""

    @property
    def shown(self) -> list[tuple[int, tuple[str, str, str]]]:
        """All rows with their numbers, empty ones at the end."""
        return list(enumerate([*self.rows, *[("", "", "")] * (MOST - len(self.rows))], 1))

    @property
    def operators(self) -> Mapping[str, str]:
        """The operators with their labels."""
        return OPERATORS

    @property
    def open(self) -> int:
        """How many rows are shown at first."""
        return max(ROWS, len(self.rows))


def of_tree(items: Sequence[Tree], logic: str | None = "") -> Criteria:
    """Return the rows of entries of metadata."""
    rows = ((one["field"], one["operation"], one.get("value", "")) for one in items)
    return Criteria(tuple(rows), logic or "")


def of_own(object: str, items: Sequence[Tree], logic: str | None = "") -> Criteria:
    """Return the rows of entries that name fields of one object, without it."""
    return of_tree(qualified(object, items), logic)


def qualified(object: str, items: Sequence[Tree]) -> list[Tree]:
    """Return entries that name fields of one object, with it."""
    return [{**one, "field": f"{object}.{one['field']}"} for one in items]


def fields(org: Org, *objects: str) -> tuple[Choice, ...]:
    """Return the fields of objects that criteria can be about, as `Case: Description`; of users the acting one's."""
    found: list[Choice] = []
    for object in objects:
        kind = org.schema[object]
        known = [one for one in kind.fields if one.type not in _HIDDEN and one.name not in _UNSEEN]
        choices = [Choice(name_of(kind, one), f"{titled(kind)}: {label(one.label)}") for one in known]
        found += sorted(choices, key=lambda choice: choice.label.casefold())
    return tuple(found)


def titled(kind: SObject) -> str:
    """Return what criteria call an object."""
    return "Current User" if kind.name == "User" else kind.label


def label(text: str) -> str:
    """Return a field's label without what only references have."""
    return text.removesuffix(" ID")


def problem(org: Org, criteria: Criteria, offered: Sequence[Choice]) -> str:
    """Return what is wrong with criteria, or nothing."""
    names = {choice.value for choice in offered}
    for field, operator, value in criteria.rows:
        found = field_of(org, field)
        if found is None or field not in names:
            return "Select a field in each row that has an operator or a value"
        if not operator:
            return "Select an operator for each field"
        if operator not in dict(operators(found[1])) and (operator not in ORDERED or _chosen(found[1])):
            return (
                f"The operator {OPERATORS.get(operator, operator)!r} does not fit the field {found[1].label}"
            )
        if found[1].type in NUMBERS and value and not _is_number(value):
            return f"Invalid number: {value}"
    if criteria.logic:
        try:
            parsed(criteria.logic, len(criteria.rows))
        except LogicError as wrong:
            return str(wrong)
    return ""


def stored(org: Org, criteria: Criteria, items: str, logic: str) -> dict[str, Any]:
    """Return criteria as the elements of a component, under the names that it has for them.

    Raises:
        DmlError: A field is no longer there.
    """
    found = [
        said(field=field, operation=operator, value=_value(org, field, value) or None)
        for field, operator, value in criteria.rows
    ]
    return said(**{items: found, logic: criteria.logic or None})


def stored_own(org: Org, criteria: Criteria) -> list[dict[str, Any]]:
    """Return the entries of a component that names fields of one object, without it.

    Raises:
        DmlError: A field is no longer there.
    """
    items = stored(org, criteria, "items", "logic").get("items", [])
    named = ((one, field_of(org, one["field"])) for one in items)
    return [{**one, "field": found[1].name} for one, found in named if found]


def sentence(org: Org, items: Sequence[Tree], logic: str | None = "") -> str:
    """Return criteria in words, as lists and detail pages show them."""
    told = []
    for one in items:
        found = field_of(org, one["field"])
        named = f"{titled(found[0])}: {label(found[1].label)}" if found else one["field"]
        told.append(
            f"{named} {OPERATORS.get(one['operation'], one['operation'])} {one.get('value', '')}".strip()
        )
    if logic:
        return f"{', '.join(f'{number}. {one}' for number, one in enumerate(told, 1))} ({logic})"
    return " AND ".join(f"({one})" if len(told) > 1 else one for one in told)


def _value(org: Org, name: str, value: str) -> str:
    found = field_of(org, name)
    if found is None:
        raise DmlError("INVALID_FIELD", f"The field {name} is no longer there", ("criteria",))
    if found[1].type == "boolean":
        return "true" if value.strip().casefold() in ("true", "1", "yes") else "false"
    if found[1].type in NUMBERS:
        return ",".join(
            part.strip().replace("$", "") for part in _ungrouped(value).split(",") if part.strip()
        )
    return value.strip()


def _ungrouped(text: str) -> str:
    """Return a number without the commas between its thousands."""
    return text.strip().replace(",", "") if _GROUPED.fullmatch(text.strip()) else text


def _chosen(field: Field) -> bool:
    """Whether the values of a field have no order but that of a list."""
    return field.type in ("boolean", "picklist", "multipicklist")


def _is_number(text: str) -> bool:
    parts = _ungrouped(text).replace("$", "").split(",")
    return all(re.fullmatch(r"\s*-?\d*\.?\d+\s*", part) for part in parts)
