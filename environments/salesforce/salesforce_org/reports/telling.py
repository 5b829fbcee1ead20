"""Reports as the Analytics API tells them: metadata, extended metadata, the types, and the facts of a run."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from salesforce_org.formulas.values import text_of
from salesforce_org.pages.formats import Shown
from salesforce_org.reports.columns import Column
from salesforce_org.reports.definition import SUMMARIES, Grouping, Report, Summary
from salesforce_org.reports.filters import options
from salesforce_org.reports.formulas import COUNT, GRAND, ROW_TYPES, SummaryFormula, named_in_rows
from salesforce_org.reports.own import BUCKET, OTHER
from salesforce_org.reports.ranges import ALL_TIME, BY_API, RANGES
from salesforce_org.reports.running import MOST_ROWS, Group, Run
from salesforce_org.reports.types import ReportType
from salesforce_org.store import Org, Record

Json = dict[str, Any]
# Charts: metadata's word and that of the Analytics API.
CHARTS = {
    "HorizontalBar": "Horizontal Bar",
    "HorizontalBarGrouped": "Horizontal Bar Grouped",
    "HorizontalBarStacked": "Horizontal Bar Stacked",
    "HorizontalBarStackedTo100": "Horizontal Bar Stacked 100",
    "VerticalColumn": "Vertical Bar",
    "VerticalColumnGrouped": "Vertical Bar Grouped",
    "VerticalColumnStacked": "Vertical Bar Stacked",
    "VerticalColumnStackedTo100": "Vertical Bar Stacked 100",
    "Line": "Line",
    "LineGrouped": "Line Grouped",
    "LineCumulative": "Line Cumulative",
    "LineCumulativeGrouped": "Line Cumulative Grouped",
    "Pie": "Pie",
    "Donut": "Donut",
    "Funnel": "Funnel",
    "Scatter": "Scatter",
    "ScatterGrouped": "Scatter Grouped",
}
_CHARTS = {api: name for name, api in CHARTS.items()}
# Output types of row-level formulas: metadata's word and that of the Analytics API.
_FORMULA_TYPES = {"Double": "number", "Text": "text", "DateOnly": "date", "DateTime": "datetime"}
_TYPES = {"combobox": "picklist", "encryptedstring": "string", "reference": "id"}


def data_type(column: Column) -> str:
    """Return the API's word for the type of a column's values."""
    if column.key.startswith(BUCKET):
        return "string"
    return _TYPES.get(column.type, column.type)


# Descriptions


def described(org: Org, row: Record, report: Report, root: str) -> Json:
    """Return everything that describes a report."""
    return {
        "attributes": {
            "describeUrl": f"{root}/analytics/reports/{row['Id']}/describe",
            "instancesUrl": f"{root}/analytics/reports/{row['Id']}/instances",
            "type": "Report",
        },
        "reportExtendedMetadata": extended(report),
        "reportMetadata": metadata(org, row, report),
        "reportTypeMetadata": type_metadata(org, report.type),
    }


def metadata(org: Org, row: Record | None, report: Report) -> Json:
    """Return a report's definition."""
    tree, type = report.tree, report.type
    frame = tree.get("timeFrameFilter")
    return {
        "aggregates": [one.key for one in report.summaries],
        "buckets": [_bucket(report, one) for one in tree.get("buckets", ())],
        "chart": _chart(report),
        "crossFilters": [_cross_filter(report, one) for one in report.cross_filters],
        "currency": None,
        "customDetailFormula": {
            one["developerName"]: _row_formula(one) for one in tree.get("customDetailFormulas", ())
        }
        or None,
        "customSummaryFormula": {one.name: _summary_formula(report, one) for one in report.formulas} or None,
        "description": tree.get("description"),
        "detailColumns": [one.api_key for one in report.columns],
        "developerName": row["DeveloperName"] if row else None,
        "division": None,
        "folderId": row["OwnerId"] if row else None,
        "groupingsAcross": [_grouping(one) for one in report.across],
        "groupingsDown": [_grouping(one) for one in report.down],
        "hasDetailRows": bool(tree.get("showDetails", True)),
        "hasRecordCount": True,
        "historicalSnapshotDates": [],
        "id": row["Id"] if row else None,
        "name": report.name,
        "presentationOptions": {"hasStackedSummaries": True},
        "reportBooleanFilter": report.logic or None,
        "reportFilters": [_criterion(report, one) for one in report.criteria],
        "reportFormat": report.format.upper(),
        "reportType": {"label": type.label, "type": type.name},
        "scope": report.scope,
        "showGrandTotal": bool(tree.get("showGrandTotal", True)),
        "showSubtotals": bool(tree.get("showSubTotals", True)),
        "sortBy": _sorted_by(report),
        "standardDateFilter": _date_filter(report, frame) if frame else None,
        "standardFilters": [{"name": name, "value": value} for name, value in report.params.items()],
        "supportsRoleHierarchy": bool(type.owner),
        "topRows": {"direction": "Asc", "rowLimit": int(tree["rowLimit"])} if tree.get("rowLimit") else None,
        "userOrHierarchyFilterId": None,
    }


