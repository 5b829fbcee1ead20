"""Columns of reports: which value of a record one shows, found by a path of fields or computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from salesforce_org.pages import formats
from salesforce_org.pages.formats import EMPTY, Shown
from salesforce_org.soql import dates
from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.schema import FieldType
from salesforce_org.store.values import read_moment

NUMBERS = ("int", "double", "currency", "percent")
DATES = ("date", "datetime")
_SECONDS = 86400
Compute = Callable[[Org, Record], Any]
# A row of a report: the record of each table; None where an outer join finds none.
Row = Mapping[str, Record | None]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a report type.

    Attributes:
        key: Its name in reports, such as `STAGE_NAME`.
        section: The heading under which builders list it.
        path: Fields from the record on, such as `Account.Name`, or `=` and the name of a computed value.
        field: What kind of value it is.
        table: The table of a custom report type; empty where a type has only one.
        own: What computes its value in a row, where the report itself defines the column.
    """

    key: str
    label: str
    section: str
    path: str
    field: Field
    table: str = ""
    own: Callable[[Org, Row], Any] | None = None

    @property
    def type(self) -> FieldType:
        """The type of its values."""
        return self.field.type

    @property
    def api_key(self) -> str:
        """Its name in the Analytics API."""
        return self.key.replace("$", ".")

    @property
    def summable(self) -> bool:
        """Whether its values can be added up; a ticked box counts as one."""
        return self.type in (*NUMBERS, "boolean")

    def value(self, org: Org, row: Row) -> Any:
        """Return its value in a row; None where there is none."""
        return self.found(org, row)[1]

    def found(self, org: Org, row: Row) -> tuple[Record | None, Any]:
        """Return the record that holds the value, and the value."""
        record = row[self.table]
        if record is None:
            return None, None
        if self.own:
            return record, self.own(org, row)
        if self.path.startswith("="):
            return record, _COMPUTED[self.path[1:]][1](org, record)
        return _walk(org, record, self.path.split("."))

    def shown(self, org: Org, row: Row) -> Shown:
        """Return how pages show the value; a record's name links to it."""
        holder, value = self.found(org, row)
        if holder is None or value is None:
            return EMPTY
        if self.type in ("id", "reference"):
            return Shown(str(value), sort=str(value))
        kind = org.schema.of_id(holder["Id"])
        named = kind is not None and kind.name_field == self.path.rpartition(".")[2]
        shown = formats.show(org, self.field, value)
        if named:
            link = formats.link(org, holder["Id"])
            return Shown(shown.text, link.kind, link.href, shown.sort)
        return shown


def reached(org: Org, kind: SObject, path: str) -> Field | None:
    """Return the field at the end of a path; None where there is none."""
    if path.startswith("="):
        type, _ = _COMPUTED[path[1:]]
        return Field(path[1:], path[1:], type)
    relationship, _, rest = path.partition(".")
    if not rest:
        return kind.field(relationship)
    parent = kind.parent(relationship)
    if parent is None:
        return None
    if rest == "Name":
        return Field("Name", parent.label, "string")
    targets = [org.schema[name] for name in parent.to if name in org.schema.objects]
    found = (reached(org, target, rest) for target in sorted(targets, key=lambda one: one.name != "User"))
    return next((one for one in found if one is not None), None)


def _walk(org: Org, record: Record, path: list[str]) -> tuple[Record | None, Any]:
    kind = org.schema.of_id(record["Id"])
    if kind is None:
        return None, None
    if len(path) == 1:
        field = kind.field(path[0])
        return record, org.value(kind, record, field) if field else None
    reference = kind.parent(path[0])
    target = record.get(reference.name) if reference else None
    found = org.schema.of_id(target) if target else None
    parent = org.get(found.name, target) if found else None
    if parent is None:
        return None, None
    if path[1:] == ["Name"]:
        return parent, org.name_of(parent["Id"])
    return _walk(org, parent, path[1:])


# What no field holds


def _close_month(org: Org, row: Record) -> str | None:
    day = row.get("CloseDate")
    return f"{day[:7]}-01" if day else None


def _opportunity_age(org: Org, row: Record) -> int:
    end = row["CloseDate"] if row.get("IsClosed") and row.get("CloseDate") else org.today().isoformat()
    return max((date.fromisoformat(end) - dates.read_day(row["CreatedDate"], org.zone)).days, 0)


def _case_age(org: Org, row: Record) -> float:
    end = read_moment(row["ClosedDate"]) if row.get("ClosedDate") else org.now
    return max((end - read_moment(row["CreatedDate"])).total_seconds() / _SECONDS, 0.0)


def _day(name: str) -> Compute:
    return lambda org, row: dates.read_day(row[name], org.zone).isoformat() if row.get(name) else None


def _fiscal_period(org: Org, row: Record) -> str | None:
    day = row.get("CloseDate")
    return f"Q{(int(day[5:7]) + 2) // 3}-{day[:4]}" if day else None


def _opportunity(org: Org, row: Record) -> str | None:
    id = row.get("WhatId")
    return org.name_of(id) if id and org.get("Opportunity", id) else None


_COMPUTED: dict[str, tuple[FieldType, Compute]] = {
    "close_month": ("date", _close_month),
    "fiscal_period": ("string", _fiscal_period),
    "opportunity_age": ("int", _opportunity_age),
    "case_age": ("double", _case_age),
    "case_open": ("boolean", lambda org, row: not row.get("IsClosed")),
    "opened_date": ("date", _day("CreatedDate")),
    "closed_date": ("date", _day("ClosedDate")),
    "is_task": ("boolean", lambda org, row: org.get("Task", row["Id"]) is not None),
    "who": ("string", lambda org, row: org.name_of(row.get("WhoId"))),
    "opportunity": ("string", _opportunity),
}
