"""Runs of a report: its rows in groups, and the figures of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

from salesforce_org.pages import formats
from salesforce_org.pages.formats import Shown
from salesforce_org.reports.definition import Grouping, Report, Summary
from salesforce_org.reports.filters import fitting
from salesforce_org.reports.ranges import grouped
from salesforce_org.reports.types import Row
from salesforce_org.soql import dates
from salesforce_org.store import Org

MOST_ROWS = 2000
EMPTY_GROUP = "-"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that have a value in common; `key` is its place in the Analytics API, such as `0_1`."""

    key: str
    label: str
    value: Any
    rows: frozenset[int]
    groups: tuple[Group, ...] = ()

    def leaves(self) -> Iterator[Group]:
        """Yield the innermost groups."""
        for one in self.groups:
            yield from one.leaves()
        if not self.groups:
            yield self

    def whole(self) -> Iterator[Group]:
        """Yield the group and all within it, the outer ones first."""
        yield self
        for one in self.groups:
            yield from one.whole()


@dataclass(frozen=True, slots=True)
class Figure:
    """A summary of some rows: the number, and how pages show it."""

    value: float | None
    text: str


@dataclass
class Run:
    """The result of a run.

    Attributes:
        rows: What it shows, in order.
        down: All rows in groups; `across` all in groups of columns.
    """

    org: Org
    report: Report
    rows: Sequence[Row]
    _values: dict[tuple[int, str], Any] = field(default_factory=dict)

    @cached_property
    def down(self) -> Group:
        """The groups of rows."""
        return self._grouped("T", self.report.down, range(len(self.rows)))

    @cached_property
    def across(self) -> Group:
        """The groups of columns."""
        return self._grouped("T", self.report.across, range(len(self.rows)))

    def cells(self, number: int) -> list[Shown]:
        """Return what a row shows in each column."""
        row = self.rows[number]
        return [column.shown(self.org, row[column.table]) for column in self.report.columns]

    def figure(self, summary: Summary, rows: Iterable[int]) -> Figure:
        """Return a summary of some rows."""
        chosen = list(rows)
        if summary.column is None:
            return Figure(len(chosen), f"{len(chosen):,}")
        values = [value for number in chosen if (value := self._value(number, summary)) is not None]
        if summary.how == "Unique":
            count = len(set(values))
            return Figure(count, f"{count:,}")
        if not values:
            return Figure(None, "-")
        total = _HOW[summary.how](values)
        shown = summary.column.field
        text = f"{total:,.0f}" if shown.type == "boolean" else formats.plain(self.org, shown, total)
        return Figure(total, text)

    def crossed(self, down: Group, across: Group) -> list[int]:
        """Return the rows of a cell of a matrix, in order."""
        return sorted(down.rows & across.rows)

    def _value(self, number: int, summary: Summary) -> Any:
        column = summary.column
        assert column is not None
        key = (number, column.key)
        if key not in self._values:
            value = column.value(self.org, self.rows[number][column.table])
            numeric = summary.how != "Unique" and value is not None
            self._values[key] = float(value) if numeric else value
        return self._values[key]

    def _grouped(
        self, key: str, groupings: Sequence[Grouping], rows: Iterable[int], label: str = ""
    ) -> Group:
        numbers = list(rows)
        if not groupings:
            return Group(key, label, None, frozenset(numbers))
        first, *rest = groupings
        parts: dict[Any, tuple[Any, str, Any, list[int]]] = {}
        for number in numbers:
            order, text, value = self._place(first, number)
            parts.setdefault(text, (order, text, value, []))[3].append(number)
        sorted_ = sorted(parts.values(), key=lambda one: _order(one[0]), reverse=first.descending)
        inner = tuple(
            self._inner(f"{'' if key == 'T' else key + '_'}{place}", text, value, rest, some)
            for place, (_, text, value, some) in enumerate(sorted_)
        )
        return Group(key, label, None, frozenset(numbers), inner)

    def _inner(self, key: str, text: str, value: Any, rest: Sequence[Grouping], rows: list[int]) -> Group:
        made = self._grouped(key, rest, rows, text)
        return Group(key, text, value, made.rows, made.groups)

    def _place(self, grouping: Grouping, number: int) -> tuple[Any, str, Any]:
        """Return order, label and value of the group to which a row belongs."""
        column = grouping.column
        record = self.rows[number][column.table]
        value = column.value(self.org, record)
        if value is None or value == "":
            return None, EMPTY_GROUP, None
        if grouping.dated:
            granularity = "Month" if column.path == "=close_month" else grouping.granularity
            order, text = grouped(dates.read_day(value, self.org.zone), granularity)
            return order, text, order
        shown = formats.show(self.org, column.field, value)
        return shown.sort, shown.text, value


def _order(value: Any) -> tuple[int, Any]:
    """Empty groups come first, as in Lightning."""
    return (0, 0) if value is None else (1, value)


_HOW: dict[str, Callable[[list[float]], float]] = {
    "Sum": sum,
    "Average": lambda values: sum(values) / len(values),
    "Maximum": max,
    "Minimum": min,
    "Median": median,
}


def run(org: Org, report: Report, most: int = MOST_ROWS) -> Run:
    """Run a report over the org's records."""
    fits = fitting(org, report)
    rows = [row for row in report.type.rows(org) if fits(row)]
    key = str(report.tree.get("sortColumn") or "")
    column = report.type.column(key) if key else None
    if column is not None:
        pairs = [(column.shown(org, row[column.table]), row) for row in rows]
        filled = [pair for pair in pairs if pair[0].text]
        filled.sort(key=lambda pair: pair[0].sort, reverse=report.tree.get("sortOrder") == "Desc")
        rows = [row for _, row in filled] + [row for shown, row in pairs if not shown.text]
    limit = int(report.tree.get("rowLimit") or most)
    return Run(org, report, rows[: min(limit, most)])
