"""Changes that a report builder makes to a report's tree; each gives a new tree and leaves the old one alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from salesforce_org.pages.lists.conditions import NUMBERS, operators, span
from salesforce_org.pages.lists.logic import LogicError, parsed
from salesforce_org.reports.checking import problems
from salesforce_org.reports.columns import DATES
from salesforce_org.reports.definition import (
    MOST_ACROSS,
    MOST_CROSS_FILTERS,
    MOST_DOWN,
    SUMMARIES,
    Report,
)
from salesforce_org.reports.filters import joined, number
from salesforce_org.reports.formulas import COUNT, GRAND, ROW_TYPES, SUMMARY_TYPES
from salesforce_org.reports.own import BUCKET, OTHER, bucket_type
from salesforce_org.reports.ranges import ALL_TIME, GRANULARITIES, RANGES
from salesforce_org.store import Field, Org

Tree = dict[str, Any]
# Charts of builders: metadata's type, and the label.
CHARTS = (
    ("HorizontalBar", "Bar"),
    ("VerticalColumn", "Column"),
    ("HorizontalBarStacked", "Stacked Bar"),
    ("VerticalColumnStacked", "Stacked Column"),
    ("Line", "Line"),
    ("Donut", "Donut"),
    ("Funnel", "Funnel"),
    ("Scatter", "Scatter Plot"),
)
LEGENDS = (("Right", "Right"), ("Bottom", "Bottom"))


class Refused(ValueError):
    """A change that is not possible; the text is shown to the user."""


class Given:
    """The values that a page sends."""

    def __init__(self, values: Callable[[str], list[str]]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> str:
        return next(iter(self._values(name)), "").strip()

    def all(self, name: str) -> list[str]:
        """Return all values of a name that are not empty."""
        return [one.strip() for one in self._values(name) if one.strip()]

    def every(self, name: str) -> list[str]:
        """Return all values of a name, also those that are empty."""
        return [one.strip() for one in self._values(name)]

    def number(self, name: str) -> int:
        """Return a whole number; -1 where it is none."""
        return int(self[name]) if self[name].isdecimal() and len(self[name]) < 4 else -1


Act = Callable[[Org, Report, Given], Tree]
ACTS: dict[str, Act] = {}


def _act(function: Act) -> Act:
    ACTS[function.__name__] = function
    return function


def change(org: Org, report: Report, act: str, given: Given) -> Tree:
    """Return the tree after a change.

    Raises:
        Refused: It is not possible.
    """
    if act not in ACTS:
        raise Refused("The report builder can't do that.")
    made, known = settled(ACTS[act](org, report, given)), list(problems(report))
    for one in problems(Report(report.base, made)):
        if one not in known:
            raise Refused(one[1])
    return made


def settled(tree: Mapping[str, Any]) -> Tree:
    """Return a tree whose format follows its groups, with a chart and formulas of groups that it has."""
    made = dict(tree)
    down, across = made.get("groupingsDown"), made.get("groupingsAcross")
    made["format"] = "Matrix" if across else "Summary" if down else "Tabular"
    grouped = [one["field"] for one in (*(down or ()), *(across or ()))]
    made["columns"] = [one for one in made.get("columns", ()) if one["field"] not in grouped]
    made["aggregates"] = [
        {name: value for name, value in one.items() if name not in _CONTEXTS or value in (GRAND, *grouped)}
        for one in made.get("aggregates", ())
    ]
    if not (made.get("filter") or {}).get("criteriaItems"):
        made["filter"] = None
    chart = made.get("chart")
    if chart and not grouped:
        made["chart"] = None
    elif chart:
        made["chart"] = _chart_of(made, grouped)
    return made


def without_gone(report: Report) -> Tree:
    """Return a report's tree without columns and groups that its type has no longer; filters on them stay."""
    tree, known = dict(report.tree), report.type.column
    if not list(report.unknown()):
        return tree
    for element in ("columns", "groupingsDown", "groupingsAcross"):
        tree[element] = [one for one in tree.get(element, ()) if known(one["field"])]
    if not known(str(tree.get("sortColumn"))):
        tree |= {"sortColumn": None, "sortOrder": None}
    if not known((tree.get("timeFrameFilter") or {}).get("dateColumn", "")):
        tree["timeFrameFilter"] = None
    return settled(tree)


