"""Dashboards: components of reports on a grid, as their metadata tree says, and as the Analytics API tells them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.reports import definition, stored
from salesforce_org.reports.definition import Report
from salesforce_org.reports.formulas import COUNT
from salesforce_org.store import Org, Record

Tree = Mapping[str, Any]
COLUMNS = 12
WIDTH, HEIGHT = 6, 8
# Metadata's type of a component, what builders call it, the API's word, and the report's chart that draws it.
WIDGETS = {
    "Bar": ("Bar", "Bar", "HorizontalBar"),
    "Column": ("Column", "Column", "VerticalColumn"),
    "BarStacked": ("Stacked Bar", "Bar", "HorizontalBarStacked"),
    "ColumnStacked": ("Stacked Column", "Column", "VerticalColumnStacked"),
    "Line": ("Line", "Line", "Line"),
    "Donut": ("Donut", "Donut", "Donut"),
    "Funnel": ("Funnel", "Funnel", "Funnel"),
    "Scatter": ("Scatter Plot", "Scatter", "Scatter"),
    "Metric": ("Metric", "Metric", ""),
    "FlexTable": ("Table", "FlexTable", ""),
}
TEXT = "RichText"


def new(org: Org, title: str, description: str) -> dict[str, Any]:
    """Return an empty dashboard that the acting user runs."""
    user = org.get("User", org.user_id) or {}
    return {
        "backgroundEndColor": "#FFFFFF",
        "backgroundFadeDirection": "Diagonal",
        "backgroundStartColor": "#FFFFFF",
        "chartTheme": "light",
        "colorPalette": "unity",
        "dashboardChartTheme": "light",
        "dashboardColorPalette": "unity",
        "dashboardGridLayout": {"numberOfColumns": COLUMNS, "rowHeight": 36},
        "dashboardType": "SpecifiedUser",
        "description": description or None,
        "isGridLayout": True,
        "runningUser": user.get("Username"),
        "textColor": "#000000",
        "title": title,
        "titleColor": "#000000",
        "titleSize": 12,
    }


def placed(tree: Tree) -> list[dict[str, Any]]:
    """Return the components with their places on the grid."""
    return [dict(one) for one in tree["dashboardGridLayout"].get("dashboardGridComponents", ())]


def with_components(tree: Tree, components: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a dashboard with other components."""
    layout = {**tree["dashboardGridLayout"], "dashboardGridComponents": components}
    return {**tree, "dashboardGridLayout": layout}


def below(components: list[dict[str, Any]]) -> dict[str, int]:
    """Return the place of a new component: beside the last one where there is room, or below all."""
    if components:
        last = components[-1]
        right = int(last["columnIndex"]) + int(last["colSpan"])
        if right + WIDTH <= COLUMNS:
            return _place(right, int(last["rowIndex"]))
    rows = [int(one["rowIndex"]) + int(one["rowSpan"]) for one in components]
    return _place(0, max(rows, default=0))


def _place(column: int, row: int) -> dict[str, int]:
    return {"colSpan": WIDTH, "columnIndex": column, "rowIndex": row, "rowSpan": HEIGHT}


def source(org: Org, component: Tree) -> tuple[Record, Report] | None:
    """Return the report of a component; None where it has none, or it is gone."""
    name = str(component.get("report") or "")
    for row in stored.visible(org, "Report") if name else ():
        if stored.full_name(org, "Report", row) == name:
            found = definition.read(org, stored.tree_of(org, "Report", row))
            return (row, found) if found else None
    return None


def follow(org: Org, was: str, name: str) -> None:
    """Let the components of a report's old name find it under its new one."""
    for own, tree in list(org.components("Dashboard").items()) if was != name else ():
        components = placed(tree)
        for one in components:
            if one["dashboardComponent"].get("report") == was:
                one["dashboardComponent"] = {**one["dashboardComponent"], "report": name}
        org.put_component("Dashboard", own, with_components(tree, components))


