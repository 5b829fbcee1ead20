"""Dashboards as people build, save and look at them, and as tools are told of them."""

from __future__ import annotations

import pytest

from salesforce_org.reports.dashboards import described, placed

from .pages_client import PageBrowser, signed_in, words
from .report_builder import Builder


@pytest.fixture
def browser() -> PageBrowser:
    """A browser of the administrator."""
    return signed_in()


def begin(browser: PageBrowser, title: str = "Big Deals") -> str:
    """Begin a dashboard and return the builder's address."""
    return browser.goes("/lightning/o/Dashboard/new", Title=title).removesuffix("/edit")


def add(
    browser: PageBrowser, base: str, kind: str, report: str = "Required_Opportunities_Report", **values: str
) -> None:
    """Add a widget of a report."""
    browser.goes(f"{base}/widget", kind=kind, report=browser.id("Report", report), **values)


def save(browser: PageBrowser, base: str) -> str:
    """Save and return the record's id."""
    return browser.goes(f"{base}/save").split("/")[4]


def test_a_dashboard_is_built_and_told(browser: PageBrowser) -> None:
    """A widget's report, type and title are stored as metadata, and told by the Analytics API."""
    base = begin(browser)
    add(browser, base, "FlexTable", header="Opportunities in Stages")
    id = save(browser, base)
    row = browser.org.get("Dashboard", id) or {}
    assert (row["Title"], row["FolderName"]) == ("Big Deals", "Private Dashboards")
    (tree,) = browser.org.components("Dashboard").values()
    (one,) = described(browser.org, row, tree)["components"]
    assert one["header"] == "Opportunities in Stages"
    assert one["reportId"] == browser.id("Report", "Required_Opportunities_Report")
    assert one["properties"]["visualizationType"] == "FlexTable"


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("Bar", "org-drawing"),
        ("Donut", "org-drawing"),
        ("Line", "org-drawing"),
        ("BarStacked", "org-drawing"),
        ("Metric", "slds-text-heading_large"),
        ("FlexTable", "Record Count"),
    ],
)
def test_every_widget_shows_what_its_report_finds(browser: PageBrowser, kind: str, shown: str) -> None:
    """Charts are drawn, a metric is one figure, and a table has a line for each group."""
    base = begin(browser)
    add(browser, base, kind)
    assert shown in browser.page(f"/lightning/r/Dashboard/{save(browser, base)}/view")


def test_widgets_are_placed_changed_and_removed(browser: PageBrowser) -> None:
    """A second widget stands beside the first; size and place are changed in the dialog; a text has no report."""
    base = begin(browser)
    add(browser, base, "Bar")
    add(browser, base, "Donut", header="Sources", report="Required_Leads_by_Source")
    browser.goes(f"{base}/widget", kind="RichText", content="All figures of today")
    browser.goes(f"{base}/widget", number="1", kind="Column", colSpan="12", columnIndex="3", rowIndex="9")
    assert "Sources" in browser.send(f"{base}/builder", do="remove", number="3").text
    save(browser, base)
    (tree,) = browser.org.components("Dashboard").values()
    first, second = placed(tree)
    assert (first["colSpan"], first["columnIndex"], first["rowIndex"]) == ("12", "0", "9")
    assert first["dashboardComponent"]["componentType"] == "Column"
    assert second["columnIndex"] == "6"


def test_a_stacked_chart_has_two_groups(browser: PageBrowser) -> None:
    """A stacked widget is divided by the report's second group, and stored with both."""
    builder = Builder(browser, "AccountList")
    for field in ("RATING", "INDUSTRY"):
        builder.do("group", field=field, side="down")
    place = next(browser.org.rows("Organization"))["Id"]
    builder.save("Two groups", folder=place)
    base = begin(browser)
    add(browser, base, "BarStacked", report="Two groups")
    save(browser, base)
    (tree,) = browser.org.components("Dashboard").values()
    assert placed(tree)[0]["dashboardComponent"]["groupingColumn"] == ["RATING", "INDUSTRY"]


def test_a_dashboard_without_a_name_is_not_begun(browser: PageBrowser) -> None:
    """The dialog says that the name is missing."""
    assert "Complete this field." in browser.send("/lightning/o/Dashboard/new", Title="").text


def test_a_dashboard_is_listed_and_deleted(browser: PageBrowser) -> None:
    """A saved dashboard is in the list, and gone with its component when it is deleted."""
    base = begin(browser, "Short-lived")
    id = save(browser, base)
    assert "Short-lived" in browser.page("/lightning/o/Dashboard/home", view="all")
    browser.goes(f"/lightning/r/Dashboard/{id}/delete")
    assert browser.org.get("Dashboard", id) is None
    assert not browser.org.components("Dashboard")


def test_leaving_asks_where_something_is_not_saved(browser: PageBrowser) -> None:
    """Done asks before a new dashboard is lost."""
    assert "aren't saved" in words(browser.part(f"{begin(browser)}/close"))