def _bucket(report: Report, told: Mapping[str, Any]) -> Json:
    numbered = told["bucketType"] == "number"
    values = []
    for one in told.get("values", ()):
        inside = one.get("sourceValues", ())
        upper = inside[-1].get("to") if inside and numbered else None
        values.append(
            {
                "label": one["value"],
                "rangeUpperBound": float(upper) if upper else None,
                "sourceDimensionValues": None
                if numbered
                else [each.get("sourceValue") or "" for each in inside],
            }
        )
    return {
        "bucketType": told["bucketType"],
        "devloperName": told["developerName"],  # spelled so by Salesforce
        "label": told["masterLabel"],
        "nullTreatedAsZero": told.get("nullTreatment") == "z",
        "otherBucketLabel": (told.get("otherBucketLabel") or OTHER) if told.get("useOther") else None,
        "sourceColumnName": _api(report, told["sourceColumnName"]),
        "values": values,
    }


def _row_formula(told: Mapping[str, Any]) -> Json:
    return {
        "dataType": ROW_TYPES[told["dataType"]][1],
        "decimalPlaces": int(told.get("scale") or 0),
        "description": told.get("description"),
        "formula": told["calculatedFormula"],
        "formulaType": _FORMULA_TYPES[told["dataType"]],
        "label": told["label"],
    }


def _summary_formula(report: Report, one: SummaryFormula) -> Json:
    told: Json = {
        "decimalPlaces": one.field.scale,
        "description": one.tree.get("description"),
        "formula": one.text,
        "formulaType": one.tree["datatype"],
        "label": one.label,
    }
    for side, level in (("across", one.across), ("down", one.down)):
        custom = level not in (None, GRAND)
        told[f"{side}Group"] = _api(report, str(level)) if custom else None
        told[f"{side}GroupType"] = "custom" if custom else "grand_total" if level else "all"
    return told


def _chart(report: Report) -> Json | None:
    told = report.tree.get("chart")
    if not told:
        return None
    groups = [told.get("groupingColumn"), told.get("secondaryGroupingColumn")]
    shown = [one.key for each in told.get("chartSummaries", ()) if (one := report.summary(each))]
    return {
        "chartType": CHARTS.get(told["chartType"], told["chartType"]),
        "groupings": [_api(report, one) for one in groups if one],
        "hasLegend": bool(told.get("legendPosition")),
        "showChartValues": bool(told.get("showValues")),
        "summaries": shown,
        "summaryAxisLocations": ["Y"] * len(shown),
        "title": told.get("title"),
    }


def _api(report: Report, key: str) -> str:
    found = report.type.column(key)
    return found.api_key if found else key