_CONTEXTS = ("acrossGroupingContext", "downGroupingContext")


def _chart_of(tree: Tree, grouped: list[str]) -> Tree:
    chart = dict(tree["chart"])
    if chart.get("groupingColumn") not in grouped:
        chart["groupingColumn"] = grouped[0]
    others = [one for one in grouped if one != chart["groupingColumn"]]
    stacked = "Stacked" in chart["chartType"]
    chart["secondaryGroupingColumn"] = others[0] if stacked and others else None
    known = {(how, one["field"]) for one in tree.get("columns", ()) for how in one.get("aggregateTypes", ())}
    known |= {(None, one["developerName"]) for one in tree["aggregates"]}
    kept = [
        one
        for one in chart.get("chartSummaries", ())
        if one["column"] == COUNT or (one.get("aggregate"), one["column"]) in known
    ]
    chart["chartSummaries"] = kept or [{"axisBinding": "y", "column": COUNT}]
    return chart


def _key(report: Report, text: str) -> str:
    found = report.type.column(text)
    if found is None:
        raise Refused("Select a field of the list.")
    return found.key


def _columns(report: Report) -> list[Tree]:
    return [dict(one) for one in report.tree.get("columns", ())]


# Columns


@_act
def add_column(org: Org, report: Report, given: Given) -> Tree:
    """Add a column, at the end or at a place."""
    key, columns = _key(report, given["field"]), _columns(report)
    if any(one.column.key == key for one in report.groupings):
        raise Refused("The report is grouped by this field already.")
    kept = next((one for one in columns if one["field"] == key), {"field": key})
    columns = [one for one in columns if one["field"] != key]
    at = given.number("at")
    columns.insert(at if at >= 0 else len(columns), kept)
    return {**report.tree, "columns": columns}


@_act
def remove_column(org: Org, report: Report, given: Given) -> Tree:
    """Remove a column; one that the report defines itself is gone then."""
    key = _key(report, given["field"])
    own = {name: _without(report, name, key) for name in ("buckets", "customDetailFormulas")}
    if key not in report.base.columns and any(one["column"] == key for one in report.criteria):
        raise Refused("A filter uses this column. Remove the filter first.")
    columns = [one for one in _columns(report) if one["field"] != key]
    if not columns:
        raise Refused("A report must have at least one column.")
    left = {"sortColumn": None, "sortOrder": None} if report.tree.get("sortColumn") == key else {}
    return {**report.tree, **left, **own, "columns": columns}


@_act
def move_column(org: Org, report: Report, given: Given) -> Tree:
    """Move a column one place to the left or right."""
    key, columns = _key(report, given["field"]), _columns(report)
    at = next((n for n, one in enumerate(columns) if one["field"] == key), None)
    if at is None:
        raise Refused("The report has no such column.")
    to = at - 1 if given["to"] == "left" else at + 1
    columns.insert(max(to, 0), columns.pop(at))
    return {**report.tree, "columns": columns}


@_act
def sort(org: Org, report: Report, given: Given) -> Tree:
    """Sort by a column or by a group's field."""
    key, order = _key(report, given["field"]), "Desc" if given["order"] == "Desc" else "Asc"
    for element in ("groupingsDown", "groupingsAcross"):
        groups = [dict(one) for one in report.tree.get(element, ())]
        for one in groups:
            if one["field"] == key:
                one["sortOrder"] = order
                return {**report.tree, element: groups}
    return {**report.tree, "sortColumn": key, "sortOrder": order}


@_act
def summarize(org: Org, report: Report, given: Given) -> Tree:
    """Summarize a column in a way, or no longer so."""
    key, how = _key(report, given["field"]), given["how"]
    column = report.type.column(key)
    if how not in SUMMARIES or column is None or not (column.summable or how == "Unique"):
        raise Refused("This field can't be summarized so.")
    columns = _columns(report)
    for one in columns:
        if one["field"] == key:
            ways = list(one.get("aggregateTypes", ()))
            chosen = [way for way in ways if way != how] if how in ways else [*ways, how]
            one["aggregateTypes"] = [way for way in SUMMARIES if way in chosen]
    return {**report.tree, "columns": columns}


