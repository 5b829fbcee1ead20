"""Runs of a report: its rows in groups, and the figures of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from statistics import median
from typing import Any

from salesforce_org.formulas import EvaluationError, Scope
from salesforce_org.formulas.scope import Evaluate
from salesforce_org.formulas.values import stored, taken
from salesforce_org.pages import formats
from salesforce_org.pages.formats import Shown
from salesforce_org.reports.columns import Column, Row
from salesforce_org.reports.definition import Grouping, Report, Summary
from salesforce_org.reports.filters import fitting
from salesforce_org.reports.formulas import COLUMNS, GRAND, ROWS, SummaryFormula
from salesforce_org.reports.ranges import grouped
from salesforce_org.soql import dates
from salesforce_org.store import Org

MOST_ROWS = 2000
EMPTY_GROUP = "-"
ERROR = "#Error!"


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that have a value in common; `key` is its place in the Analytics API, such as `0_1`."""

    key: str
    label: str
    value: Any
    rows: frozenset[int]
    groups: tuple[Group, ...] = ()

    @property
    def path(self) -> list[int]:
        """The numbers of the groups that lead to it from all rows."""
        return [int(part) for part in self.key.split("_")] if self.key != "T" else []

    def inner(self, path: Sequence[int]) -> Group:
        """Return the group to which a path leads."""
        return self.groups[path[0]].inner(path[1:]) if path else self

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
    """A summary of a group: the number, and how pages show it."""

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
        return [column.shown(self.org, self.rows[number]) for column in self.report.columns]

    def figure(self, summary: Summary, down: Group | None = None, across: Group | None = None) -> Figure:
        """Return a summary of a group of rows, of columns, or of both where they cross; of all rows without either."""
        down, across = down or self.down, across or self.across
        if summary.formula:
            return self._computed(
                summary.formula, _Place(self.org, None, None, run=self, down=down, across=across)
            )
        found = self._summarized(summary, self.crossed(down, across))
        return Figure(found, "-" if found is None else formats.plain(self.org, summary.field, found))

    def _summarized(self, summary: Summary, rows: Sequence[int]) -> float | None:
        if summary.column is None:
            return len(rows)
        values = [value for number in rows if (value := self._value(number, summary)) is not None]
        if summary.how == "Unique":
            return len(set(values))
        return float(_HOW[summary.how](values)) if values else None

    def _computed(self, formula: SummaryFormula, place: _Place) -> Figure:
        """Return the value of a formula; its text is empty where the formula is not shown."""
        if not formula.shown_at(*place.levels):
            return Figure(None, "")
        if formula.checked is None:
            return Figure(None, ERROR)
        try:
            value = stored(formula.field, formula.checked.evaluate(place))
        except EvaluationError:
            return Figure(None, ERROR)
        return Figure(value, "-" if value is None else formats.plain(self.org, formula.field, value))

    def regrouped(self, keys: Sequence[str]) -> Run:
        """Return the same rows in groups of some of the groupings only, in another order."""
        tree = dict(self.report.tree)
        for side in ("groupingsDown", "groupingsAcross"):
            told = {
                column.key: one
                for one in tree.get(side, ())
                if (column := self.report.type.column(one["field"]))
            }
            tree[side] = [told[key] for key in keys if key in told]
        return Run(self.org, Report(self.report.base, tree), self.rows)

    def crossed(self, down: Group, across: Group) -> list[int]:
        """Return the rows of a cell of a matrix, in order."""
        return sorted(down.rows & across.rows)

    def _value(self, number: int, summary: Summary) -> Any:
        column = summary.column
        assert column is not None
        key = (number, column.key)
        if key not in self._values:
            value = column.value(self.org, self.rows[number])
            numeric = summary.how != "Unique" and value is not None
            self._values[key] = Decimal(str(float(value))) if numeric else value
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
        value = column.value(self.org, self.rows[number])
        if value is None or value == "":
            return None, EMPTY_GROUP, None
        if grouping.dated:
            granularity = "Month" if column.path == "=close_month" else grouping.granularity
            order, text = grouped(dates.read_day(value, self.org.zone), granularity)
            return order, text, order
        shown = formats.show(self.org, column.field, value)
        return shown.sort, shown.text, value


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place(Scope):
    """Where a summary formula is evaluated: a group of rows that crosses one of columns."""

    run: Run
    down: Group
    across: Group

    @property
    def levels(self) -> tuple[str, str]:
        """The groupings of the groups."""
        return _level(self.run.report.down, self.down), _level(self.run.report.across, self.across)

    def figure(self, column: Column | None, way: str) -> Any:
        """Return a column summarized here; without a column the number of rows."""
        summary = Summary(column, way)
        return taken(summary.field, self.run.figure(summary, self.down, self.across).value)

    def grouped(self, evaluate: Evaluate, *levels: str | None) -> Any:
        """Return a summary's value in the groups around this one at some levels; None where there are none."""
        place = self
        for level in levels:
            if level in (GRAND, ROWS):
                place = replace(place, down=self.run.down)
            if level in (GRAND, COLUMNS):
                place = replace(place, across=self.run.across)
            if level not in (GRAND, ROWS, COLUMNS):
                side, path = self._leading(level)
                if not path:
                    return None
                place = place._moved(side, getattr(self.run, side).inner(path))
        return evaluate(place)

    def previous(self, evaluate: Evaluate, level: str | None, steps: int) -> Any:
        """Return a summary's value so many groups before this one at a level; None where there is none."""
        side, path = self._leading(level)
        if not path or not 0 < steps <= path[-1]:
            return None
        here: Group | None = getattr(self.run, side).inner(path)
        near: Group | None = getattr(self.run, side).inner([*path[:-1], path[-1] - steps])
        for number in getattr(self, side).path[len(path) :]:
            assert here is not None
            here = here.groups[number]
            near = next((one for one in near.groups if one.label == here.label), None) if near else None
        return evaluate(self._moved(side, near)) if near else None

    def _moved(self, side: str, group: Group) -> _Place:
        return replace(self, down=group) if side == "down" else replace(self, across=group)

    def _leading(self, level: str | None) -> tuple[str, list[int]]:
        """Return the side of a level and the path to the group around this place; no path where there is none."""
        for side, groupings in (("down", self.run.report.down), ("across", self.run.report.across)):
            keys = [one.column.key for one in groupings]
            path: list[int] = getattr(self, side).path
            if level in keys and len(path) > keys.index(level):
                return side, path[: keys.index(level) + 1]
        return "", []