def _cross_filter(report: Report, told: Mapping[str, Any]) -> Json:
    return {
        "criteria": [
            {
                "column": one["column"],
                "filterType": "fieldValue",
                "isRunPageEditable": True,
                "operator": one["operator"],
                "value": str(one.get("value") or ""),
            }
            for one in told.get("criteriaItems", ())
        ],
        "includesObject": told["operation"] == "with",
        "primaryEntityField": told["primaryTableColumn"],
        "relatedEntity": told["relatedTable"],
        "relatedEntityJoinField": told["relatedTableJoinColumn"],
    }


def _grouping(one: Grouping) -> Json:
    return {
        "dateGranularity": one.granularity if one.dated else "None",
        "name": one.column.api_key,
        "sortAggregate": None,
        "sortOrder": "Desc" if one.descending else "Asc",
    }


def _criterion(report: Report, told: Mapping[str, Any]) -> Json:
    column = report.type.column(told["column"])
    value = str(told.get("value") or "")
    if column is not None and column.type == "boolean":
        value = {"1": "True", "0": "False"}.get(value, value.capitalize())
    return {
        "column": _api(report, told["column"]),
        "filterType": "fieldValue",
        "isRunPageEditable": bool(told.get("isUnlocked", True)),
        "operator": told["operator"],
        "value": value,
    }


def _sorted_by(report: Report) -> list[Json]:
    key = report.tree.get("sortColumn")
    if not key:
        return []
    return [{"sortColumn": _api(report, key), "sortOrder": report.tree.get("sortOrder", "Asc")}]


def _date_filter(report: Report, told: Mapping[str, Any]) -> Json:
    found = RANGES.get(told["interval"])
    return {
        "column": _api(report, told["dateColumn"]),
        "durationValue": found.api if found else "CUSTOM",
        "endDate": told.get("endDate"),
        "startDate": told.get("startDate"),
    }


def extended(report: Report) -> Json:
    """Return what a report's columns, groups and figures are called."""
    return {
        "aggregateColumnInfo": {one.key: _figure_info(one) for one in report.summaries},
        "detailColumnInfo": {one.api_key: _column_info(one) for one in report.columns},
        "groupingColumnInfo": {
            one.column.api_key: {
                **_column_info(one.column),
                "groupingLevel": level,
            }
            for side in (report.down, report.across)
            for level, one in enumerate(side)
        },
    }


def _column_info(column: Column) -> Json:
    return {
        "dataType": data_type(column),
        "entityColumnName": None if column.path.startswith("=") else column.path,
        "label": column.label,
    }


def _figure_info(one: Summary) -> Json:
    formula = one.formula
    columns = {
        "acrossGroupingContext": formula.across if formula else None,
        "downGroupingContext": formula.down if formula else None,
    }
    return {"dataType": one.field.type, "label": one.label, **columns}


def type_metadata(org: Org, type: ReportType) -> Json:
    """Return what a report type offers."""
    return {
        "categories": [
            {
                "columns": {
                    one.api_key: {
                        "allowedInCustomDetailFormula": named_in_rows(one),
                        "dataType": data_type(one),
                        "filterValues": [
                            {"apiName": value, "label": label, "name": value}
                            for value, label in options(org, one.field)
                        ],
                        "filterable": True,
                        "isLookup": False,
                        "label": one.label,
                        "uniqueCountable": True,
                    }
                    for one in columns
                },
                "label": label,
            }
            for label, columns in type.sections().items()
        ],
        "scopeInfo": {
            "defaultValue": type.scope,
            "values": [
                {"allowsDivision": False, "label": label.format(type.plural), "value": value}
                for value, label in scopes(type)
            ],
        },
        "standardDateFilterDurationGroups": [
            {
                "label": "Standard Date Filters",
                "standardDateFilterDurations": [
                    {"endDate": None, "label": one.label, "startDate": None, "value": one.api}
                    for one in RANGES.values()
                ],
            }
        ],
        "standardFilterInfos": {
            name: {
                "defaultValue": next(iter(told["values"])),
                "filterValues": [
                    {"label": label, "name": value, "value": value} for value, label in told["values"].items()
                ],
                "label": told["label"],
                "type": "PICKLIST",
            }
            for name, told in type.params.items()
        },
        "reportType": {"label": type.label, "type": type.name},
    }