# Columns that the report defines itself


def _without(report: Report, element: str, name: str) -> list[Tree]:
    return [dict(one) for one in report.tree.get(element, ()) if one["developerName"] != name]


def _with(report: Report, element: str, prefix: str, told: Tree) -> tuple[str, list[Tree]]:
    """Return the name of a definition, a free one where it has none, and all definitions with it in its place."""
    found = [dict(one) for one in report.tree.get(element, ())]
    names = [one["developerName"] for one in found]
    free = (f"{prefix}{number}" for number in range(1, len(found) + 2))
    name = told["developerName"] or next(one for one in free if one not in names)
    made = {**told, "developerName": name}
    if name in names:
        found[names.index(name)] |= made
    else:
        found.append(made)
    return name, found


def told_summary_formula(report: Report, given: Given) -> Tree:
    """Return a summary formula as a dialog gives it."""
    told: Tree = {
        **_told_formula(given),
        "datatype": given["type"] if given["type"] in SUMMARY_TYPES else "number",
        "isActive": True,
        "isCrossBlock": False,
        "masterLabel": given["label"],
    }
    levels = {"grand": (GRAND, GRAND), "groups": (given["down"] or None, given["across"] or None)}
    shown = levels.get(given["display"], (None, None))
    return {**told, "downGroupingContext": shown[0], "acrossGroupingContext": shown[1]}


def told_row_formula(report: Report, given: Given) -> Tree:
    """Return a row-level formula as a dialog gives it."""
    type = given["type"] if given["type"] in ROW_TYPES else "Double"
    return {**_told_formula(given), "dataType": type, "label": given["label"]}


def _told_formula(given: Given) -> Tree:
    return {
        "calculatedFormula": given["formula"],
        "description": given["description"] or None,
        "developerName": given["name"],
        "scale": given["scale"] or "0",
    }


def _labeled(given: Given) -> None:
    if not given["label"]:
        raise Refused("Enter a column name.")


@_act
def summary_formula(org: Org, report: Report, given: Given) -> Tree:
    """Add a summary formula, or change the one of a name."""
    _labeled(given)
    if not report.groupings:
        raise Refused("Group rows to add a summary formula.")
    _, found = _with(report, "aggregates", "FORMULA", told_summary_formula(report, given))
    return {**report.tree, "aggregates": found}


@_act
def remove_formula(org: Org, report: Report, given: Given) -> Tree:
    """Remove a summary formula."""
    return {**report.tree, "aggregates": _without(report, "aggregates", given["name"])}


@_act
def row_formula(org: Org, report: Report, given: Given) -> Tree:
    """Add the row-level formula with its column, or change it."""
    _labeled(given)
    name, found = _with(report, "customDetailFormulas", "CDF", told_row_formula(report, given))
    return {**report.tree, "customDetailFormulas": found, "columns": _shown(report, name)}


@_act
def bucket(org: Org, report: Report, given: Given) -> Tree:
    """Add a bucket column, or change the one of a name.

    Buckets of numbers are `bucket` with the upper bounds `upper`, the last of them without one; other buckets are
    `bucket`, and each `value` has the number of its bucket as `place`.
    """
    source = report.base.column(given["source"])
    kind = bucket_type(source) if source else ""
    if source is None or not kind:
        raise Refused("Select a field of the list.")
    _labeled(given)
    told = {
        "bucketType": kind,
        "developerName": given["name"],
        "masterLabel": given["label"],
        "nullTreatment": "z" if given["zero"] else "n",
        "otherBucketLabel": OTHER if given["other"] else None,
        "sourceColumnName": source.key,
        "useOther": bool(given["other"]),
        "values": _ranges(given) if kind == "number" else _sorted_out(given),
    }
    name, found = _with(report, "buckets", BUCKET, told)
    return {**report.tree, "buckets": found, "columns": _shown(report, name)}


