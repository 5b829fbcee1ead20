"""Reports as people build, save, run and file them, in a browser without a screen."""

from __future__ import annotations

import pytest

from .pages_client import PageBrowser, signed_in, words
from .report_builder import Builder


@pytest.fixture
def browser() -> PageBrowser:
    """A browser of the administrator."""
    return signed_in()


def folder(browser: PageBrowser, name: str = "Public Reports") -> str:
    """Return the id by which forms name a folder."""
    organization = next(browser.org.rows("Organization"))["Id"]
    return str(organization if name == "Public Reports" else browser.org.one("Folder", Name=name)["Id"])


def test_a_report_is_built_and_saved_in_a_folder(browser: PageBrowser) -> None:
    """Columns, filters and the folder are stored as a component and repeated by the record."""
    builder = Builder(browser, "LeadList")
    assert "Lead Status" in builder.do("add_column", field="STATUS")
    builder.do("add_filter", column="STATUS", operator="equals", value="Open - Not Contacted")
    id = builder.save("MyLeadRPT", folder=folder(browser))
    tree = builder.tree(id)
    assert tree["columns"][-1] == {"field": "STATUS"}
    assert tree["filter"]["criteriaItems"][0]["value"] == "Open - Not Contacted"
    row = browser.org.get("Report", id) or {}
    assert (row["Name"], row["FolderName"], row["Format"]) == ("MyLeadRPT", "Public Reports", "Tabular")


def test_numbers_and_values_are_stored_as_salesforce_does(browser: PageBrowser) -> None:
    """Numbers have commas and quotes, several values commas, and ticked boxes a one."""
    builder = Builder(browser, "Opportunity")
    builder.do("add_filter", column="AMOUNT", operator="greaterThan", value="100000")
    builder.do("add_filter", column="STAGE_NAME", operator="equals", value=["Prospecting", "Needs Analysis"])
    builder.do("add_filter", column="WON", operator="equals", value="1")
    tree = builder.tree(builder.save("Deals"))
    values = [one["value"] for one in tree["filter"]["criteriaItems"]]
    assert values == ['"100,000"', "Prospecting,Needs Analysis", "1"]


@pytest.mark.parametrize(
    ("act", "values", "sentence"),
    [
        ("add_filter", {"column": "AMOUNT", "operator": "equals", "value": "much"}, "Enter a number."),
        ("add_filter", {"column": "CLOSE_DATE", "operator": "equals", "value": "soon"}, "Enter a date"),
        ("logic", {"logic": "1 AND 2"}, "not referenced"),
        ("group", {"field": "TYPE", "side": "across"}, "Group the rows before"),
        ("add_chart", {}, "Group rows to add a chart."),
        ("param", {"name": "open", "value": "ajar"}, "Select a value"),
        ("granularity", {"field": "CLOSE_DATE", "value": "Decade"}, "Select a span"),
        ("cross", {"related": "Nothing"}, "Select an object"),
    ],
)
def test_what_is_not_possible_is_said(
    browser: PageBrowser, act: str, values: dict[str, str], sentence: str
) -> None:
    """A change that is not possible leaves the report as it is, and the builder says why."""
    builder = Builder(browser, "Opportunity")
    assert sentence in builder.do(act, **values)


def test_filters_are_combined_by_logic(browser: PageBrowser) -> None:
    """Filter logic decides which rows the preview shows, and goes with a filter that is removed."""
    builder = Builder(browser, "CaseList")
    builder.do("scope", value="organization")
    builder.do("add_filter", column="STATUS", operator="equals", value="New")
    builder.do("add_filter", column="STATUS", operator="notEqual", value="New")
    assert "Previewing 0 records" in builder.do("logic", logic="1 and 2")
    total = sum(1 for _ in browser.org.rows("Case"))
    assert f"Previewing {total} records" in builder.do("logic", logic="(1 or 2)")
    builder.do("remove_filter", number="1")
    assert builder.tree(builder.save("All cases"))["filter"].get("booleanFilter") is None


