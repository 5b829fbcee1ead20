"""Whether a record fits a condition of a list view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from salesforce_org.list_views import Filter
from salesforce_org.pages import fields, formats
from salesforce_org.pages.lists.definition import ListDefinition
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.soql import dates
from salesforce_org.store import Field, Org, SObject

OPERATORS = {
    "equals": "equals",
    "notEqual": "not equal to",
    "lessThan": "less than",
    "greaterThan": "greater than",
    "lessOrEqual": "less or equal",
    "greaterOrEqual": "greater or equal",
    "contains": "contains",
    "notContain": "does not contain",
    "startsWith": "starts with",
    "includes": "includes",
    "excludes": "excludes",
}
TEXTS = ("equals", "notEqual", "contains", "notContain", "startsWith")
ORDERED = ("equals", "notEqual", "lessThan", "greaterThan", "lessOrEqual", "greaterOrEqual")
NUMBERS = ("int", "double", "currency", "percent")
Row = Mapping[str, Any]


def operators(field: Field | None) -> tuple[tuple[str, str], ...]:
    """Return the operators that a field offers, as pairs of name and label."""
    kind = field.type if field else "string"
    if kind in ("picklist", "boolean"):
        names: tuple[str, ...] = (
            ("equals", "notEqual", *TEXTS[2:]) if kind == "picklist" else ("equals", "notEqual")
        )
    elif kind == "multipicklist":
        names = ("equals", "notEqual", "includes", "excludes")
    else:
        names = ORDERED if kind in (*NUMBERS, "date", "datetime") else (*TEXTS, "lessThan", "greaterThan")
    return tuple((name, OPERATORS[name]) for name in names)


def fitting(org: Org, one: ListDefinition) -> Callable[[Row], bool]:
    """Return whether a record belongs to a list view."""
    tests = [holds(org, one.object, condition) for condition in one.filters]
    whole: Callable[[Row], bool] = lambda row: all(test(row) for test in tests)  # noqa: E731
    if one.logic:
        try:
            combine = parsed(one.logic, len(tests))
        except LogicError:
            combine = None
        if combine is not None:
            chosen = combine
            whole = lambda row: chosen(lambda number: tests[number - 1](row))  # noqa: E731
    return lambda row: _in_scope(org, one, row) and whole(row)


def _in_scope(org: Org, one: ListDefinition, row: Row) -> bool:
    if one.object.name == "Lead" and row.get("IsConverted"):
        return False
    return one.scope != "Mine" or row.get("OwnerId") == org.user_id


def holds(org: Org, kind: SObject, one: Filter) -> Callable[[Row], bool]:
    """Return whether a record fulfils one condition."""
    field = kind.field(one.field)
    wanted = one.value.split(",")
    if field is not None and field.type in ("date", "datetime"):
        return lambda row: dated(org, one.operation, one.value, org.value(kind, row, field))
    if field is not None and field.type in NUMBERS:
        return lambda row: numbered(one.operation, wanted, org.value(kind, row, field))
    return lambda row: written(one.operation, wanted, _texts(org, kind, row, field, one.field))


def _texts(org: Org, kind: SObject, row: Row, field: Field | None, name: str) -> list[str]:
    """A value and its label: people enter either."""
    value = org.value(kind, row, field) if field else None
    shown = fields.shown(org, kind, row, name).text
    if field is not None and field.type == "boolean":
        return ["true", "1"] if value else ["false", "0"]
    if field is not None and field.type == "multipicklist":
        return [one.casefold() for one in str(value or "").split(";")]
    return [str(value or "").casefold(), shown.casefold()]


def written(operation: str, values: list[str], texts: list[str]) -> bool:
    """Whether a text, given as all that people may call it in lower case, fits one of the values."""
    wanted = [part.strip().casefold() for part in values] or [""]
    match operation:
        case "equals" | "includes":
            return any(part in texts for part in wanted)
        case "notEqual" | "excludes":
            return not any(part in texts for part in wanted)
        case "contains":
            return any(part in text for part in wanted for text in texts)
        case "notContain":
            return not any(part in text for part in wanted for text in texts)
        case "startsWith":
            return any(text.startswith(part) for part in wanted for text in texts)
        case other:
            return _compared(other, texts[0], wanted[0])


def numbered(operation: str, values: list[str], value: Any) -> bool:
    """Whether a number fits values as people write them; an empty one fits no number."""
    wanted = [_number(part) for part in values if part.strip()] or [None]
    if operation in ("equals", "notEqual"):
        return (value in wanted) == (operation == "equals")
    return value is not None and wanted[0] is not None and _compared(operation, value, wanted[0])


def _number(text: str) -> float | None:
    try:
        return float(text.replace("$", "").replace("%", "").replace(",", ""))
    except ValueError:
        return None


def dated(org: Org, operation: str, text: str, value: str | None) -> bool:
    """Whether a date or moment fits a day or a span of days such as LAST WEEK."""
    first, after = span(org, text)
    if first is None or after is None:
        return (value is None) == (operation == "equals") if not text else False
    if value is None:
        return operation == "notEqual"
    day = dates.read_day(value, org.zone)
    match operation:
        case "equals":
            return first <= day < after
        case "notEqual":
            return not first <= day < after
        case "lessThan":
            return day < first
        case "greaterThan":
            return day >= after
        case "lessOrEqual":
            return day < after
        case _:
            return day >= first


def span(org: Org, text: str) -> tuple[date | None, date | None]:
    """Return the first day that a value names and the day after its last: `3/4/2026`, TODAY, LAST 30 DAYS."""
    words = text.strip().upper().replace(" ", "_").replace(":", "_")
    try:
        day = formats.read_day(text)
        return day, day + dates.DAY
    except ValueError:
        pass
    if dates.known(words) and not dates.counted(words):
        return dates.span(words, None, org.today())
    named, _, unit = words.rpartition("_")
    side, _, number = named.partition("_")
    number = number.removeprefix("N_").removeprefix(f"{unit}_")
    literal = f"{side}_N_{unit}"
    if number.isdigit() and len(number) < 5 and dates.known(literal):
        return dates.span(literal, int(number), org.today())
    return None, None


def _compared(operation: str, value: Any, wanted: Any) -> bool:
    match operation:
        case "lessThan":
            return bool(value < wanted)
        case "greaterThan":
            return bool(value > wanted)
        case "lessOrEqual":
            return bool(value <= wanted)
        case _:
            return bool(value >= wanted)
