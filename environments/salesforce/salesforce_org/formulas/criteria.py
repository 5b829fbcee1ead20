"""Criteria of metadata (`FilterItem`), such as those of roll-ups: a field, an operation and a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from salesforce_org.formulas.values import BOOLEAN, DATE, DATETIME, NUMBER, taken, type_of
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.org import Tree
from salesforce_org.store.values import read_moment

Fits = Callable[[Record], bool]


def fits(org: Org, kind: SObject, items: Iterable[Tree]) -> Fits:
    """Return whether a record meets all criteria; a field's name may have its object's before it."""
    tests = [_test(org, kind, one) for one in items]
    return lambda row: all(test(row) for test in tests)


def _test(org: Org, kind: SObject, item: Tree) -> Fits:
    field = kind.field(str(item["field"]).rpartition(".")[2])
    other = kind.field(str(item.get("valueField", "")).rpartition(".")[2])
    operation = item["operation"]
    if field is None:
        return lambda row: False
    return lambda row: _met(
        operation,
        _plain(field, org.value(kind, row, field)),
        [_plain(other, org.value(kind, row, other))] if other else _wanted(field, item.get("value", "")),
    )


def _plain(field: Field, value: Any) -> Any:
    found = taken(field, value)
    return found.casefold() if isinstance(found, str) else found


def _wanted(field: Field, text: str) -> list[Any]:
    """Several values stand behind commas, and one of them is enough."""
    parts = [part.strip() for part in text.split(",")] if type_of(field) != DATETIME else [text]
    return [_read(field, part) for part in parts]


def _read(field: Field, text: str) -> Any:
    kind = type_of(field)
    try:
        if kind == NUMBER:
            return taken(field, Decimal(text)) if text else None
        if kind == BOOLEAN:
            return text.casefold() in ("true", "1")
        if kind == DATE:
            return date.fromisoformat(text) if text else None
        if kind == DATETIME:
            return read_moment(text) if text else None
    except (ValueError, InvalidOperation):
        return None
    return text.casefold()


def _met(operation: str, value: Any, wanted: list[Any]) -> bool:
    parts = value.split(";") if isinstance(value, str) and operation in ("includes", "excludes") else [value]
    match operation:
        case "equals" | "includes":
            return any(one in parts for one in wanted)
        case "notEqual" | "excludes":
            return not any(one in parts for one in wanted)
        case "contains":
            return any(one in value for one in wanted)
        case "notContain":
            return not any(one in value for one in wanted)
        case "startsWith":
            return any(value.startswith(one) for one in wanted)
    if value is None or wanted[0] is None:
        return False
    match operation:
        case "lessThan":
            return bool(value < wanted[0])
        case "greaterThan":
            return bool(value > wanted[0])
        case "lessOrEqual":
            return bool(value <= wanted[0])
    return bool(value >= wanted[0])