def _ranges(given: Given) -> list[Tree]:
    names, values, lower = given.every("bucket"), [], ""
    uppers = ["".join(sign for sign in text if sign not in "$%, ") for text in given.every("upper")]
    if "" in uppers:
        raise Refused("Enter a number.")
    for name, upper in zip(names, [*uppers, ""], strict=False):
        ends = {end: number for end, number in (("from", lower), ("to", upper)) if number}
        values.append({"sourceValues": [ends], "value": name})
        lower = upper
    return values if values and values[-1]["value"] else values[:-1]


def _sorted_out(given: Given) -> list[Tree]:
    places = list(zip(given.every("value"), given.every("place"), strict=False))
    return [
        {"sourceValues": [{"sourceValue": value} for value, at in places if at == str(place)], "value": name}
        for place, name in enumerate(given.every("bucket"))
    ]


def _shown(report: Report, key: str) -> list[Tree]:
    """Return the columns with one more at the end, where the report does not show it yet."""
    shown = {one.key for one in report.columns} | {one.column.key for one in report.groupings}
    return [*_columns(report), *([] if key in shown else [{"field": key}])]


# Groups


@_act
def group(org: Org, report: Report, given: Given) -> Tree:
    """Group rows (`down`) or columns (`across`) by a field."""
    key, across = _key(report, given["field"]), given["side"] == "across"
    if any(one.column.key == key for one in report.groupings):
        raise Refused("The report is grouped by this field already.")
    if across and not report.down:
        raise Refused("Group the rows before you group the columns.")
    element = "groupingsAcross" if across else "groupingsDown"
    groups = [dict(one) for one in report.tree.get(element, ())]
    most = MOST_ACROSS if across else MOST_DOWN["Matrix" if report.across else "Summary"]
    if len(groups) >= most:
        raise Refused(f"You can't add more than {most} groups here.")
    if across and len(report.down) > MOST_DOWN["Matrix"]:
        raise Refused("A report with grouped columns can have two groups of rows.")
    groups.append({"dateGranularity": "Day", "field": key, "sortOrder": "Asc"})
    return {**report.tree, element: groups}


@_act
def ungroup(org: Org, report: Report, given: Given) -> Tree:
    """Remove a group; its field comes back as the first column."""
    key = _key(report, given["field"])
    tree: Tree = {**report.tree, "columns": [{"field": key}, *_columns(report)]}
    for element in ("groupingsDown", "groupingsAcross"):
        tree[element] = [one for one in report.tree.get(element, ()) if one["field"] != key]
    if not tree["groupingsDown"] and tree["groupingsAcross"]:
        tree["groupingsDown"], tree["groupingsAcross"] = tree["groupingsAcross"], []
    return tree


@_act
def granularity(org: Org, report: Report, given: Given) -> Tree:
    """Group a date in other spans."""
    key, tree = _key(report, given["field"]), dict(report.tree)
    if given["value"] not in dict(GRANULARITIES):
        raise Refused("Select a span of the list.")
    for element in ("groupingsDown", "groupingsAcross"):
        tree[element] = [
            {**one, "dateGranularity": given["value"]} if one["field"] == key else one
            for one in report.tree.get(element, ())
        ]
    return tree


# Filters


@_act
def scope(org: Org, report: Report, given: Given) -> Tree:
    """Show everybody's records, one's own or those of one's team."""
    value = given["value"] if given["value"] in ("organization", "user", "team") else "organization"
    return {**report.tree, "scope": value}


@_act
def param(org: Org, report: Report, given: Given) -> Tree:
    """Set another standard filter."""
    if given["value"] not in report.type.params.get(given["name"], {}).get("values", {}):
        raise Refused("Select a value of the list.")
    values = {**report.params, given["name"]: given["value"]}
    return {**report.tree, "params": [{"name": name, "value": value} for name, value in values.items()]}


