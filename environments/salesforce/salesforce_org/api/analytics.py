"""`/analytics`: reports, their types, and dashboards: listed, described, run, created, changed and deleted."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from salesforce_org.api.call import NOTHING, ApiError, Call, Reply
from salesforce_org.api.routing import resource
from salesforce_org.reports import dashboards, definition, stored, telling
from salesforce_org.reports.checking import check
from salesforce_org.reports.definition import FORMATS, Report
from salesforce_org.reports.running import run
from salesforce_org.reports.stored import Place
from salesforce_org.reports.types import CATEGORIES, ReportType, report_type, report_types
from salesforce_org.store import Record, ids
from salesforce_org.store.values import moment

_LATEST = 200


@dataclass
class Instances:
    """The results of runs in the background, by report and id, newest last."""

    kept: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)


# Reports


@resource("GET", "/analytics/reports")
def list_reports(call: Call) -> Reply:
    """List the reports looked at last, or all of them where none was."""
    rows = stored.visible(call.org, "Report")
    ran = sorted(
        (row for row in rows if row.get("LastRunDate")), key=lambda row: row["LastRunDate"], reverse=True
    )
    return Reply([_listed(call, row) for row in (ran or rows)[:_LATEST]])


def _listed(call: Call, row: Record) -> dict[str, Any]:
    url = f"{call.root}/analytics/reports/{row['Id']}"
    return {
        "describeUrl": f"{url}/describe",
        "fieldsUrl": f"{url}/fields",
        "id": row["Id"],
        "instancesUrl": f"{url}/instances",
        "name": row["Name"],
        "url": url,
    }


@resource("POST", "/analytics/reports")
def create_report(call: Call) -> Reply:
    """Create a report from its metadata, or a copy of the report `cloneId`."""
    old: Mapping[str, Any] = {}
    if "cloneId" in call.query:
        source = _row(call, "Report", call.query["cloneId"])
        old = stored.tree_of(call.org, "Report", source)
    told = _metadata(call)
    type = _type(call, told, str(old.get("reportType", "")))
    tree = _tree(call, type, told, old or definition.new(type))
    place = _place(call, str(told.get("folderId") or call.org.user_id))
    developer = str(
        told.get("developerName") or stored.free_name(call.org, "Report", str(tree.get("name", "")))
    )
    id = stored.save(call.org, "Report", "", place, developer, tree)
    return Reply(_described(call, _row(call, "Report", id)))


@resource("GET", "/analytics/reports/{id}")
def run_report(call: Call) -> Reply:
    """Run a report and return what it finds."""
    row = _row(call, "Report")
    return Reply(_ran(call, row, _report(call, row)))


@resource("POST", "/analytics/reports/{id}")
def run_changed(call: Call) -> Reply:
    """Run a report with another definition, which is not stored."""
    row = _row(call, "Report")
    return Reply(_ran(call, row, _changed(call, row)))


@resource("PATCH", "/analytics/reports/{id}")
def change_report(call: Call) -> Reply:
    """Store another definition of a report."""
    row, told = _row(call, "Report"), _metadata(call)
    tree = _changed(call, row).tree
    place = stored.place_of(call.org, "Report", row)
    if told.get("folderId"):
        place = _place(call, str(told["folderId"]))
    assert place is not None
    was, developer = (
        stored.full_name(call.org, "Report", row),
        str(told.get("developerName") or row["DeveloperName"]),
    )
    stored.save(call.org, "Report", row["Id"], place, developer, tree)
    dashboards.follow(call.org, was, stored.full_name(call.org, "Report", _row(call, "Report")))
    return Reply(_described(call, _row(call, "Report")))


@resource("GET", "/analytics/reports/{id}/describe")
def describe_report(call: Call) -> Reply:
    """Describe a report."""
    return Reply(_described(call, _row(call, "Report")))


@resource("POST", "/analytics/reports/query")
def query(call: Call) -> Reply:
    """Run a report that is nowhere stored."""
    told = _metadata(call)
    type = _type(call, told, "")
    report = Report(type, _tree(call, type, told, definition.new(type)))
    return Reply(_result(call, None, report))


# Runs in the background


@resource("POST", "/analytics/reports/{id}/instances")
def start(call: Call) -> Reply:
    """Run a report and keep the result."""
    row = _row(call, "Report")
    report = _changed(call, row) if call.body.strip() else _report(call, row)
    id = ids.make("0LG", secrets.randbelow(10**9))
    told = {
        "completionDate": moment(call.org.now),
        "hasDetailRows": bool(report.tree.get("showDetails", True)),
        "id": id,
        "ownerId": call.user_id,
        "queryable": False,
        "requestDate": moment(call.org.now),
        "status": "Success",
        "url": f"{call.root}/analytics/reports/{row['Id']}/instances/{id}",
    }
    result = _ran(call, row, report)
    attributes = {**told, "reportId": row["Id"], "reportName": row["Name"], "type": "ReportInstance"}
    kept = call.session.part(Instances).kept.setdefault(row["Id"], {})
    kept[id] = {"told": told, "result": {**result, "attributes": attributes}}
    return Reply(told)


@resource("GET", "/analytics/reports/{id}/instances")
def instances(call: Call) -> Reply:
    """List the kept results of a report, the newest first."""
    kept = call.session.part(Instances).kept.get(_row(call, "Report")["Id"], {})
    return Reply([one["told"] for one in reversed(kept.values())])


@resource("GET", "/analytics/reports/{id}/instances/{instance}")
def instance(call: Call) -> Reply:
    """Return a kept result."""
    kept = call.session.part(Instances).kept.get(_row(call, "Report")["Id"], {})
    if call.params["instance"] not in kept:
        raise _missing()
    return Reply(kept[call.params["instance"]]["result"])


# Types


@resource("GET", "/analytics/reportTypes")
def list_types(call: Call) -> Reply:
    """List the report types by category."""
    found = report_types(call.org).values()
    return Reply(
        [
            {
                "label": category,
                "reportTypes": [
                    {
                        "describeUrl": f"{call.root}/analytics/reportTypes/{one.name}",
                        "isEnabled": True,
                        "isHidden": False,
                        "label": one.label,
                        "type": one.name,
                    }
                    for one in found
                    if one.category == category
                ],
            }
            for category in CATEGORIES
        ]
    )


@resource("GET", "/analytics/reportTypes/{name}")
def describe_type(call: Call) -> Reply:
    """Describe a report type, with the report with which its builder begins."""
    type = report_type(call.org, call.params["name"])
    if type is None:
        raise _missing()
    report = Report(type, definition.new(type))
    return Reply(
        {
            "attributes": {"type": "ReportType"},
            "reportExtendedMetadata": telling.extended(report),
            "reportMetadata": telling.metadata(call.org, None, report),
            "reportTypeMetadata": telling.type_metadata(call.org, type),
        }
    )


# Dashboards


@resource("GET", "/analytics/dashboards")
def list_dashboards(call: Call) -> Reply:
    """List the dashboards."""
    root = f"{call.root}/analytics/dashboards"
    rows = stored.visible(call.org, "Dashboard")
    return Reply([{"id": row["Id"], "name": row["Title"], "url": f"{root}/{row['Id']}"} for row in rows])


@resource("GET", "/analytics/dashboards/{id}/describe")
def describe_dashboard(call: Call) -> Reply:
    """Describe a dashboard."""
    row = _row(call, "Dashboard")
    return Reply(dashboards.described(call.org, row, stored.tree_of(call.org, "Dashboard", row)))


@resource("GET", "/analytics/dashboards/{id}")
def dashboard_results(call: Call) -> Reply:
    """Return what the reports of a dashboard find."""
    row = _row(call, "Dashboard")
    tree = stored.tree_of(call.org, "Dashboard", row)
    told = dashboards.described(call.org, row, tree)
    data = []
    for known, one in zip(told["components"], dashboards.placed(tree), strict=True):
        found = dashboards.source(call.org, one["dashboardComponent"])
        result = _result(call, found[0], found[1]) if found else None
        status = {"dataStatus": "DATA" if found else "NODATA", "refreshStatus": "IDLE"}
        data.append({"componentId": known["id"], "reportResult": result, "status": status})
    return Reply({"componentData": data, "dashboardMetadata": told})


# Reports and dashboards alike


@resource("DELETE", "/analytics/{which}/{id}")
def delete(call: Call) -> Reply:
    """Delete a report or dashboard."""
    kind = {"reports": "Report", "dashboards": "Dashboard"}.get(call.params["which"])
    if kind is None:
        raise _missing()
    stored.remove(call.org, kind, _row(call, kind))
    return NOTHING


def _row(call: Call, kind: str, id: str = "") -> Record:
    try:
        row = call.org.get(kind, ids.full(id or call.params["id"]))
    except ValueError:
        row = None
    if row is None or row not in stored.visible(call.org, kind):
        raise _missing()
    return row


def _report(call: Call, row: Record) -> Report:
    found = definition.read(call.org, stored.tree_of(call.org, "Report", row))
    if found is None:
        raise ApiError(400, "BAD_REQUEST", "The report type of this report is not available any more.")
    return found


def _described(call: Call, row: Record) -> dict[str, Any]:
    return telling.described(call.org, row, _report(call, row), call.root)


def _ran(call: Call, row: Record, report: Report) -> dict[str, Any]:
    stored.note_run(call.org, row)
    return _result(call, row, report)


def _result(call: Call, row: Record | None, report: Report) -> dict[str, Any]:
    details = call.query.get("includeDetails", "true").casefold() != "false"
    url = f"{call.root}/analytics/reports/{row['Id']}" if row else ""
    return {
        "attributes": {
            "describeUrl": f"{url}/describe",
            "instancesUrl": f"{url}/instances",
            "reportId": row["Id"] if row else None,
            "reportName": report.name,
            "type": "Report",
        },
        "reportExtendedMetadata": telling.extended(report),
        "reportMetadata": telling.metadata(call.org, row, report),
        **telling.facts(run(call.org, report), details=details),
    }


def _metadata(call: Call) -> dict[str, Any]:
    found = call.table().get("reportMetadata")
    if not isinstance(found, dict):
        raise ApiError(400, "JSON_PARSER_ERROR", "The body must have reportMetadata")
    return found


def _type(call: Call, told: Mapping[str, Any], default: str) -> ReportType:
    given = told.get("reportType")
    name = given.get("type", "") if isinstance(given, Mapping) else given or default
    found = report_type(call.org, str(name))
    if found is None:
        raise ApiError(400, "BAD_REQUEST", f"The report type {str(name)[:80]!r} is not available.")
    return found


def _changed(call: Call, row: Record) -> Report:
    old = _report(call, row)
    return Report(old.base, _tree(call, old.base, _metadata(call), old.tree))


def _tree(call: Call, type: ReportType, told: Mapping[str, Any], old: Mapping[str, Any]) -> dict[str, Any]:
    try:
        tree = telling.tree_from(call.org, type, told, old)
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as problem:
        raise ApiError(400, "BAD_REQUEST", f"The report metadata cannot be read: {problem}") from None
    if tree.get("format") not in FORMATS:
        raise ApiError(400, "BAD_REQUEST", "The report format must be TABULAR, SUMMARY or MATRIX.")
    check(call.org, tree)
    return tree


def _place(call: Call, id: str) -> Place:
    found = next((one for one in stored.places(call.org, "Report") if one.id[:15] == id[:15]), None)
    if found is None:
        raise ApiError(400, "BAD_REQUEST", "The folder is not available.")
    return found


def _missing() -> ApiError:
    return ApiError(404, "NOT_FOUND", "The data you're trying to access is unavailable.")
