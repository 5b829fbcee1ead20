"""Which rows a report shows: its standard filters, filters on fields with their logic, and cross filters."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from salesforce_org.pages import formats
from salesforce_org.pages.lists.conditions import dated, numbered, written
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.reports.columns import DATES, NUMBERS, Column, Row
from salesforce_org.reports.definition import Report
from salesforce_org.reports.ranges import RANGES
from salesforce_org.reports.types import Related
from salesforce_org.soql import dates
from salesforce_org.store import Field, Org

Holds = Callable[[Row], bool]
_OPEN = {
    "open": lambda row: not row.get("IsClosed"),
    "closed": lambda row: bool(row.get("IsClosed")),
    "closedwon": lambda row: bool(row.get("IsWon")),
}


def values_of(text: str) -> list[str]:
    """Return the values of a filter: separated by commas, in quotes where they hold commas."""
    return next(csv.reader([text], skipinitialspace=True), []) or [""]


def joined(values: list[str]) -> str:
    """Return values as a filter holds them."""
    return ",".join(f'"{one}"' if "," in one else one for one in values)


def number(text: str) -> str:
    """Return a number as a filter holds it: `"100,000"`.

    Raises:
        ValueError: It is none.
    """
    plain = "".join(sign for sign in text if sign not in "$%, ")
    value = float(plain)
    return joined([f"{int(value):,}" if value.is_integer() else f"{value:,}"])


def fitting(org: Org, report: Report) -> Holds:
    """Return whether a row belongs to a report."""
    tests = [_of_column(org, report, one) for one in report.criteria]
    whole = _combined(tests, report.logic)
    standard = [_in_scope(org, report), _in_time(org, report), *_params(report)]
    crossing = [_crossing(org, report, one) for one in report.cross_filters]
    return lambda row: all(test(row) for test in (*standard, whole, *crossing))


def _combined(tests: list[Holds], logic: str) -> Holds:
    if logic:
        try:
            combine = parsed(logic, len(tests))
        except LogicError:
            return lambda row: all(test(row) for test in tests)
        return lambda row: combine(lambda number: tests[number - 1](row))
    return lambda row: all(test(row) for test in tests)


def _in_scope(org: Org, report: Report) -> Holds:
    if report.scope == "organization" or not report.type.owner:
        return lambda row: True
    team = {org.user_id}
    if report.scope == "team":
        team |= {one["Id"] for one in org.rows("User", ManagerId=org.user_id)}
    return lambda row: report.type.owned_by(org, row) in team


def _in_time(org: Org, report: Report) -> Holds:
    told = report.tree.get("timeFrameFilter")
    column = report.type.column(told["dateColumn"]) if told else None
    if told is None or column is None:
        return lambda row: True
    begin, after = _days(org, told)
    if begin is None and after is None:
        return lambda row: True

    def holds(row: Row) -> bool:
        value = column.value(org, row)
        if value is None:
            return False
        day = dates.read_day(value, org.zone)
        return (begin is None or day >= begin) and (after is None or day < after)

    return holds


def _days(org: Org, told: Mapping[str, Any]) -> tuple[date | None, date | None]:
    found = RANGES.get(told["interval"])
    named = found.days(org.today()) if found else None
    if named:
        return named
    first, last = (told.get(name) for name in ("startDate", "endDate"))
    return (
        date.fromisoformat(first) if first else None,
        date.fromisoformat(last) + dates.DAY if last else None,
    )


def _params(report: Report) -> list[Holds]:
    table, given = report.type.table, report.params
    found: list[Holds] = []
    if test := _OPEN.get(given.get("open", "")):
        found.append(lambda row: test(row[table] or {}))
    least = given.get("probability", ">0").removeprefix(">")
    if least != "0":
        found.append(lambda row: ((row[table] or {}).get("Probability") or 0) > float(least))
    return found


def _of_column(org: Org, report: Report, told: Mapping[str, Any]) -> Holds:
    column = report.type.column(told["column"])
    if column is None:
        return lambda row: True
    test = _test(org, column.field, told)
    return lambda row: test(column.value(org, row))


def _test(org: Org, field: Field, told: Mapping[str, Any]) -> Callable[[Any], bool]:
    """Return whether a value of a field fits a filter; people enter a value or its label."""
    operation, text = told["operator"], str(told.get("value") or "")
    if field.type in DATES:
        return lambda value: dated(org, operation, text, value)
    values = values_of(text)
    if field.type in NUMBERS:
        return lambda value: numbered(operation, values, value)
    return lambda value: written(operation, values, _texts(org, field, value))


def _texts(org: Org, field: Field, value: Any) -> list[str]:
    if field.type == "boolean":
        return ["true", "1"] if value else ["false", "0"]
    if field.type == "multipicklist":
        return [one.casefold() for one in str(value or "").split(";")]
    shown = formats.show(org, field, value).text
    return [str(value or "").casefold(), shown.casefold()]


def _crossing(org: Org, report: Report, told: Mapping[str, Any]) -> Holds:
    related = report.type.related(org).get(told["relatedTable"])
    if related is None:
        return lambda row: True
    linked = _linked(org, related, told)
    wanted, table = told["operation"] == "with", report.type.table
    return lambda row: ((row[table] or {}).get("Id") in linked) == wanted


def _linked(org: Org, related: Related, told: Mapping[str, Any]) -> set[str]:
    """Return the ids of the records to which fitting related records lead."""
    found: set[str] = set()
    for kind, join in zip(related.kinds, related.joins, strict=True):
        tests = [
            (field, _test(org, field, one))
            for one in told.get("criteriaItems", ())
            if (field := kind.field(one["column"]))
        ]
        lacking = len(tests) < len(told.get("criteriaItems", ()))
        for row in () if lacking else org.rows(kind.name):
            if all(test(org.value(kind, row, field)) for field, test in tests):
                found.add(str(row.get(join)))
    return found


def options(org: Org, field: Field) -> list[tuple[str, str]]:
    """Return the values among which filters on a field choose; none where any can be entered."""
    if field.type == "boolean":
        return [("1", "True"), ("0", "False")]
    if field.type not in ("picklist", "multipicklist"):
        return []
    built_in = field.value_set is None and not field.custom  # such values go by their labels in reports
    entries = [one for one in org.picklist(field) if one.active and one.value]
    return [(one.label if built_in else one.value, one.label) for one in entries]


def column_text(org: Org, column: Column, told: Mapping[str, Any]) -> str:
    """Return the value of a filter as people read it."""
    return shown_value(org, column.field, str(told.get("value") or ""))


def shown_value(org: Org, field: Field, text: str) -> str:
    """Return the value of a filter on a field as people read it."""
    labels = dict(options(org, field))
    return ", ".join(labels.get(one, one) for one in values_of(text)) if text else ""
