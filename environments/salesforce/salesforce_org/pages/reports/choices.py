"""What the builder's menus and lists offer, as its templates ask for it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

from salesforce_org.pages import formats
from salesforce_org.reports.columns import NUMBERS, Column
from salesforce_org.reports.definition import SUMMARIES, Grouping, Report
from salesforce_org.reports.own import BUCKET, bucket_type
from salesforce_org.reports.ranges import ALL_TIME, Range
from salesforce_org.reports.types import ReportType

Item = dict[str, Any]
Pairs = list[tuple[str, str]]


def change(base: str, label: str, do: str, /, **values: Any) -> Item:
    """Return a menu's entry that changes the draft."""
    told = json.dumps({"do": do, **values})
    attrs = {"hx-post": f"{base}/builder", "hx-target": "#workspace", "hx-vals": told}
    return {"label": label, "attrs": attrs}


def column_menu(base: str, report: Report, column: Column, element: str) -> list[Item]:
    """Return the menu of a column of the preview, or of a group's column."""
    key = column.key
    kind = "Group " if element == "group" else ""
    items = [
        change(base, f"Sort {kind}Ascending", "sort", field=key, order="Asc"),
        change(base, f"Sort {kind}Descending", "sort", field=key, order="Desc"),
    ]
    if element == "group":
        return [*items, change(base, "Remove Group", "ungroup", field=key)]
    if column.own:
        items.append({"label": "Edit Column", "opens": edit_address(base, column)})
    elif bucket_type(column):
        items.append({"label": "Bucket This Column", "opens": f"{base}/bucket?source={quote(key)}"})
    items.append(change(base, "Group Rows by This Field", "group", field=key, side="down"))
    if report.down:
        items.append(change(base, "Group Columns by This Field", "group", field=key, side="across"))
    items += [{"divider": True}, {"heading": "Summarize"}, *_ways(base, report, column), {"divider": True}]
    items += [
        change(base, f"Move {side}", "move_column", field=key, to=side.lower()) for side in ("Left", "Right")
    ]
    return [*items, change(base, "Remove Column", "remove_column", field=key)]


def edit_address(base: str, column: Column) -> str:
    """Return where a column that the report defines itself is edited."""
    return f"{base}/{'bucket' if column.key.startswith(BUCKET) else 'formula/row'}?name={column.key}"


def _ways(base: str, report: Report, column: Column) -> list[Item]:
    chosen = {one.how for one in report.summaries if one.column is not None and one.column.key == column.key}
    offered = [how for how in SUMMARIES if how == "Unique" or column.type in NUMBERS]
    if column.type == "boolean":
        offered = ["Sum", *offered]
    items = []
    for how in offered:
        item = change(base, SUMMARIES[how][1], "summarize", field=column.key, how=how)
        if how in chosen:
            item["attrs"]["aria-current"] = "true"
            item["label"] += " ✓"
        items.append(item)
    return items


def granularities_of(base: str, one: Grouping, offered: Sequence[tuple[str, str]]) -> list[Item]:
    """Return the menu of spans in which a date is grouped."""
    return [
        change(
            base,
            label + (" ✓" if one.granularity == value else ""),
            "granularity",
            field=one.column.key,
            value=value,
        )
        for value, label in offered
    ]


def shown_keys(report: Report) -> list[str]:
    """Return the keys of what the report shows already."""
    return [*(one.key for one in report.columns), *(one.column.key for one in report.groupings)]


def dates_of(type: ReportType) -> Pairs:
    """Return the fields of a standard date filter."""
    return [(key, type.columns[key].label) for key in type.dates]


def ranges_of(ranges: Sequence[Range]) -> Pairs:
    """Return the spans of a standard date filter, and one's own."""
    return [(one.name, one.label) for one in ranges if one.name == ALL_TIME] + [
        ("custom", "Custom"),
        *((one.name, one.label) for one in ranges if one.name != ALL_TIME),
    ]


def day_of(text: str | None) -> str:
    """Return a stored day as people write it."""
    return formats.day(date.fromisoformat(text)) if text else ""


def axes_of(label: str) -> tuple[str, str]:
    """Return what a chart's group and its figure are called; empty where it has none."""
    words = {"Donut": ("Sliced By", "Value"), "Funnel": ("Segment By", "Value")}
    words |= {"Metric": ("", "Measure"), "Table": ("", "")}
    words |= dict.fromkeys(("Bar", "Stacked Bar"), ("Y-Axis", "X-Axis"))
    return words.get(label, ("X-Axis", "Y-Axis"))


def all_of(filters: Sequence[Any]) -> str:
    """Return the filter logic that takes all filters."""
    return " AND ".join(str(number) for number in range(1, len(filters) + 1))


def groupings_of(report: Report) -> Pairs:
    """Return the groups by which a chart can be drawn."""
    return [(one.column.key, one.column.label) for one in report.groupings]


def summaries_of(report: Report) -> Pairs:
    """Return the figures that a chart can draw."""
    return [(one.key, one.label) for one in report.summaries]


def summary_of(report: Report) -> str:
    """Return the figure that the chart draws."""
    told = (report.tree.get("chart") or {}).get("chartSummaries") or [{"column": "RowCount"}]
    found = report.summary(told[0])
    return found.key if found else ""


def figures(report: Report) -> str:
    """Return what the cells of a matrix hold, line by line."""
    return "\n".join(one.label for one in report.summaries)


HELPERS = {
    one.__name__: one
    for one in (
        all_of,
        axes_of,
        change,
        column_menu,
        dates_of,
        day_of,
        edit_address,
        figures,
        granularities_of,
        groupings_of,
        ranges_of,
        shown_keys,
        summaries_of,
        summary_of,
    )
}