def _level(groupings: Sequence[Grouping], group: Group) -> str:
    depth = len(group.path)
    return groupings[depth - 1].column.key if depth else GRAND


def _order(value: Any) -> tuple[int, Any]:
    """Empty groups come first, as in Lightning."""
    return (0, 0) if value is None else (1, value)


_HOW: dict[str, Callable[[list[Decimal]], Decimal]] = {
    "Sum": lambda values: sum(values, Decimal()),
    "Average": lambda values: sum(values, Decimal()) / len(values),
    "Maximum": max,
    "Minimum": min,
    "Median": median,
}


def run(org: Org, report: Report) -> Run:
    """Run a report over the org's records; pages and tools show `MOST_ROWS` of its rows, and figures of all."""
    fits = fitting(org, report)
    rows = [row for row in report.type.rows(org) if fits(row)]
    key = str(report.tree.get("sortColumn") or "")
    column = report.type.column(key) if key else None
    if column is not None:
        pairs = [(column.shown(org, row), row) for row in rows]
        filled = [pair for pair in pairs if pair[0].text]
        filled.sort(key=lambda pair: pair[0].sort, reverse=report.tree.get("sortOrder") == "Desc")
        rows = [row for _, row in filled] + [row for shown, row in pairs if not shown.text]
    limit = int(report.tree.get("rowLimit") or len(rows))
    return Run(org, report, rows[:limit])
