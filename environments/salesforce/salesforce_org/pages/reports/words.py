"""The filters of a report in words, as its panels show them."""

from __future__ import annotations

from typing import Any

from salesforce_org.pages.lists.conditions import operators
from salesforce_org.reports import telling
from salesforce_org.reports.definition import Report
from salesforce_org.reports.filters import column_text, shown_value
from salesforce_org.reports.ranges import RANGES
from salesforce_org.store import Org


def scopes(report: Report) -> list[tuple[str, str]]:
    """Return values and labels of `Show Me`."""
    return [(value, label.format(report.type.plural)) for value, label in telling.scopes(report.type)]


def frame(report: Report) -> str:
    """Return the span of the date filter."""
    told = report.tree.get("timeFrameFilter")
    if not told:
        return ""
    if told.get("startDate") or told.get("endDate"):
        return f"{told.get('startDate', '')} - {told.get('endDate', '')}"
    found = RANGES.get(told["interval"])
    return found.label if found else told["interval"]


def filters(org: Org, report: Report) -> list[dict[str, str]]:
    """Return the filters on fields in words; one on a field that is gone by the field's name."""
    found = []
    for told in report.criteria:
        column, how, text = report.type.column(told["column"]), told["operator"], str(told.get("value") or "")
        if column is not None:
            how, text = dict(operators(column.field)).get(how, how), column_text(org, column, told)
        found.append({"label": column.label if column else told["column"], "operator": how, "value": text})
    return found


def crossings(org: Org, report: Report) -> list[dict[str, Any]]:
    """Return the cross filters in words, each with its sub-filters."""
    found = []
    known = report.type.related(org)
    for told in report.cross_filters:
        related = known.get(told["relatedTable"])
        label = related.label if related else told["relatedTable"]
        inside = []
        for one in told.get("criteriaItems", ()):
            field = related.field(one["column"]) if related else None
            how = dict(operators(field)).get(one["operator"], one["operator"])
            text = shown_value(org, field, str(one.get("value") or "")) if field else ""
            inside.append({"label": field.label if field else one["column"], "operator": how, "value": text})
        found.append({"operation": told["operation"], "label": label, "inside": inside})
    return found