@_act
def frame(org: Org, report: Report, given: Given) -> Tree:
    """Set the date filter: a field and a span, or days from one to another."""
    told: Tree = {"dateColumn": _key(report, given["column"]), "interval": given["interval"]}
    if given["interval"] == "custom":
        told["interval"] = ALL_TIME
        for name in ("startDate", "endDate"):
            if given[name]:
                told[name] = _day(org, given[name])
    elif given["interval"] not in RANGES:
        raise Refused("Select a range.")
    return {**report.tree, "timeFrameFilter": told}


def _day(org: Org, text: str) -> str:
    first, _ = span(org, text)
    if first is None:
        raise Refused("Enter a date such as 3/31/2026.")
    return first.isoformat()


@_act
def add_filter(org: Org, report: Report, given: Given) -> Tree:
    """Add a filter on a field, or change the one of a number."""
    column = report.type.column(given["column"])
    if column is None:
        raise Refused("Select a field of the list.")
    made = {
        "column": column.key,
        "columnToColumn": False,
        "isUnlocked": False,
        **condition(org, column.field, given),
    }
    items, at = list(report.criteria), given.number("number")
    if 1 <= at <= len(items):
        items[at - 1] = made
        return _filtered(report, items, report.logic)
    items.append(made)
    logic = f"({report.logic}) AND {len(items)}" if report.logic else ""
    return _filtered(report, items, logic)


def condition(org: Org, field: Field, given: Given) -> Tree:
    """Return operator and value of a filter on a field, as the page gives them.

    Raises:
        Refused: They do not fit the field.
    """
    if given["operator"] not in dict(operators(field)):
        raise Refused("Select an operator.")
    return {"operator": given["operator"], "value": _value(org, field, given.all("value"))}


def _value(org: Org, field: Field, values: list[str]) -> str:
    text = values[0] if values else ""
    if field.type in NUMBERS and text:
        try:
            return number(text)
        except ValueError:
            raise Refused("Enter a number.") from None
    if field.type in DATES and text:
        if span(org, text)[0] is None:
            raise Refused("Enter a date such as 3/31/2026, or a relative one such as TODAY or LAST WEEK.")
        return text.upper().replace("_", " ")
    return joined(values) if field.type in ("picklist", "multipicklist") else ",".join(values)


@_act
def remove_filter(org: Org, report: Report, given: Given) -> Tree:
    """Remove the filter of a number; filter logic goes with it."""
    items, at = list(report.criteria), given.number("number")
    if 1 <= at <= len(items):
        del items[at - 1]
    return _filtered(report, items, "")


@_act
def logic(org: Org, report: Report, given: Given) -> Tree:
    """Combine the filters in another way; an empty text takes all of them."""
    text = " ".join(given["logic"].upper().replace("(", " ( ").replace(")", " ) ").split())
    text = text.replace("( ", "(").replace(" )", ")")
    if text:
        try:
            parsed(text, len(report.criteria))
        except LogicError as problem:
            raise Refused(str(problem)) from None
    return _filtered(report, list(report.criteria), text)


def _filtered(report: Report, items: list[Any], logic: str) -> Tree:
    return {**report.tree, "filter": {"booleanFilter": logic or None, "criteriaItems": items}}


# Cross filters


@_act
def cross(org: Org, report: Report, given: Given) -> Tree:
    """Add a cross filter, or change the one of a number; another object leaves its sub-filters behind."""
    related = report.type.related(org).get(given["related"])
    if related is None:
        raise Refused("Select an object of the list.")
    found, at = [dict(one) for one in report.cross_filters], given.number("number")
    old = found[at - 1] if 1 <= at <= len(found) else {}
    made: Tree = {
        "operation": "without" if given["operation"] == "without" else "with",
        "primaryTableColumn": report.type.key,
        "relatedTable": related.name,
        "relatedTableJoinColumn": related.join,
    }
    if old.get("relatedTable") == related.name:
        made["criteriaItems"] = old.get("criteriaItems", [])
    if old:
        found[at - 1] = made
    elif len(found) >= MOST_CROSS_FILTERS:
        raise Refused(f"A report can have {MOST_CROSS_FILTERS} cross filters.")
    else:
        found.append(made)
    return {**report.tree, "crossFilters": found}