def test_groups_make_a_summary_and_a_matrix(browser: PageBrowser) -> None:
    """A report grouped by rows is a summary, one grouped by columns too a matrix, and without groups it is a table."""
    builder = Builder(browser, "Opportunity")
    builder.do("frame", column="CLOSE_DATE", interval="INTERVAL_CUSTOM")
    builder.do("summarize", field="AMOUNT", how="Sum")
    shown = builder.do("group", field="CLOSE_MONTH", side="down")
    assert "Subtotal" in shown
    assert "Sum of Amount" in builder.do("group", field="TYPE", side="across")
    first = builder.save("Matrix")
    assert builder.tree(first)["format"] == "Matrix"
    assert "TYPE" not in [one["field"] for one in builder.tree(first)["columns"]]
    again = Builder(browser, id=first)
    again.do("ungroup", field="TYPE")
    again.do("ungroup", field="CLOSE_MONTH")
    browser.goes(f"{again.base}/save")
    assert again.tree(first)["format"] == "Tabular"


def test_a_cross_filter_keeps_records_with_related_ones(browser: PageBrowser) -> None:
    """A cross filter with a sub-filter shows the records that have a fitting related record, or those without."""
    org, builder = browser.org, Builder(browser, "AccountList")
    builder.do("scope", value="organization")
    builder.do("cross", operation="with", related="Opportunity")
    builder.do(
        "sub_filter",
        number="1",
        column="StageName",
        operator="equals",
        value=["Prospecting", "Needs Analysis"],
    )
    deals = (one for one in org.rows("Opportunity") if one["StageName"] in ("Prospecting", "Needs Analysis"))
    linked = {one["AccountId"] for one in deals} - {None}
    assert linked
    assert f"Previewing {len(linked)} record" in builder.do("refresh")
    others = sum(1 for _ in org.rows("Account")) - len(linked)
    builder.do("cross", number="1", operation="without", related="Opportunity")
    assert f"Previewing {others} records" in builder.do("refresh")
    told = builder.tree(builder.save("Without"))["crossFilters"][0]
    assert (told["primaryTableColumn"], told["relatedTableJoinColumn"]) == ("ACCOUNT_ID", "Account")


def test_a_chart_follows_its_properties(browser: PageBrowser) -> None:
    """Type, title, legend and values of the chart are stored, and a report without groups loses it."""
    builder = Builder(browser, "AccountList")
    builder.do("scope", value="organization")
    builder.do("group", field="RATING", side="down")
    builder.do("add_chart")
    said = {"chartType": "Donut", "title": "By rating", "legend": "Bottom", "showValues": "true"}
    assert "By rating" in builder.do("chart", summary="RowCount", grouping="RATING", **said)
    id = builder.save("Ratings")
    chart = builder.tree(id)["chart"]
    assert (chart["chartType"], chart["legendPosition"], chart["showValues"]) == ("Donut", "Bottom", True)
    again = Builder(browser, id=id)
    again.do("ungroup", field="RATING")
    browser.goes(f"{again.base}/save")
    assert "chart" not in again.tree(id)


@pytest.mark.parametrize("kind", ["VerticalColumn", "HorizontalBar", "Line", "Donut", "Funnel", "Scatter"])
def test_every_chart_is_drawn(browser: PageBrowser, kind: str) -> None:
    """Each type of chart draws the groups that the report has."""
    builder = Builder(browser, "ProductList")
    builder.do("group", field="ACTIVE", side="down")
    builder.do("add_chart")
    answered = browser.send(
        f"{builder.base}/builder", do="chart", chartType=kind, legend="Right", title="Active"
    )
    assert 'class="org-drawing"' in answered.text
    assert "True: " in answered.text


def test_changes_are_undone_and_redone(browser: PageBrowser) -> None:
    """Undo takes the last change back, and redo brings it again."""
    builder = Builder(browser, "ProductList")
    builder.do("add_column", field="SKU")
    assert "Product SKU 4" not in builder.do("undo")
    builder.do("redo")
    assert {"field": "SKU"} in builder.tree(builder.save("Products"))["columns"]


