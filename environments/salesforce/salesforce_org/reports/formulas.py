"""Formulas of reports, in the org's formula language: one of each row, and summary formulas of each group.

A row-level formula names columns, such as `CLOSE_DATE - DATEVALUE(CREATED_DATE)`. A summary formula names figures of a
group, such as `AMOUNT:SUM / RowCount`; PARENTGROUPVAL and PREVGROUPVAL also name levels of groups, such as
`GRAND_SUMMARY` or `STAGE_NAME`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, cast

from salesforce_org.formulas import NUMBER, Formula, FormulaError, Reference, Scope, Use, compile
from salesforce_org.formulas.errors import no_field
from salesforce_org.formulas.tree import Name
from salesforce_org.formulas.values import LEVEL, taken, type_of
from salesforce_org.reports.columns import DATES, NUMBERS, Column, Row
from salesforce_org.store import Field, Org
from salesforce_org.store.schema import FieldType

GRAND, ROWS, COLUMNS = "GRAND_SUMMARY", "ROW_GRAND_SUMMARY", "COLUMN_GRAND_SUMMARY"
COUNT = "RowCount"
# What a summary formula writes behind a column, and the way to summarize that it means.
WAYS = {
    "SUM": "Sum",
    "AVG": "Average",
    "MAX": "Maximum",
    "MIN": "Minimum",
    "MEDIAN": "Median",
    "UNIQUE": "Unique",
}
# Output types: metadata's name, the label, and the type of the values.
SUMMARY_TYPES: dict[str, tuple[str, FieldType]] = {
    "number": ("Number", "double"),
    "percent": ("Percent", "percent"),
    "currency": ("Currency", "currency"),
}
ROW_TYPES: dict[str, tuple[str, FieldType]] = {
    "Double": ("Number", "double"),
    "Text": ("Text", "string"),
    "DateOnly": ("Date", "date"),
    "DateTime": ("Date/Time", "datetime"),
}
_NAMED_IN_ROWS = (*NUMBERS, *DATES, "string", "picklist", "textarea")
_MOST_NAMED = 5
Find = Callable[[str], Column | None]


def named_in_rows(column: Column) -> bool:
    """Whether row-level formulas can name a column."""
    return column.own is None and column.type in _NAMED_IN_ROWS


def field_of(types: Mapping[str, tuple[str, FieldType]], type: str, name: str, scale: Any) -> Field:
    """Return what kind of value a formula has."""
    kind = types[type][1] if type in types else "string"
    return Field(name, name, kind, length=3900, scale=int(scale) if str(scale).isdecimal() else 0)


# Of rows


@dataclass(frozen=True, slots=True, kw_only=True)
class _RowScope(Scope):
    row: Row


@dataclass(frozen=True, slots=True)
class _RowNames:
    find_column: Find

    def find(self, name: Name) -> Reference:
        column = self.find_column(str(name))
        if column is None or not named_in_rows(column):
            raise no_field(str(name))

        def get(scope: Scope) -> Any:
            return taken(column.field, column.value(scope.org, cast(_RowScope, scope).row))

        return Reference(type_of(column.field), get, column.field)


def row_formula(find: Find, text: str, type: str) -> Formula:
    """Return a row-level formula whose value is of an output type.

    Raises:
        FormulaError: It is none.
    """
    made = compile(text, _RowNames(find), Use.ROW)
    if len({name.casefold() for name, _ in made.references}) > _MOST_NAMED:
        raise FormulaError(f"A row-level formula can reference {_MOST_NAMED} fields.")
    return made.expect(type_of(field_of(ROW_TYPES, type, "", 0)))


def row_value(formula: Formula, org: Org, row: Row) -> Any:
    """Return the value of a row-level formula, as formulas have it."""
    return formula.evaluate(_RowScope(org, None, None, row=row))


# Of groups


class GroupScope(Protocol):
    """Where a summary formula is evaluated: a group of a run."""

    def figure(self, column: Column | None, way: str) -> Any:
        """Return a column summarized in the group; without a column the number of rows."""
        ...


@dataclass(frozen=True, slots=True)
class _GroupNames:
    find_column: Find
    levels: frozenset[str]

    def find(self, name: Name) -> Reference:
        text = str(name)
        level = text.upper()
        if level == COUNT.upper():
            return Reference(NUMBER, lambda scope: cast(GroupScope, scope).figure(None, ""))
        if level in (GRAND, ROWS, COLUMNS):
            return Reference(LEVEL, lambda scope: level)
        key, _, word = text.rpartition(":")
        column, way = self.find_column(key or text), WAYS.get(word.upper(), "")
        if column is not None and not key and column.key in self.levels:
            return Reference(LEVEL, lambda scope: column.key)
        if column is None or not (key and way) or not (column.summable or way == "Unique"):
            raise no_field(text)
        return Reference(NUMBER, lambda scope: cast(GroupScope, scope).figure(column, way))


@dataclass(frozen=True)
class SummaryFormula:
    """A summary formula of a report: its component's tree, the columns that it can name, and the levels of groups."""

    tree: Mapping[str, Any]
    find: Find
    levels: frozenset[str]

    @property
    def name(self) -> str:
        """Its name in metadata and in the Analytics API, such as `FORMULA1`."""
        return str(self.tree["developerName"])

    @property
    def label(self) -> str:
        """What people see."""
        return str(self.tree["masterLabel"])

    @property
    def field(self) -> Field:
        """What kind of number it is."""
        return field_of(SUMMARY_TYPES, self.tree["datatype"], self.name, self.tree.get("scale"))

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.tree["calculatedFormula"])

    def formula(self) -> Formula:
        """Return it checked.

        Raises:
            FormulaError: It is none, or its display does not allow what it uses.
        """
        made = compile(self.text, _GroupNames(self.find, self.levels), Use.SUMMARY).expect(NUMBER)
        if (
            any(one.type == LEVEL for _, one in made.references)
            and not {self.down, self.across} & self.levels
        ):
            raise FormulaError("You must select a grouping context to use any report summary function.")
        return made

    @cached_property
    def checked(self) -> Formula | None:
        """The formula; None where what it names is gone."""
        try:
            return self.formula()
        except FormulaError:
            return None

    @property
    def down(self) -> str | None:
        """The level of row groups at which it is shown; None where at all of them."""
        return self._level("downGroupingContext")

    @property
    def across(self) -> str | None:
        """The level of column groups at which it is shown."""
        return self._level("acrossGroupingContext")

    def _level(self, element: str) -> str | None:
        told = self.tree.get(element)
        column = self.find(told) if told else None
        return column.key if column else told

    def shown_at(self, down: str, across: str) -> bool:
        """Whether it is shown where a level of row groups crosses one of column groups."""
        return self.down in (None, down) and self.across in (None, across)