def described(org: Org, row: Record, tree: Tree) -> dict[str, Any]:
    """Return what the Analytics API tells of a dashboard."""
    components = placed(tree)
    told = [_told(org, row, number, one["dashboardComponent"]) for number, one in enumerate(components)]
    return {
        "attributes": {"type": "Dashboard"},
        "canChangeRunningUser": False,
        "chartTheme": tree.get("chartTheme"),
        "colorPalette": tree.get("colorPalette"),
        "components": told,
        "description": tree.get("description"),
        "developerName": row["DeveloperName"],
        "filters": [],
        "folderId": row["FolderId"],
        "id": row["Id"],
        "layout": {
            "components": [
                {
                    "colspan": int(one["colSpan"]),
                    "column": int(one["columnIndex"]),
                    "row": int(one["rowIndex"]),
                    "rowspan": int(one["rowSpan"]),
                }
                for one in components
            ],
            "gridLayout": True,
            "numColumns": COLUMNS,
            "rowHeight": int(tree["dashboardGridLayout"]["rowHeight"]),
        },
        "name": tree["title"],
        "runningUser": {"displayName": org.name_of(row["RunningUserId"]), "id": row["RunningUserId"]},
    }


def _told(org: Org, row: Record, number: int, component: Tree) -> dict[str, Any]:
    found, kind = source(org, component), str(component["componentType"])
    _, word, _ = WIDGETS.get(kind, ("", kind, ""))
    shown = component.get("chartSummary") or ([one.stored for one in found[1].summaries] if found else [])
    figures = [one.key for each in shown if found and (one := found[1].summary(each))]
    groups = [one.column.api_key for one in found[1].groupings] if found else []
    return {
        "componentData": number,
        "footer": component.get("footer"),
        "header": component.get("header"),
        "id": f"01a{row['Id'][3:12]}{number:03}{row['Id'][15:]}",
        "properties": {
            "aggregates": [{"name": name} for name in figures],
            "autoSelectColumns": bool(component.get("autoselectColumnsFromReport")),
            "groupings": groups,
            "maxRows": None,
            "sort": None,
            "useReportChart": bool(component.get("useReportChart")),
            "visualizationProperties": {
                "decimalPrecision": -1,
                "displayUnits": component.get("displayUnits", "Auto"),
                "groupByType": "stacked" if "Stacked" in kind else None,
                "legendPosition": component.get("legendPosition"),
                "showValues": bool(component.get("showValues")),
            },
            "visualizationType": word,
        },
        "reportId": found[0]["Id"] if found else None,
        "title": component.get("title"),
        "type": "Report" if component.get("report") else "RichText",
    }


def component(kind: str, report: str, values: Mapping[str, Any], shown: Report) -> dict[str, Any]:
    """Return a component of a report, with the properties that a page gives it."""
    figure = next((one for one in shown.summaries if one.key == values.get("summary")), shown.summaries[0])
    groups = [one.column.key for one in shown.groupings]
    first = str(values.get("grouping") or "")
    made: dict[str, Any] = {
        "autoselectColumnsFromReport": kind == "FlexTable",
        "componentType": kind,
        "displayUnits": "Auto",
        "drillEnabled": False,
        "footer": values.get("footer") or None,
        "header": values.get("header") or None,
        "report": report,
        "showValues": bool(values.get("showValues")),
        "title": values.get("title") or None,
        "useReportChart": False,
    }
    if kind != "FlexTable":
        made["chartSummary"] = [{"axisBinding": "y", **figure.stored}]
        chosen = [first] if first in groups else groups[:1]
        others = [one for one in groups if one not in chosen] if "Stacked" in kind else []
        made["groupingColumn"] = [*chosen, *others[:1]]
        made["legendPosition"] = values.get("legend") or "Bottom"
    return made


def chart(component: Tree) -> dict[str, Any]:
    """Return a component's chart in the words of report charts."""
    groups = list(component.get("groupingColumn", ()))
    return {
        "chartSummaries": component.get("chartSummary") or [{"column": COUNT}],
        "chartType": WIDGETS[component["componentType"]][2],
        "groupingColumn": groups[0] if groups else None,
        "secondaryGroupingColumn": groups[1] if len(groups) > 1 else None,
        "legendPosition": component.get("legendPosition"),
        "showValues": component.get("showValues"),
    }