def test_a_builder_asks_before_changes_are_lost(browser: PageBrowser) -> None:
    """Close leads back at once, or asks where something is not saved."""
    builder = Builder(browser, "ProductList")
    builder.do("add_column", field="SKU")
    assert "aren't saved" in words(browser.part(f"{builder.base}/close"))
    assert not [row for row in browser.org.rows("Report") if row["Name"] == "New Products Report"]


def test_names_are_checked_in_the_dialog(browser: PageBrowser) -> None:
    """A report without a name, or with the unique name of another, is not saved."""
    builder = Builder(browser, "ProductList")
    assert "Complete this field." in browser.send(f"{builder.base}/save", Name="").text
    twice = browser.send(f"{builder.base}/save", Name="Twice", DeveloperName="Required_Products_dHv").text
    assert "already used" in twice


def test_reports_and_dashboards_are_moved(browser: PageBrowser) -> None:
    """Move lists the folders; the record keeps its id, what is being built is saved there, and the page comes back."""
    org = browser.org
    folder = browser.id("Folder", "Service Reports")
    id = browser.id("Report", "Required_Cases_by_Priority")
    assert "Public Reports" in browser.part(f"/lightning/r/Report/{id}/move")
    back = browser.goes(f"/lightning/r/Report/{id}/move", folder=folder)
    assert (back, (org.get("Report", id) or {})["FolderName"]) == ("/lightning/page/home", "Service Reports")
    assert any(name.startswith("ServiceReports/Required_Cases") for name in org.components("Report"))
    board = browser.goes("/lightning/o/Dashboard/new", Title="Board").split("/")[4]
    board = browser.goes(f"/lightning/r/Dashboard/{board}/save").split("/")[4]
    browser.page(f"/lightning/r/Dashboard/{board}/edit")
    browser.goes(f"/lightning/r/Dashboard/{board}/move", folder=browser.id("Folder", "Service Dashboards"))
    browser.goes(f"/lightning/r/Dashboard/{board}/save")
    assert (org.get("Dashboard", board) or {})["FolderName"] == "Service Dashboards"


def test_a_report_page_shows_rows_totals_and_filters(browser: PageBrowser) -> None:
    """A run shows each group with its rows, and the filters beside it; the run is noted."""
    id = browser.org.one("Report", Name="Required_Cases_by_Priority")["Id"]
    shown = words(browser.page(f"/lightning/r/Report/{id}/view", panel="filters"))
    total = sum(1 for _ in browser.org.rows("Case"))
    assert f"Total Records {total}" in shown
    assert "Show Me All cases" in shown
    assert (browser.org.get("Report", id) or {})["LastRunDate"]


def test_a_report_is_exported_as_csv(browser: PageBrowser) -> None:
    """The file has the labels of groups and columns, and a line for each row."""
    id = browser.org.one("Report", Name="Required Products")["Id"]
    lines = browser.client.get(f"/lightning/r/Report/{id}/export").text.splitlines()
    assert lines[0].startswith('"Active","Product Name"')
    assert len(lines) == 1 + sum(1 for _ in browser.org.rows("Product2"))


@pytest.mark.parametrize(
    ("view", "there"), [("public", True), ("private", False), ("all", True), ("favorites", False)]
)
def test_the_tab_lists_reports_by_whose_they_are(browser: PageBrowser, view: str, there: bool) -> None:
    """Public, private, all and favorite reports are lists of their own."""
    shown = browser.page("/lightning/o/Report/home", view=view)
    assert ("Required Products" in shown) is there


def test_what_was_saved_or_run_last_comes_first(browser: PageBrowser) -> None:
    """The tab begins with the reports that were looked at, the last one first."""
    Builder(browser, "ProductList").save("Stock of the week")
    browser.page(f"/lightning/r/Report/{browser.id('Report', 'Required Products')}/view")
    shown = browser.page("/lightning/o/Report/home")
    assert "2 items" in shown
    table = shown.partition("<tbody>")[2]
    assert table.index("Required Products") < table.index("Stock of the week")