def scopes(type: ReportType) -> list[tuple[str, str]]:
    """Return values and labels of `Show Me`."""
    found = [("organization", "All {}")]
    return [*found, ("user", "My {}"), ("team", "My team's {}")] if type.owner else found


# Runs


def facts(run: Run, *, details: bool) -> Json:
    """Return what a run found, by the place of each group."""
    report = run.report
    shown = details and bool(report.tree.get("showDetails", True))
    places: Json = {}
    for down in run.down.whole():
        for across in run.across.whole():
            fact: Json = {"aggregates": [_figure(run, one, down, across) for one in report.summaries]}
            if shown and not down.groups and not across.groups:
                numbers = (number for number in run.crossed(down, across) if number < MOST_ROWS)
                fact["rows"] = [{"dataCells": _cells(run, number)} for number in numbers]
            elif shown:
                fact["rows"] = []
            places[f"{down.key}!{across.key}"] = fact
    return {
        "allData": len(run.rows) <= MOST_ROWS or not shown,
        "factMap": places,
        "groupingsAcross": {"groupings": [_group(one) for one in run.across.groups]},
        "groupingsDown": {"groupings": [_group(one) for one in run.down.groups]},
        "hasDetailRows": shown,
        "hasExceededTabularRowLimit": False,
    }


def _figure(run: Run, one: Summary, down: Group, across: Group) -> Json:
    found = run.figure(one, down, across)
    money = one.field.type == "currency"
    value: Any = {"amount": found.value, "currency": None} if money else found.value
    return {"label": found.text or "-", "value": value}


def _group(one: Group) -> Json:
    inner = [_group(each) for each in one.groups]
    return {"groupings": inner, "key": one.key, "label": one.label, "value": one.value}


def _cells(run: Run, number: int) -> list[Json]:
    row = run.rows[number]
    return [
        _cell(column, shown, column.value(run.org, row))
        for column, shown in zip(run.report.columns, run.cells(number), strict=True)
    ]


def _cell(column: Column, shown: Shown, value: Any) -> Json:
    told: Any = (
        {"amount": value, "currency": None} if column.type == "currency" and value is not None else value
    )
    link = shown.href.split("/")
    if len(link) > 4 and shown.href.startswith("/lightning/r/"):
        return {"label": shown.text, "recordId": link[4], "value": link[4]}
    return {"label": shown.text or "-", "value": told}


# Definitions that tools write


class Unreadable(ValueError):
    """A definition that is refused; the text says why."""


