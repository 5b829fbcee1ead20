"""What a report shows: its rows in a table by groups, the totals and the chart; in the builder and on its page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from salesforce_org.pages.formats import Shown
from salesforce_org.pages.reports.drawing import drawn
from salesforce_org.pages.visit import Visit
from salesforce_org.reports.definition import Report
from salesforce_org.reports.running import Group, Run, run

# A line of a table: `detail`, `subtotal` or `total`, the groups that begin with it, and its cells.


@dataclass(frozen=True, slots=True)
class Head:
    """A group at the left of a table: its label, number of rows, and how many lines it spans."""

    label: str
    count: int
    span: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table.

    Attributes:
        kind: `detail`, `subtotal` or `total`.
        heads: The groups that begin with this line, the outermost first.
        label: What stands at the left of a total.
        level: How many groups stand at the left of a total.
        cells: What its columns show.
    """

    kind: str
    heads: tuple[Head, ...] = ()
    label: str = ""
    level: int = 0
    cells: tuple[Shown | None, ...] = ()


def result(visit: Visit, report: Report, most: int, *, building: bool = False) -> dict[str, Any]:
    """Return what the templates of a report's result show."""
    found = run(visit.org, report)
    told = report.tree.get("chart")
    details = bool(report.tree.get("showDetails", True))
    lines = _matrix(found) if report.across else list(_lines(found, most, details))
    return {
        "ran": found,
        "shown": report,
        "building": building,
        "limited": building and len(found.rows) > most,
        "totals": [
            (one.label, text) for one in reversed(report.summaries) if (text := found.figure(one).text)
        ],
        "drawing": drawn(found, told) if told else None,
        "lines": lines,
        "across": _headers(found),
        "details": [found.cells(number) for number in range(min(len(found.rows), most))]
        if report.across and details
        else [],
        "sorted": (report.tree.get("sortColumn"), report.tree.get("sortOrder") == "Desc"),
    }


def _lines(found: Run, most: int, details: bool) -> Iterator[Line]:
    report = found.report
    budget = most
    if not report.down:
        for number in range(min(len(found.rows), most)):
            yield Line("detail", cells=_details(found, number))
    else:
        for group in found.down.groups:
            if budget <= 0:
                break
            made = list(_within(found, group, details, 0, budget))
            budget -= sum(line.kind == "detail" for line in made)
            yield from made
    if report.tree.get("showGrandTotal", True):
        yield Line("total", label="Total", cells=_totals(found, found.down))


def _within(found: Run, group: Group, details: bool, level: int, most: int) -> Iterator[Line]:
    """Yield the lines of a group; the first carries the heads of all groups that begin there."""
    inner: list[Line] = []
    for one in group.groups:
        inner += _within(found, one, details, level + 1, most)
    if not group.groups and details:
        rows = sorted(group.rows)[:most]
        inner = [Line("detail", cells=_details(found, number)) for number in rows]
    if found.report.tree.get("showSubTotals", True) or not inner:
        cells = _totals(found, group)
        inner.append(Line("subtotal", label="Subtotal", level=level + 1, cells=cells))
    first, *rest = inner
    head = Head(group.label, len(group.rows), len(inner))
    yield Line(first.kind, (head, *first.heads), first.label, first.level, first.cells)
    yield from rest


def _details(found: Run, number: int) -> tuple[Shown | None, ...]:
    """Return what a row shows; nothing below summary formulas."""
    return (*found.cells(number), *(None for one in found.report.summaries if one.formula))


def _totals(found: Run, group: Group) -> tuple[Shown, ...]:
    """Return the figures of a group below the columns that they summarize, and its summary formulas."""
    cells = []
    for column in found.report.columns:
        figures = [one for one in found.report.summaries if one.column is column]
        texts = [found.figure(one, group).text for one in figures]
        if len(figures) > 1:
            texts = [f"{one.how}: {text}" for one, text in zip(figures, texts, strict=True)]
        cells.append(Shown("\n".join(texts), "lines"))
    cells += [Shown(found.figure(one, group).text, "lines") for one in found.report.summaries if one.formula]
    return tuple(cells)


def _headers(found: Run) -> list[Group]:
    return [*found.across.leaves()] if found.report.across else []


def _matrix(found: Run) -> list[Line]:
    """Return the lines of a matrix: a line for each innermost group of rows and each figure."""
    lines = []
    for group in found.down.groups:
        lines += _crossing(found, group, 0)
    lines.append(Line("total", label="Total", cells=_crossed(found, found.down)))
    return lines


def _crossing(found: Run, group: Group, level: int) -> list[Line]:
    inner: list[Line] = []
    for one in group.groups:
        inner += _crossing(found, one, level + 1)
    if not inner:
        inner = [Line("detail", cells=_crossed(found, group))]
    elif found.report.tree.get("showSubTotals", True):
        inner.append(Line("subtotal", label="Subtotal", level=level + 1, cells=_crossed(found, group)))
    first, *rest = inner
    head = Head(group.label, len(group.rows), len(inner))
    return [Line(first.kind, (head, *first.heads), first.label, first.level, first.cells), *rest]


def _crossed(found: Run, group: Group) -> tuple[Shown, ...]:
    cells = []
    for across in (*found.across.leaves(), found.across):
        texts = [found.figure(one, group, across).text for one in found.report.summaries]
        cells.append(Shown("\n".join(texts), "lines"))
    return tuple(cells)
