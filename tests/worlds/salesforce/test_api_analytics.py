"""The Analytics interface: reports listed, described, run, created, changed and deleted, and their types."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.reports import dashboards, definition, stored, telling

from .small_org import Tool, tool

ACCOUNTS = {
    "name": "Accounts by industry",
    "reportFormat": "SUMMARY",
    "reportType": {"type": "AccountList"},
    "detailColumns": ["ACCOUNT.NAME", "SALES"],
    "aggregates": ["s!SALES", "RowCount"],
    "groupingsDown": [{"name": "INDUSTRY", "sortOrder": "Asc", "dateGranularity": "None"}],
    "reportFilters": [{"column": "SALES", "operator": "greaterThan", "value": '"100,000"'}],
    "scope": "organization",
    "standardDateFilter": {"column": "CREATED_DATE", "durationValue": "CUSTOM"},
}


@pytest.fixture
def org() -> Tool:
    """A client of an org of its own, with three accounts that have figures."""
    made = tool()
    for name, industry, revenue in (
        ("A", "Retail", 200_000),
        ("B", "Retail", 300_000),
        ("C", "Media", 50_000),
    ):
        made.session.org.insert("Account", Name=name, Industry=industry, AnnualRevenue=revenue)
    return made


def create(org: Tool, **changes: Any) -> str:
    """Create the report and return its id."""
    answered = org.call("POST", "/analytics/reports", json={"reportMetadata": {**ACCOUNTS, **changes}})
    assert answered.status_code == 200, answered.text
    return str(answered.json()["reportMetadata"]["id"])


def test_a_report_is_described_as_it_was_created(org: Tool) -> None:
    """The description has the definition, the columns by name, and what the type offers."""
    id = create(org)
    told = org.call("GET", f"/analytics/reports/{id}/describe").json()
    metadata, more = told["reportMetadata"], told["reportExtendedMetadata"]
    for name in ("name", "reportFormat", "detailColumns", "aggregates"):
        assert metadata[name] == ACCOUNTS[name], name
    assert metadata["reportType"] == {"label": "Accounts", "type": "AccountList"}
    assert metadata["reportFilters"][0]["value"] == '"100,000"'
    assert list(more["groupingColumnInfo"]) == ["INDUSTRY"]
    assert more["aggregateColumnInfo"]["s!SALES"]["label"] == "Sum of Annual Revenue"
    assert told["reportTypeMetadata"]["categories"][0]["label"] == "Account: General"


def test_a_run_tells_the_facts_of_each_group(org: Tool) -> None:
    """The fact map has the figures of each group and of all, and the rows of the innermost groups."""
    told = org.call("GET", f"/analytics/reports/{create(org)}").json()
    assert [one["label"] for one in told["groupingsDown"]["groupings"]] == ["Retail"]
    assert told["factMap"]["0!T"]["aggregates"][0]["value"] == {"amount": 500_000.0, "currency": None}
    assert told["factMap"]["T!T"]["aggregates"][1]["value"] == 2
    assert [row["dataCells"][0]["label"] for row in told["factMap"]["0!T"]["rows"]] == ["A", "B"]
    bare = org.call("GET", f"/analytics/reports/{create(org)}?includeDetails=false").json()
    assert "rows" not in bare["factMap"]["0!T"]


def test_a_run_tells_figures_of_more_rows_than_it_shows(org: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more rows than a run may show, the figures are those of all."""
    monkeypatch.setattr(telling, "MOST_ROWS", 1)
    told = org.call("GET", f"/analytics/reports/{create(org)}").json()
    assert (told["allData"], len(told["factMap"]["0!T"]["rows"])) == (False, 1)
    assert told["factMap"]["0!T"]["aggregates"][1]["value"] == 2


def test_a_report_is_run_with_another_definition_that_is_not_kept(org: Tool) -> None:
    """What is posted to a report changes this run only."""
    id = create(org)
    body = {"reportMetadata": {"reportFilters": []}}
    told = org.call("POST", f"/analytics/reports/{id}", json=body).json()
    assert {"Media", "Retail"} <= {one["label"] for one in told["groupingsDown"]["groupings"]}
    kept = org.call("GET", f"/analytics/reports/{id}/describe").json()
    assert len(kept["reportMetadata"]["reportFilters"]) == 1