def test_folders_are_made_used_and_deleted(browser: PageBrowser) -> None:
    """A folder takes reports, is told as a component, and goes when it is empty."""
    address = browser.goes("/lightning/folders/Report/new", Name="Board Papers")
    assert "Board Papers" in browser.page(address)
    place = folder(browser, "Board Papers")
    builder = Builder(browser, "ProductList")
    id = builder.save("For the board", folder=place)
    assert "Board_Papers/For_the_board" in browser.org.components("Report")
    assert "contains reports" in browser.send(f"/lightning/folders/Report/{place}/delete").text
    browser.goes(f"/lightning/r/Report/{id}/delete")
    browser.goes(f"/lightning/folders/Report/{place}/delete")
    assert browser.org.get("Folder", place) is None


def test_report_types_are_found_by_category_and_words(browser: PageBrowser) -> None:
    """The picker lists the types of a category, or those that hold the words."""
    part = browser.part("/lightning/o/Report/new", category="Leads")
    assert "Leads" in part
    assert "Contacts &amp; Accounts" not in part
    assert "Contacts &amp; Accounts" in browser.part("/lightning/o/Report/new", search="contacts")
    assert "Start Report" in browser.part("/lightning/report-type/LeadList")


def test_a_custom_report_type_joins_its_tables(browser: PageBrowser) -> None:
    """A deployed report type offers the columns of its layout, with a row for each related record."""
    tree = {
        "baseObject": "Account",
        "category": "accounts",
        "deployed": True,
        "label": "Accounts and their cases",
        "join": {"outerJoin": False, "relationship": "Cases"},
        "sections": [
            {
                "masterLabel": "All",
                "columns": [
                    {"checkedByDefault": True, "field": "Name", "table": "Account"},
                    {"checkedByDefault": True, "field": "Subject", "table": "Account.Cases"},
                ],
            }
        ],
    }
    browser.org.put_component("ReportType", "Accounts_and_cases", tree)
    builder = Builder(browser, "Accounts_and_cases__c")
    cases = sum(1 for one in browser.org.rows("Case") if one["AccountId"])
    assert f"Previewing {cases} record" in words(builder.page)


def gone(browser: PageBrowser) -> str:
    """Return a saved report of which a group, a column and the first of two filters are on fields that are gone."""
    builder = Builder(browser, "Opportunity")
    builder.do("add_filter", column="TYPE", operator="equals", value="New Customer")
    id = builder.save("Before")
    tree = dict(builder.tree(id))
    kept = tree["filter"]["criteriaItems"]
    tree["columns"] = [*tree["columns"], {"field": "Opportunity.Gone__c"}]
    tree["filter"] = {
        "criteriaItems": [{"column": "Opportunity.Gone__c", "operator": "equals", "value": "1"}, *kept]
    }
    tree["groupingsDown"] = [{"field": "Opportunity.Gone__c", "sortOrder": "Asc"}]
    rules = browser.org.rules.components.pop("Report")
    browser.org.put_component("Report", f"{browser.org.user_id}/Before", tree)
    browser.org.rules.components["Report"] = rules
    return id


def test_a_report_outlives_its_fields(browser: PageBrowser) -> None:
    """The builder leaves out columns and groups of deleted fields, and saves once the filter on one is removed."""
    id = gone(browser)
    builder = Builder(browser, id=id)
    assert "1. Opportunity.Gone__c equals 1" in builder.do("panel", panel="filters")
    assert browser.goes(f"{builder.base}/save").endswith("/edit")
    assert browser.toasts() == ["filters-criteriaItems-column: Invalid value specified: Opportunity.Gone__c"]
    builder.do("remove_filter", number="1")
    browser.goes(f"{builder.base}/save")
    tree = builder.tree(id)
    assert [one["column"] for one in tree["filter"]["criteriaItems"]] == ["TYPE"]
    assert "Gone__c" not in str(tree)
