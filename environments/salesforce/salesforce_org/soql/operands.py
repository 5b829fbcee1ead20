"""Brings the values of a query into the form in which records hold them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from salesforce_org.soql import dates
from salesforce_org.soql.binding import Bound
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import SoqlError, malformed
from salesforce_org.soql.tree import Literal
from salesforce_org.store import ids
from salesforce_org.store.values import moment, read_moment

NUMBERS = frozenset({"int", "double", "currency", "percent"})
TEXTS = frozenset(
    {
        "string",
        "textarea",
        "url",
        "phone",
        "email",
        "picklist",
        "multipicklist",
        "combobox",
        "encryptedstring",
    }
)
IDS = frozenset({"id", "reference"})
_CALLED = {"currency": "double", "percent": "double", "datetime": "dateTime"}


class Range(NamedTuple):
    """From a value up to another one, without that; as records hold them."""

    start: str
    end: str


Operand = str | float | bool | Range | None


def key_of(bound: Bound) -> Callable[[Any], Any]:
    """Return how values are compared: texts in any case."""
    return _folded if bound.type in TEXTS else _itself


def _folded(value: Any) -> str:
    return str(value).casefold()


def _itself(value: Any) -> Any:
    return value


def operand(catalog: Catalog, bound: Bound, value: Literal) -> Operand:
    """Return a literal as a field's values are compared with it.

    Raises:
        SoqlError: The field can hold no such value.
    """
    if value.kind == "null" or (value.kind == "text" and not value.text and bound.type in TEXTS | IDS):
        return None
    if bound.type in IDS:
        return _id(bound, value)
    if bound.type in TEXTS:
        return value.text.casefold() if value.kind == "text" else _refuse(bound, value)
    if bound.type in NUMBERS:
        return float(value.text) if value.kind == "number" else _refuse(bound, value)
    if bound.type == "boolean":
        return value.text == "true" if value.kind == "boolean" else _refuse(bound, value)
    if value.kind == "word" and bound.type in ("date", "datetime"):
        return _span(catalog, bound, value)
    if value.kind != bound.type:
        return _refuse(bound, value)
    return _when(bound, value)


def _refuse(bound: Bound, value: Literal) -> Operand:
    quoted = "should be" if bound.type in TEXTS | IDS else "should not be"
    kind = "string" if bound.type in TEXTS else _CALLED.get(bound.type, bound.type)
    raise SoqlError(
        "INVALID_FIELD",
        f"value of filter criterion for field '{bound.name}' must be of type {kind} and {quoted} enclosed in quotes",
        value.at,
    )


def _id(bound: Bound, value: Literal) -> Operand:
    if value.kind != "text":
        return _refuse(bound, value)
    try:
        return ids.full(value.text)
    except ValueError:
        raise SoqlError(
            "INVALID_QUERY_FILTER_OPERATOR", f"invalid ID field: {value.text[:80]}", value.at
        ) from None


def _when(bound: Bound, value: Literal) -> Operand:
    try:
        if value.kind == "datetime":
            return moment(read_moment(value.text))
        if value.kind == "date":
            return dates.read_day(value.text).isoformat()
        return value.text
    except (ValueError, OverflowError):
        raise malformed(f"Invalid {value.kind}: {value.text}", value.at) from None


def _span(catalog: Catalog, bound: Bound, value: Literal) -> Range:
    try:
        start, end = dates.span(value.text, value.count, catalog.today, catalog.fiscal_month)
        if bound.type == "date":
            return Range(start.isoformat(), end.isoformat())
        return Range(dates.midnight(start, catalog.zone), dates.midnight(end, catalog.zone))
    except (ValueError, OverflowError):
        raise malformed(f"Invalid date: {value.text}:{value.count}", value.at) from None