@_act
def remove_cross(org: Org, report: Report, given: Given) -> Tree:
    """Remove the cross filter of a number."""
    found, at = list(report.cross_filters), given.number("number")
    if 1 <= at <= len(found):
        del found[at - 1]
    return {**report.tree, "crossFilters": found}


@_act
def sub_filter(org: Org, report: Report, given: Given) -> Tree:
    """Add a sub-filter to a cross filter, or change the one of a place."""
    found, at = [dict(one) for one in report.cross_filters], given.number("number")
    if not 1 <= at <= len(found):
        raise Refused("There is no such cross filter.")
    related = report.type.related(org).get(found[at - 1]["relatedTable"])
    field = related.field(given["column"]) if related else None
    if field is None:
        raise Refused("Select a field of the list.")
    made = {"column": field.name, **condition(org, field, given)}
    items, place = list(found[at - 1].get("criteriaItems", ())), given.number("place")
    if 1 <= place <= len(items):
        items[place - 1] = made
    else:
        items.append(made)
    found[at - 1]["criteriaItems"] = items
    return {**report.tree, "crossFilters": found}


@_act
def remove_sub_filter(org: Org, report: Report, given: Given) -> Tree:
    """Remove a sub-filter of a cross filter."""
    found, at = [dict(one) for one in report.cross_filters], given.number("number")
    if 1 <= at <= len(found):
        items, place = list(found[at - 1].get("criteriaItems", ())), given.number("place")
        if 1 <= place <= len(items):
            del items[place - 1]
        found[at - 1]["criteriaItems"] = items
    return {**report.tree, "crossFilters": found}


# The chart, and what is shown


@_act
def add_chart(org: Org, report: Report, given: Given) -> Tree:
    """Add a chart of the first group."""
    if not report.groupings:
        raise Refused("Group rows to add a chart.")
    first = report.summaries[0]
    return {
        **report.tree,
        "chart": {
            "chartSummaries": [{"axisBinding": "y", **first.stored}],
            "chartType": "HorizontalBar",
            "groupingColumn": report.groupings[0].column.key,
            "legendPosition": "Right",
            "location": "CHART_TOP",
            "showPercentage": False,
            "showValues": False,
            "size": "Medium",
            "summaryAxisRange": "Auto",
        },
    }


@_act
def remove_chart(org: Org, report: Report, given: Given) -> Tree:
    """Remove the chart."""
    return {**report.tree, "chart": None}


@_act
def chart(org: Org, report: Report, given: Given) -> Tree:
    """Set the chart's properties."""
    old = report.tree.get("chart")
    if not old:
        raise Refused("The report has no chart.")
    if given["chartType"] not in dict(CHARTS):
        raise Refused("Select a chart of the list.")
    if "Stacked" in given["chartType"] and len(report.groupings) < 2:
        raise Refused("A stacked chart needs two groups.")
    figure = next((one for one in report.summaries if one.key == given["summary"]), report.summaries[0])
    return {
        **report.tree,
        "chart": {
            **old,
            "chartSummaries": [{"axisBinding": "y", **figure.stored}],
            "chartType": given["chartType"],
            "groupingColumn": given["grouping"] or old.get("groupingColumn"),
            "legendPosition": given["legend"] if given["legend"] in dict(LEGENDS) else "Right",
            "showPercentage": bool(given["showPercentage"]),
            "showValues": bool(given["showValues"]),
            "title": given["title"] or None,
        },
    }


@_act
def toggle(org: Org, report: Report, given: Given) -> Tree:
    """Show or hide detail rows, subtotals or the grand total."""
    if given["what"] not in ("showDetails", "showSubTotals", "showGrandTotal"):
        raise Refused("The report builder can't do that.")
    return {**report.tree, given["what"]: not report.tree.get(given["what"], True)}


@_act
def rename(org: Org, report: Report, given: Given) -> Tree:
    """Give the report another name."""
    if not given["name"]:
        raise Refused("Enter a name.")
    return {**report.tree, "name": given["name"]}