def tree_from(org: Org, type: ReportType, told: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    """Return a report's tree with what the API's metadata says put over an old one.

    Raises:
        Unreadable: A column or word is unknown.
    """
    tree = dict(old)
    tree["reportType"] = type.name
    for name, element in _PLAIN.items():
        if told.get(name) is not None:
            tree[element] = told[name]
    if told.get("reportFormat"):
        tree["format"] = str(told["reportFormat"]).capitalize()
    tree |= _own(type, told, old)
    type = Report(type, tree).type
    if "detailColumns" in told or "aggregates" in told:
        tree["columns"] = _columns(type, told, tree)
    for element in ("groupingsDown", "groupingsAcross"):
        if element in told:
            tree[element] = [_grouped(type, one) for one in told[element] or ()]
    if "reportFilters" in told or "reportBooleanFilter" in told:
        tree["filter"] = _filter(type, told, old)
    if "crossFilters" in told:
        tree["crossFilters"] = [_crossed(one) for one in told["crossFilters"] or ()]
    if told.get("standardDateFilter"):
        tree["timeFrameFilter"] = _frame(type, told["standardDateFilter"])
    if told.get("standardFilters"):
        tree["params"] = [{"name": one["name"], "value": one["value"]} for one in told["standardFilters"]]
    if told.get("sortBy"):
        tree["sortColumn"] = _known(type, told["sortBy"][0]["sortColumn"])
        tree["sortOrder"] = told["sortBy"][0].get("sortOrder", "Asc")
    if "chart" in told:
        tree["chart"] = _charted(type, told["chart"], _names(tree)) if told["chart"] else None
    return tree


def _own(type: ReportType, told: Mapping[str, Any], old: Mapping[str, Any]) -> Json:
    """Return the buckets and formulas of a definition, those that it does not tell as they were."""
    made = {name: list(old.get(name, ())) for name in ("aggregates", "buckets", "customDetailFormulas")}
    if "buckets" in told:
        made["buckets"] = [_bucketed(type, one) for one in told["buckets"] or ()]
    if "customDetailFormula" in told:
        given = (told["customDetailFormula"] or {}).items()
        made["customDetailFormulas"] = [_of_rows(name, one) for name, one in given]
    if "customSummaryFormula" in told:
        given = (told["customSummaryFormula"] or {}).items()
        made["aggregates"] = [_of_groups(name, one) for name, one in given]
    if told.get("aggregates") is not None:
        made["aggregates"] = [
            {**one, "isActive": one["developerName"] in told["aggregates"]} for one in made["aggregates"]
        ]
    return made


def _bucketed(type: ReportType, told: Mapping[str, Any]) -> Json:
    values, lower = [], None
    for one in told.get("values") or ():
        upper = one.get("rangeUpperBound")
        sources: list[Json] = [{"sourceValue": str(each)} for each in one.get("sourceDimensionValues") or ()]
        if told["bucketType"] == "number":
            ends = {"from": lower, "to": text_of(Decimal(str(upper))) if upper is not None else None}
            sources, lower = [{name: end for name, end in ends.items() if end is not None}], ends["to"]
        values.append({"sourceValues": sources, "value": one["label"]})
    return {
        "bucketType": told["bucketType"],
        "developerName": told.get("devloperName") or told["developerName"],
        "masterLabel": told["label"],
        "nullTreatment": "z" if told.get("nullTreatedAsZero") else "n",
        "otherBucketLabel": told.get("otherBucketLabel"),
        "sourceColumnName": _known(type, told["sourceColumnName"]),
        "useOther": bool(told.get("otherBucketLabel")),
        "values": values,
    }


def _of_rows(name: str, told: Mapping[str, Any]) -> Json:
    types = {api: own for own, api in _FORMULA_TYPES.items()}
    return {
        "calculatedFormula": told["formula"],
        "dataType": types.get(str(told["formulaType"]), told["formulaType"]),
        "description": told.get("description"),
        "developerName": name,
        "label": told["label"],
        "scale": int(told.get("decimalPlaces") or 0),
    }


def _of_groups(name: str, told: Mapping[str, Any]) -> Json:
    made: Json = {
        "calculatedFormula": told["formula"],
        "datatype": told["formulaType"],
        "description": told.get("description"),
        "developerName": name,
        "isActive": True,
        "isCrossBlock": False,
        "masterLabel": told["label"],
        "scale": int(told.get("decimalPlaces") or 0),
    }
    for side in ("across", "down"):
        levels = {"custom": told.get(f"{side}Group"), "grand_total": GRAND}
        made[f"{side}GroupingContext"] = levels.get(str(told.get(f"{side}GroupType")))
    return made


def _names(tree: Mapping[str, Any]) -> set[str]:
    """Return the names of figures that summarize no column."""
    return {COUNT, *(one["developerName"] for one in tree.get("aggregates", ()))}


_PLAIN = {
    "name": "name",
    "description": "description",
    "scope": "scope",
    "hasDetailRows": "showDetails",
    "showGrandTotal": "showGrandTotal",
    "showSubtotals": "showSubTotals",
}


def _known(type: ReportType, key: str) -> str:
    found = type.column(str(key))
    if found is None:
        raise Unreadable(f"The report type {type.label} has no column {key}.")
    return found.key


def _columns(type: ReportType, told: Mapping[str, Any], old: Mapping[str, Any]) -> list[Json]:
    keys = told.get("detailColumns")
    if keys is None:
        keys = [one["field"] for one in old.get("columns", ())]
    kept = {one["field"]: list(one.get("aggregateTypes", ())) for one in old.get("columns", ())}
    if "aggregates" in told:
        kept = {}
        for aggregate in told["aggregates"] or ():
            mark, _, key = str(aggregate).partition("!")
            if aggregate not in _names(old):
                how = _how(mark)
                kept.setdefault(_known(type, key), []).append(how)
    found = dict.fromkeys([_known(type, key) for key in keys] + list(kept if "aggregates" in told else ()))
    return [{"field": key, **({"aggregateTypes": kept[key]} if kept.get(key) else {})} for key in found]


def _how(mark: str) -> str:
    for how, (known, _, _) in SUMMARIES.items():
        if known == mark:
            return how
    raise Unreadable(f"There is no aggregate {mark}.")


def _grouped(type: ReportType, told: Mapping[str, Any]) -> Json:
    order = str(told.get("sortOrder", "Asc")).capitalize()
    granularity = told.get("dateGranularity") or "None"
    return {"dateGranularity": granularity, "field": _known(type, told["name"]), "sortOrder": order}


def _filter(type: ReportType, told: Mapping[str, Any], old: Mapping[str, Any]) -> Json:
    kept = old.get("filter") or {}
    items = kept.get("criteriaItems", [])
    if "reportFilters" in told:
        items = [
            {
                "column": _known(type, one["column"]),
                "columnToColumn": False,
                "isUnlocked": True,
                "operator": one["operator"],
                "value": _stored(type, one),
            }
            for one in told["reportFilters"] or ()
        ]
    logic = told["reportBooleanFilter"] if "reportBooleanFilter" in told else kept.get("booleanFilter")
    return {"booleanFilter": logic or None, "criteriaItems": items}


def _stored(type: ReportType, told: Mapping[str, Any]) -> str:
    value = str(told.get("value") if told.get("value") is not None else "")
    column = type.column(told["column"])
    if column is not None and column.type == "boolean":
        return {"true": "1", "false": "0"}.get(value.casefold(), value)
    return value


def _crossed(told: Mapping[str, Any]) -> Json:
    return {
        "criteriaItems": [
            {"column": one["column"], "operator": one["operator"], "value": str(one.get("value") or "")}
            for one in told.get("criteria") or ()
        ],
        "operation": "with" if told.get("includesObject", True) else "without",
        "primaryTableColumn": told["primaryEntityField"],
        "relatedTable": told["relatedEntity"],
        "relatedTableJoinColumn": told["relatedEntityJoinField"],
    }


def _frame(type: ReportType, told: Mapping[str, Any]) -> Json:
    found = BY_API.get(str(told.get("durationValue")))
    dates = {name: told[name] for name in ("startDate", "endDate") if told.get(name)}
    return {
        "dateColumn": _known(type, told["column"]),
        "interval": found.name if found else ALL_TIME,
        **dates,
    }


def _charted(type: ReportType, told: Mapping[str, Any], names: set[str]) -> Json:
    kind = _CHARTS.get(str(told["chartType"]))
    if kind is None:
        raise Unreadable(f"There is no chart type {told['chartType']}.")
    groups = [_known(type, key) for key in told.get("groupings") or ()]
    summaries = []
    for key in told.get("summaries") or [COUNT]:
        mark, _, column = str(key).partition("!")
        named = {"column": key} if key in names else {"aggregate": _how(mark), "column": _known(type, column)}
        summaries.append({"axisBinding": "y", **named})
    return {
        "chartSummaries": summaries,
        "chartType": kind,
        "groupingColumn": groups[0] if groups else None,
        "secondaryGroupingColumn": groups[1] if len(groups) > 1 else None,
        "legendPosition": "Right" if told.get("hasLegend", True) else None,
        "location": "CHART_TOP",
        "showValues": bool(told.get("showChartValues")),
        "title": told.get("title"),
    }
