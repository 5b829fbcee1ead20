"""Charts of list views: records ListViewChart, drawn from the rows of the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.responses import Response

from salesforce_org.pages import fields
from salesforce_org.pages.apps import object_href
from salesforce_org.pages.dialogs import dialog, of_object
from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists.board import displayed
from salesforce_org.pages.lists.conditions import NUMBERS
from salesforce_org.pages.lists.definition import ListDefinition, developer_name, of_record
from salesforce_org.pages.lists.drawing import shares
from salesforce_org.pages.routing import page
from salesforce_org.pages.visit import NotHere, Visit
from salesforce_org.store import Org, Record
from salesforce_org.store.errors import OrgError

TYPES = (("vbar", "Vertical Bar"), ("hbar", "Horizontal Bar"), ("pie", "Donut"))
AGGREGATES = (("Sum", "Sum"), ("Count", "Count"), ("Avg", "Average"))
# Whose values stand for groups, and whose values can be counted.
GROUPED = ("reference", "string", "picklist", "combobox", "boolean", "date", "int", "email", "phone", "url")
COUNTED = (*GROUPED, *NUMBERS, "id", "datetime", "time")
Choices = Sequence[tuple[str, str]]


@page("GET", "/lightning/o/{object}/views/{id}/chart")
def ask(visit: Visit) -> Response:
    """Open the dialog of a new chart, or of one that is to be changed (`chart`)."""
    one = _list(visit)
    row = visit.org.get("ListViewChart", visit.query.get("chart", ""))
    return _ask(visit, one, dict(row) if row else {})


@page("GET", "/lightning/o/{object}/views/{id}/chart/fields")
def offer(visit: Visit) -> Response:
    """Offer the fields that can be aggregated in the chosen way; one that is chosen already stays if it can be."""
    one, wanted = _list(visit), visit.query.get("AggregateField", "")
    aggregated = _aggregated(one, visit.query.get("AggregateType", ""))
    chosen = wanted if wanted in dict(aggregated) else ""
    context: dict[str, Any] = {"chart": {"AggregateField": chosen}, "aggregated": aggregated, "errors": {}}
    return visit.render("list/chart_field.html", **context)


@page("POST", "/lightning/o/{object}/views/{id}/chart")
def save(visit: Visit) -> Response:
    """Store a chart."""
    one = _list(visit)
    names = ("ChartType", "MasterLabel", "AggregateType", "AggregateField", "GroupingField")
    given = {name: visit.field(name) for name in names}
    errors = _errors(one, given)
    if errors:
        return _ask(visit, one, given | {"Id": visit.field("chart")}, errors)
    values: dict[str, Any] = {**given, "SobjectType": one.object.name}
    try:
        with visit.org.transaction():
            id = _stored(visit.org, one, visit.field("chart"), values)
    except OrgError as problem:
        return _ask(visit, one, given, {(problem.fields or ("MasterLabel",))[0]: problem.message})
    return visit.go(_address(visit, one, id), "Chart saved.")


@page("GET", "/lightning/o/{object}/views/{id}/chart/{chart}/delete")
def ask_delete(visit: Visit) -> Response:
    """Ask whether a chart shall go."""
    one = _list(visit)
    context = {"label": "Chart", "what": "this chart", "ids": "", "back": "", "problems": []}
    return dialog(visit, one.object, "record/delete.html", "Delete Chart", action=visit.path, **context)


@page("POST", "/lightning/o/{object}/views/{id}/chart/{chart}/delete")
def delete(visit: Visit) -> Response:
    """Delete a chart."""
    one = _list(visit)
    if visit.org.get("ListViewChart", visit.params["chart"]) is None:
        raise NotHere
    with visit.org.unchecked():
        visit.org.delete(visit.params["chart"])
    return visit.go(
        object_href(one.object.name, filterName=one.id, panel="charts", **displayed(visit)), "Chart deleted."
    )


def panel(visit: Visit, one: ListDefinition, rows: list[Record]) -> dict[str, Any]:
    """Return the charts panel: the charts of the object, and one of them drawn."""
    org = visit.org
    rows_of_charts = org.rows("ListViewChart", SobjectType=one.object.name)
    charts = sorted(rows_of_charts, key=lambda row: row["MasterLabel"].casefold())
    wanted = visit.query.get("chart", "")
    chart = next((row for row in charts if row["Id"] == wanted), charts[0] if charts else None)
    context: dict[str, Any] = {"charts": charts, "chart": chart, "shares": [], "drawn_as": ""}
    if chart is not None:
        shape = visit.query.get("shape", "")
        drawn_as = shape if shape in dict(TYPES) else chart["ChartType"]
        menu = [{"label": row["MasterLabel"], "href": _address(visit, one, row["Id"])} for row in charts]
        context |= {"drawn_as": drawn_as, "charts_menu": menu, "shapes": _shapes(visit, one, chart["Id"])}
        context["shares"] = shares(org, one.object, {**chart, "ChartType": drawn_as}, rows)
        context["shown"] = _told(one, chart)
    return context


def _told(one: ListDefinition, chart: Record) -> str:
    """Return what a chart shows, as `Sum of Amount by Account Name`."""
    layout = layout_of(one.object)
    names = (str(chart[name]).rpartition(".")[2] for name in ("AggregateField", "GroupingField"))
    aggregated, grouped = (fields.label(layout, name) for name in names)
    how = dict(AGGREGATES).get(chart["AggregateType"], chart["AggregateType"])
    return f"{how} of {aggregated} by {grouped}"


def _shapes(visit: Visit, one: ListDefinition, chart: str) -> list[dict[str, str]]:
    """Return menu entries that draw a chart in another shape; what is stored stays."""
    return [
        {"label": f"{label} Chart", "href": f"{_address(visit, one, chart)}&shape={type}"}
        for type, label in TYPES
    ]


def _list(visit: Visit) -> ListDefinition:
    kind = of_object(visit)
    row = visit.org.get("ListView", visit.params["id"])
    if row is None or row["SobjectType"] != kind.name:
        raise NotHere
    return of_record(visit.org, row)


def _address(visit: Visit, one: ListDefinition, chart: str) -> str:
    return object_href(one.object.name, filterName=one.id, panel="charts", chart=chart, **displayed(visit))


def _ask(
    visit: Visit, one: ListDefinition, chart: dict[str, Any], errors: dict[str, str] | None = None
) -> Response:
    aggregated = _aggregated(one, str(chart.get("AggregateType", "")))
    context = {"chart": chart, "types": TYPES, "aggregates": AGGREGATES}
    context |= {"aggregated": aggregated, "grouped": _choices(one, GROUPED)}
    title = "Edit Chart" if chart.get("Id") else "New Chart"
    return dialog(
        visit, one.object, "list/chart.html", title, action=visit.path, errors=errors or {}, **context
    )


def _aggregated(one: ListDefinition, type: str) -> Choices:
    """Return the fields that can be added up, or counted."""
    return _choices(one, NUMBERS if type in ("Sum", "Avg") else COUNTED)


def _choices(one: ListDefinition, types: Sequence[str]) -> Choices:
    layout = layout_of(one.object)
    fitting = [field.name for field in one.object.fields if field.type in types]
    named = [
        (f"{one.object.name}.{name}", fields.label(layout, name))
        for name in fields.columns(layout)
        if name in fitting
    ]
    return sorted(named, key=lambda pair: pair[1].casefold())


def _errors(one: ListDefinition, given: dict[str, str]) -> dict[str, str]:
    offered = {
        "ChartType": TYPES,
        "AggregateType": AGGREGATES,
        "AggregateField": _choices(one, COUNTED),
        "GroupingField": _choices(one, GROUPED),
    }
    errors = {
        name: "Select a value of the list." for name, some in offered.items() if given[name] not in dict(some)
    }
    errors |= {name: "Complete this field." for name, value in given.items() if not value}
    if not errors and given["AggregateField"] not in dict(_aggregated(one, given["AggregateType"])):
        errors["AggregateField"] = "Select a field that holds numbers, or count the records instead."
    return errors


def _stored(org: Org, one: ListDefinition, id: str, values: dict[str, Any]) -> str:
    """Store the chart, and that the list shows it."""
    with org.unchecked():
        if org.get("ListViewChart", id):
            org.update(id, **values)
        else:
            name = _free(org, one, developer_name(values["MasterLabel"]) or "Chart")
            id = org.insert("ListViewChart", DeveloperName=name, **values)
        _shown_on(org, one, id)
    return id


def _free(org: Org, one: ListDefinition, name: str) -> str:
    taken = {row["DeveloperName"] for row in org.rows("ListViewChart", SobjectType=one.object.name)}
    numbered = (name if number == 0 else f"{name}_{number}" for number in range(len(taken) + 1))
    return next(each for each in numbered if each not in taken)


def _shown_on(org: Org, one: ListDefinition, id: str) -> None:
    chart = org.get("ListViewChart", id)
    assert chart is not None
    copied = ("DeveloperName", "ChartType", "GroupingField", "AggregateField", "AggregateType")
    values = {name: chart[name] for name in copied} | {"Label": chart["MasterLabel"]}
    old = next(org.rows("ListViewChartInstance", ListViewChartId=id, ListViewContextId=one.id), None)
    if old is not None:
        org.update(old["Id"], **values)
        return
    where = {"ListViewChartId": id, "ListViewContextId": one.id, "SourceEntity": one.object.name}
    org.insert("ListViewChartInstance", **where, **values)