def test_a_report_is_changed_and_deleted(org: Tool) -> None:
    """PATCH stores what it names, DELETE takes report and component away, and queries see both."""
    id, kernel = create(org, folderId=None), org.session.org
    org.call("PATCH", f"/analytics/reports/{id}", json={"reportMetadata": {"name": "Rich accounts"}})
    assert org.records("SELECT Name, Format, FolderName FROM Report")[-1]["Name"] == "Rich accounts"
    assert org.call("DELETE", f"/analytics/reports/{id}").status_code == 204
    assert org.records(f"SELECT Id FROM Report WHERE Id = '{id}'") == []
    assert not [name for name in kernel.components("Report") if name.endswith("/Accounts_by_industry")]


def test_results_are_kept_by_runs_in_the_background(org: Tool) -> None:
    """A run in the background has an id by which its result is read."""
    id = create(org)
    started = org.call("POST", f"/analytics/reports/{id}/instances").json()
    (listed,) = org.call("GET", f"/analytics/reports/{id}/instances").json()
    assert listed["id"] == started["id"]
    told = org.call("GET", f"/analytics/reports/{id}/instances/{started['id']}").json()
    assert told["attributes"]["status"] == "Success"
    assert told["factMap"]["T!T"]["aggregates"][1]["value"] == 2


def test_report_types_are_listed_and_described(org: Tool) -> None:
    """Each type has a category, and says with which report a builder begins."""
    found = org.call("GET", "/analytics/reportTypes").json()
    named = {one["type"]: one["label"] for category in found for one in category["reportTypes"]}
    assert (named["Activity"], named["ContactList"]) == ("Tasks and Events", "Contacts & Accounts")
    told = org.call("GET", "/analytics/reportTypes/LeadList").json()
    assert told["reportMetadata"]["reportFormat"] == "TABULAR"


@pytest.mark.parametrize(
    "changes",
    [
        {"reportType": {"type": "Nothing"}},
        {"detailColumns": ["NOTHING"]},
        {"reportFormat": "LIST"},
        {"folderId": "00lKj0000000001"},
        {"name": ""},
        {"groupingsDown": [{"name": "SALES"}]},
        {"reportFilters": [{"column": "SALES", "operator": "around", "value": "1"}]},
    ],
)
def test_a_report_that_cannot_be_is_refused(org: Tool, changes: dict[str, Any]) -> None:
    """An unknown type, column, format or folder is a bad request, and nothing is stored."""
    before = len(org.session.org.journal.writes)
    answered = org.call("POST", "/analytics/reports", json={"reportMetadata": {**ACCOUNTS, **changes}})
    assert answered.status_code == 400
    assert len(org.session.org.journal.writes) == before


def test_a_dashboard_is_listed_described_and_run(org: Tool) -> None:
    """Tools are told of each widget its report, also a renamed one, kind and title, and what the report finds."""
    kernel, report = org.session.org, create(org)
    kernel.user_id = org.keys["user_id"]
    row = kernel.get("Report", report) or {}
    shown = definition.read(kernel, stored.tree_of(kernel, "Report", row))
    assert shown is not None
    widget = dashboards.component("Donut", stored.full_name(kernel, "Report", row), {"header": "Rich"}, shown)
    tree = dashboards.new(kernel, "Board", "")
    tree = dashboards.with_components(tree, [{**dashboards.below([]), "dashboardComponent": widget}])
    id = stored.save(kernel, "Dashboard", "", stored.places(kernel, "Dashboard")[0], "Board", tree)
    assert [one["id"] for one in org.call("GET", "/analytics/dashboards").json()] == [id]
    (told,) = org.call("GET", f"/analytics/dashboards/{id}/describe").json()["components"]
    seen = told["reportId"], told["header"], told["properties"]["visualizationType"]
    assert seen == (report, "Rich", "Donut")
    (ran,) = org.call("GET", f"/analytics/dashboards/{id}").json()["componentData"]
    assert ran["reportResult"]["factMap"]["T!T"]["aggregates"][1]["value"] == 2
    org.call("PATCH", f"/analytics/reports/{report}", json={"reportMetadata": {"developerName": "Moved"}})
    (moved,) = org.call("GET", f"/analytics/dashboards/{id}/describe").json()["components"]
    assert moved["reportId"] == report
    assert org.call("DELETE", f"/analytics/dashboards/{id}").status_code == 204
