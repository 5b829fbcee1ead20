"""What a report says: its metadata tree, read with the columns of its type."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from salesforce_org.reports.columns import DATES, Column
from salesforce_org.reports.formulas import COUNT, SummaryFormula
from salesforce_org.reports.own import own_columns
from salesforce_org.reports.types import ReportType, report_type
from salesforce_org.store import Field, Org

Tree = Mapping[str, Any]
# Ways to summarize: metadata's name, the mark in keys of the Analytics API, what builders call it, and the label.
SUMMARIES = {
    "Sum": ("s", "Sum", "Sum of {}"),
    "Average": ("a", "Average", "Average {}"),
    "Maximum": ("mx", "Max", "Largest {}"),
    "Minimum": ("m", "Min", "Smallest {}"),
    "Median": ("med", "Median", "Median {}"),
    "Unique": ("u", "Unique", "Unique {}"),
}
FORMATS = ("Tabular", "Summary", "Matrix")
MOST_DOWN = {"Summary": 3, "Matrix": 2}
MOST_ACROSS = 2
MOST_CROSS_FILTERS = 3


@dataclass(frozen=True, slots=True)
class Grouping:
    """A field by which rows or columns are grouped."""

    column: Column
    granularity: str
    descending: bool

    @property
    def dated(self) -> bool:
        """Whether it groups days."""
        return self.column.type in DATES


@dataclass(frozen=True, slots=True)
class Summary:
    """A figure of each group: how a column is summarized, a formula, or without either the number of rows."""

    column: Column | None = None
    how: str = ""
    formula: SummaryFormula | None = None

    @property
    def key(self) -> str:
        """Its name in the Analytics API, such as `s!AMOUNT`."""
        if self.formula:
            return self.formula.name
        return f"{SUMMARIES[self.how][0]}!{self.column.api_key}" if self.column else COUNT

    @property
    def label(self) -> str:
        """What people see."""
        if self.formula:
            return self.formula.label
        return SUMMARIES[self.how][2].format(self.column.label) if self.column else "Record Count"

    @property
    def stored(self) -> dict[str, str]:
        """The reference to it in charts."""
        return {"aggregate": self.how, "column": self.column.key} if self.column else {"column": self.key}

    @property
    def field(self) -> Field:
        """What kind of number it is."""
        if self.formula:
            return self.formula.field
        if self.column is None or self.how == "Unique":
            return Field(self.key, self.label, "int")
        return self.column.field if self.column.type != "boolean" else Field(self.key, self.label, "double")


@dataclass(frozen=True)
class Report:
    """A report's tree beside its type, the `base`; `type` has the report's own columns as well."""

    base: ReportType
    tree: Tree

    @cached_property
    def type(self) -> ReportType:
        """The type with the columns that the report defines itself."""
        own = {one.key: one for one in own_columns(self.base, self.tree)}
        return replace(self.base, columns={**own, **self.base.columns}) if own else self.base

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.tree.get("name", ""))

    @property
    def format(self) -> str:
        """Tabular, Summary or Matrix."""
        return str(self.tree["format"])

    @cached_property
    def columns(self) -> list[Column]:
        """The columns of its rows."""
        return [found for told in self.tree.get("columns", ()) if (found := self.type.column(told["field"]))]

    @cached_property
    def down(self) -> list[Grouping]:
        """The groups of its rows, the outermost first."""
        return self._groupings("groupingsDown")

    @cached_property
    def across(self) -> list[Grouping]:
        """The groups of its columns."""
        return self._groupings("groupingsAcross")

    @property
    def groupings(self) -> list[Grouping]:
        """All groups, of rows before those of columns."""
        return [*self.down, *self.across]

    @cached_property
    def summaries(self) -> list[Summary]:
        """The figures of each group, formulas behind columns, the number of rows last."""
        found = [
            Summary(column, how)
            for told in self.tree.get("columns", ())
            if (column := self.type.column(told["field"]))
            for how in told.get("aggregateTypes", ())
            if how in SUMMARIES
        ]
        formulas = [Summary(formula=one) for one in self.formulas if one.tree.get("isActive")]
        return [*found, *formulas, Summary()]

    @cached_property
    def formulas(self) -> list[SummaryFormula]:
        """The summary formulas, also those that are not shown."""
        found = self.tree.get("aggregates", ())
        return [SummaryFormula(told, self.type.column, self.levels) for told in found]

    @property
    def levels(self) -> frozenset[str]:
        """The keys of its groups."""
        return frozenset(one.column.key for one in self.groupings)

    def summary(self, told: Mapping[str, Any]) -> Summary | None:
        """Return the figure that a chart names."""
        return next((one for one in self.summaries if one.stored == _reference(told)), None)

    @property
    def criteria(self) -> list[Mapping[str, Any]]:
        """The filters on fields, in the order of their numbers."""
        return list((self.tree.get("filter") or {}).get("criteriaItems", ()))

    @property
    def logic(self) -> str:
        """How the filters are combined; all of them where it is empty."""
        return str((self.tree.get("filter") or {}).get("booleanFilter") or "")

    @property
    def cross_filters(self) -> list[Mapping[str, Any]]:
        """The filters on related records."""
        return list(self.tree.get("crossFilters", ()))

    @property
    def scope(self) -> str:
        """Whose records it shows."""
        return str(self.tree.get("scope") or "organization")

    @property
    def params(self) -> dict[str, str]:
        """The other standard filters, by name."""
        given = {one["name"]: one["value"] for one in self.tree.get("params", ())}
        return {name: given.get(name, next(iter(told["values"]))) for name, told in self.type.params.items()}

    def unknown(self) -> Iterator[tuple[str, str]]:
        """Yield element and key of each column that the type does not have."""
        told: dict[str, list[str]] = {
            "columns-field": [one["field"] for one in self.tree.get("columns", ())],
            "filters-criteriaItems-column": [one["column"] for one in self.criteria],
        }
        for name in ("groupingsDown", "groupingsAcross"):
            told["Grouping"] = [
                *told.get("Grouping", ()),
                *(one["field"] for one in self.tree.get(name, ())),
            ]
        if self.tree.get("timeFrameFilter"):
            told["timeFrameFilter-dateColumn"] = [self.tree["timeFrameFilter"]["dateColumn"]]
        for element, keys in told.items():
            yield from ((element, key) for key in keys if self.type.column(key) is None)

    def _groupings(self, element: str) -> list[Grouping]:
        return [
            Grouping(column, told.get("dateGranularity") or "Day", told.get("sortOrder") == "Desc")
            for told in self.tree.get(element, ())
            if (column := self.type.column(told["field"]))
        ]


def _reference(told: Mapping[str, Any]) -> dict[str, str]:
    how, column = told.get("aggregate"), str(told["column"])
    return {"aggregate": str(how), "column": column} if how and column != COUNT else {"column": column}


def read(org: Org, tree: Tree) -> Report | None:
    """Return what a tree says; None where the org has no such report type any more."""
    found = report_type(org, str(tree["reportType"]))
    return Report(found, tree) if found else None


def new(type: ReportType) -> dict[str, Any]:
    """Return the report with which a builder begins."""
    tree: dict[str, Any] = {
        "columns": [{"field": key} for key in type.shows],
        "format": "Tabular",
        "name": f"New {type.label} Report",
        "params": [{"name": name, "value": next(iter(told["values"]))} for name, told in type.params.items()],
        "reportType": type.name,
        "scope": type.scope,
        "showDetails": True,
        "showGrandTotal": True,
        "showSubTotals": True,
    }
    if type.dates:
        interval = (
            "INTERVAL_CURRENT" if type.name in ("Opportunity", "OpportunityProduct") else "INTERVAL_CUSTOM"
        )
        tree["timeFrameFilter"] = {"dateColumn": type.dates[0], "interval": interval}
    return tree
