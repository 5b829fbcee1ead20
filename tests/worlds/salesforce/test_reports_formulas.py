"""Formulas of reports: of groups and of rows, in the builder, in runs, in the Analytics API and in metadata."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.registry import TYPES
from salesforce_org.pages.reports.drawing import drawn
from salesforce_org.reports.definition import Report
from salesforce_org.reports.running import Run, run
from salesforce_org.reports.types import report_type
from salesforce_org.store import Org

from .pages_client import PageBrowser, signed_in, words
from .report_builder import Builder
from .small_org import Tool, tool

DEALS = (("Big", "Prospecting", 300.0), ("Small", "Prospecting", 100.0), ("Old", "Closed Won", 600.0))


@pytest.fixture
def browser() -> PageBrowser:
    """A browser of the administrator."""
    return signed_in()


@pytest.fixture
def builder(browser: PageBrowser) -> Builder:
    """A builder on opportunities by stage."""
    made = Builder(browser, "Opportunity")
    made.do("frame", column="CLOSE_DATE", interval="INTERVAL_CUSTOM")
    made.do("group", field="STAGE_NAME", side="down")
    return made


@pytest.fixture
def org() -> Tool:
    """A client of an org with three deals in two stages."""
    made = tool()
    insert(made.session.org, DEALS)
    return made


def insert(org: Org, deals: Any) -> None:
    """Insert deals of a name, a stage and an amount."""
    for name, stage, amount in deals:
        more = {"StageName": stage, "IsPrivate": stage == "Closed Won", "Amount": amount}
        org.insert("Opportunity", Name=name, CloseDate="2026-01-15", **more)


def summary(text: str, type: str = "number", scale: int = 2, **more: Any) -> dict[str, Any]:
    """Return the tree of a summary formula."""
    told = {"calculatedFormula": text, "datatype": type, "developerName": "FORMULA1", "isActive": True}
    return {**told, "masterLabel": "Formula", "scale": str(scale), **more}


def tree(**more: Any) -> dict[str, Any]:
    """Return a report on opportunities by stage."""
    return {
        "columns": [{"field": "OPPORTUNITY_NAME"}],
        "format": "Summary",
        "groupingsDown": [{"field": "STAGE_NAME", "sortOrder": "Asc"}],
        "name": "Deals",
        "reportType": "Opportunity",
        **more,
    }


def ran(org: Org, **more: Any) -> Run:
    """Run a report on opportunities."""
    type = report_type(org, "Opportunity")
    assert type is not None
    return run(org, Report(type, tree(**more)))


def figures(found: Run) -> list[str]:
    """Return the formula's texts, group by group, and that of all rows."""
    (one,) = (one for one in found.report.summaries if one.formula)
    return [found.figure(one, group).text for group in (*found.down.groups, found.down)]


# Runs


@pytest.mark.parametrize(
    ("text", "type", "shown"),
    [
        ("AMOUNT:SUM / RowCount", "currency", ["$200.00", "$600.00", "$333.33"]),
        ("AMOUNT:MAX - AMOUNT:MIN", "number", ["200.00", "0.00", "500.00"]),
        ("PRIVATE:SUM / RowCount", "percent", ["0.00%", "100.00%", "33.33%"]),
        ("STAGE_NAME:UNIQUE * AMOUNT:AVG", "number", ["200.00", "600.00", "666.67"]),
        ("IF(AMOUNT:SUM > 500, AMOUNT:MEDIAN, -1)", "number", ["-1.00", "600.00", "300.00"]),
        ("1 / (RowCount - 2)", "number", ["#Error!", "-1.00", "1.00"]),
    ],
)
def test_a_summary_formula_is_computed_for_each_group(
    org: Tool, text: str, type: str, shown: list[str]
) -> None:
    """Figures of columns and the number of rows are those of the group; a division by zero is an error."""
    assert figures(ran(org.session.org, aggregates=[summary(text, type)])) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("AMOUNT:SUM / PARENTGROUPVAL(AMOUNT:SUM, GRAND_SUMMARY)", ["0.40", "0.60", ""]),
        ("PREVGROUPVAL(AMOUNT:SUM, STAGE_NAME)", ["-", "400.00", ""]),
        ("BLANKVALUE(PREVGROUPVAL(RowCount, STAGE_NAME, 2), 7)", ["7.00", "7.00", ""]),
    ],
)
def test_groups_are_compared(org: Tool, text: str, shown: list[str]) -> None:
    """PARENTGROUPVAL has the value of a group around, PREVGROUPVAL that of a group before, or none."""
    found = ran(org.session.org, aggregates=[summary(text, downGroupingContext="STAGE_NAME")])
    assert figures(found) == shown


def test_a_matrix_is_compared_along_both_sides(org: Tool) -> None:
    """Rows and columns of a matrix have totals of their own."""
    names = {"field": "OPPORTUNITY_NAME", "sortOrder": "Asc"}
    text = "AMOUNT:SUM / PARENTGROUPVAL(AMOUNT:SUM, {})"
    context = {"downGroupingContext": "STAGE_NAME", "acrossGroupingContext": "OPPORTUNITY_NAME"}
    shares = {}
    for levels in ("STAGE_NAME, COLUMN_GRAND_SUMMARY", "ROW_GRAND_SUMMARY", "GRAND_SUMMARY"):
        formula = summary(text.format(levels), **context)
        more = {"format": "Matrix", "columns": [], "groupingsAcross": [names], "aggregates": [formula]}
        found = ran(org.session.org, **more)
        stage, deal = found.down.groups[0], found.across.groups[0]
        shares[levels] = found.figure(found.report.summaries[0], stage, deal).value
    assert list(shares.values()) == [0.75, 1.0, 0.3]


amounts = st.integers(0, 10**9).map(lambda cents: cents / 100)


@settings(max_examples=25)
@given(
    st.lists(st.tuples(st.sampled_from(["Prospecting", "Qualification", "Closed Won"]), amounts), min_size=1)
)
def test_a_summary_formula_equals_the_same_computation(rows: list[tuple[str, float]]) -> None:
    """Over any rows a formula gives what Python computes of the same numbers."""
    org = tool().session.org
    insert(org, [(f"Deal {number}", *row) for number, row in enumerate(rows)])
    text = "AMOUNT:SUM / RowCount + PARENTGROUPVAL(AMOUNT:MAX, GRAND_SUMMARY) - AMOUNT:MIN"
    found = ran(org, aggregates=[summary(text, downGroupingContext="STAGE_NAME")])
    top = max(Decimal(str(amount)) for _, amount in rows)
    for group in found.down.groups:
        own = [Decimal(str(amount)) for stage, amount in rows if stage == group.label]
        expected = (sum(own) / len(own) + top - min(own)).quantize(Decimal("0.01"), ROUND_HALF_UP)
        assert found.figure(found.report.summaries[0], group).text == f"{expected:,}"


@pytest.mark.parametrize("side", ["groupingsDown", "groupingsAcross"])
@pytest.mark.parametrize("first", ["STAGE_NAME", "OPPORTUNITY_NAME"])
def test_a_stacked_chart_is_divided_by_the_other_group(org: Tool, side: str, first: str) -> None:
    """Each bar is a group across all others, and its parts those of the second group, on whatever side they are."""
    groups = {"groupingsDown": [{"field": "STAGE_NAME"}]}
    groups[side] = [*groups.get(side, []), {"field": "OPPORTUNITY_NAME"}]
    found = ran(org.session.org, columns=[], aggregates=[summary("AMOUNT:SUM / RowCount", scale=0)], **groups)
    (second,) = {"STAGE_NAME", "OPPORTUNITY_NAME"} - {first}
    told = {"chartSummaries": [{"column": "FORMULA1"}], "chartType": "VerticalColumnStacked"}
    chart = drawn(found, {**told, "groupingColumn": first, "secondaryGroupingColumn": second})
    assert chart is not None
    pairs = [(stage, name) if first == "STAGE_NAME" else (name, stage) for name, stage, _ in DEALS]
    expected = {
        f"{one}, {other}: {amount:.0f}" for (one, other), (_, _, amount) in zip(pairs, DEALS, strict=True)
    }
    assert {shape.title for shape in chart.shapes if shape.title} == expected


@settings(max_examples=15)
@given(st.lists(st.tuples(st.sampled_from(["Prospecting", "Closed Won"]), st.integers(1, 999)), min_size=1))
def test_differences_add_up_to_the_last_group(rows: list[tuple[str, int]]) -> None:
    """The differences of all groups from the group before are together what the last group has."""
    org = tool().session.org
    insert(org, [(f"Deal {number % 4}", *row) for number, row in enumerate(rows)])
    text = "AMOUNT:SUM - BLANKVALUE(PREVGROUPVAL(AMOUNT:SUM, OPPORTUNITY_NAME), 0)"
    inner = [{"field": "STAGE_NAME"}, {"field": "OPPORTUNITY_NAME"}]
    formula = summary(text, downGroupingContext="OPPORTUNITY_NAME")
    found = ran(org, columns=[], groupingsDown=inner, aggregates=[formula])
    for stage in found.down.groups:
        differences = [found.figure(found.report.summaries[0], one).value or 0 for one in stage.groups]
        assert sum(differences) == sum(rows[number][1] for number in stage.groups[-1].rows)


def test_a_row_level_formula_is_a_column(org: Tool) -> None:
    """A formula of each row is shown, grouped, summarized and used by summary formulas as a column is."""
    formula = {"calculatedFormula": "AMOUNT * 2", "dataType": "Double", "developerName": "CDF1"}
    found = ran(
        org.session.org,
        columns=[{"aggregateTypes": ["Sum"], "field": "CDF1"}],
        customDetailFormulas=[{**formula, "label": "Double", "scale": "1"}],
        aggregates=[summary("CDF1:SUM - AMOUNT:SUM")],
    )
    assert sorted(cell.text for number in range(3) for cell in found.cells(number)) == [
        "1,200.0",
        "200.0",
        "600.0",
    ]
    assert found.figure(found.report.summaries[0]).text == "2,000.0"
    assert figures(found) == ["400.00", "600.00", "1,000.00"]


# The builder


def test_a_summary_formula_is_added_in_the_builder(browser: PageBrowser, builder: Builder) -> None:
    """The dialog stores the formula, which is a column of the preview, and opens again on what is stored."""
    given = {"label": "Mean", "type": "currency", "scale": "0", "formula": "AMOUNT:SUM / RowCount"}
    assert browser.goes(f"{builder.base}/formula/summary", display="all", **given).endswith("/edit")
    assert "Mean" in words(
        browser.page(f"{builder.base}/edit").partition("<thead>")[2].partition("</thead>")[0]
    )
    assert "AMOUNT:SUM / RowCount" in browser.part(f"{builder.base}/formula/summary", name="FORMULA1")
    (told,) = builder.tree(builder.save("Means"))["aggregates"]
    assert (told["developerName"], told["datatype"], told["scale"]) == ("FORMULA1", "currency", "0")


@pytest.mark.parametrize(
    ("kind", "formula", "sentence"),
    [
        ("summary", "AMOUNT:SUM / RowCount", "No syntax errors in merge fields or functions."),
        ("summary", "AMOUNT:TOTAL", "Field AMOUNT:TOTAL does not exist. Check spelling."),
        ("summary", "AMOUNT", "Field AMOUNT does not exist. Check spelling."),
        ("summary", "STAGE_NAME:SUM", "Field STAGE_NAME:SUM does not exist. Check spelling."),
        ("summary", "RowCount = 1", "incompatible with expected data type (Number)."),
        ("summary", 'PARENTGROUPVAL(RowCount, "GRAND_SUMMARY")', "Expected Grouping Level, received Text"),
        ("summary", "PREVGROUPVAL(RowCount, TYPE)", "Field TYPE does not exist. Check spelling."),
        ("summary", "PREVGROUPVAL(RowCount, STAGE_NAME)", "You must select a grouping context"),
        ("row", "CLOSE_DATE - DATEVALUE(CREATED_DATE)", "No syntax errors in merge fields or functions."),
        ("row", "AMOUNT:SUM", "Field AMOUNT:SUM does not exist. Check spelling."),
        ("row", "OPPORTUNITY_NAME", "incompatible with expected data type (Number)."),
        ("row", "AMOUNT + AGE + PROBABILITY + SALES + EMPLOYEES + EXP_AMOUNT", "can reference 5 fields."),
    ],
)
def test_the_dialog_validates(
    browser: PageBrowser, builder: Builder, kind: str, formula: str, sentence: str
) -> None:
    """Validate says what is wrong in the formula language's own sentences, or that nothing is."""
    told = browser.send(f"{builder.base}/formula/{kind}/check", formula=formula, type="").text
    assert sentence in words(told)


@pytest.mark.parametrize(
    ("kind", "values", "sentence"),
    [
        ("summary", {"label": "", "formula": "RowCount"}, "Enter a column name."),
        ("summary", {"label": "Odd", "formula": "RowCount +"}, "Odd: Syntax error"),
        ("summary", {"label": "Odd", "formula": "RowCount", "scale": "40"}, "from 0 to 18"),
        ("row", {"label": "Odd", "formula": ""}, "Odd: You must enter a value"),
    ],
)
def test_a_formula_that_cannot_be_stays_in_the_dialog(
    browser: PageBrowser, builder: Builder, kind: str, values: dict[str, str], sentence: str
) -> None:
    """Apply shows one sentence, and the report keeps no formula."""
    assert sentence in words(browser.send(f"{builder.base}/formula/{kind}", **values).text)
    assert "Odd" not in browser.page(f"{builder.base}/edit")


def test_a_report_has_one_row_level_formula(browser: PageBrowser, builder: Builder) -> None:
    """A second row-level formula is refused, the first is changed and removed with its column."""
    address = f"{builder.base}/formula/row"
    browser.goes(address, label="Days", type="Double", scale="0", formula="AGE + 1")
    second = browser.send(address, label="More", type="Double", scale="0", formula="AGE + 2").text
    assert "A report can have 1 row-level formula." in second
    browser.goes(address, name="CDF1", label="Days", type="Double", scale="0", formula="AGE + 3")
    id = builder.save("Days of deals")
    assert builder.tree(id)["customDetailFormulas"][0]["calculatedFormula"] == "AGE + 3"
    again = Builder(browser, id=id)
    again.do("remove_column", field="CDF1")
    browser.goes(f"{again.base}/save")
    assert "customDetailFormulas" not in again.tree(id)


def test_insert_field_offers_figures_and_groups(browser: PageBrowser, builder: Builder) -> None:
    """Insert Field leads from a section to a column and its figures, and to the levels of groups."""
    address = f"{builder.base}/formula/summary/fields"
    assert 'data-insert="RowCount"' in browser.part(address)
    assert 'data-path="AMOUNT"' in browser.part(f"{address}?path=Opportunity Information")
    assert 'data-insert="AMOUNT:SUM"' in browser.part(f"{address}?path=AMOUNT")
    assert 'data-insert="STAGE_NAME"' in browser.part(f"{address}?path=GRAND_SUMMARY")
    rows = browser.part(f"{builder.base}/formula/row/fields?path=Opportunity Information")
    assert 'data-insert="AMOUNT"' in rows


def test_a_group_that_a_formula_names_stays(browser: PageBrowser, builder: Builder) -> None:
    """A group is not removed while a formula compares with it, and the builder says why."""
    formula = "PREVGROUPVAL(RowCount, STAGE_NAME)"
    values = {"label": "Before", "formula": formula, "display": "groups", "down": "STAGE_NAME"}
    browser.goes(f"{builder.base}/formula/summary", **values)
    assert "Before: Field STAGE_NAME does not exist." in builder.do("ungroup", field="STAGE_NAME")
    builder.do("remove_formula", name="FORMULA1")
    assert "Before" not in builder.do("ungroup", field="STAGE_NAME")


def test_a_chart_and_a_widget_show_a_formula(browser: PageBrowser, builder: Builder) -> None:
    """A summary formula is a figure that charts and dashboards can show."""
    browser.goes(
        f"{builder.base}/formula/summary", label="Mean", formula="AMOUNT:SUM / RowCount", display="all"
    )
    builder.do("add_chart")
    builder.do("chart", chartType="VerticalColumn", grouping="STAGE_NAME", summary="FORMULA1")
    id = builder.save("Means")
    assert builder.tree(id)["chart"]["chartSummaries"] == [{"axisBinding": "y", "column": "FORMULA1"}]
    assert "Stage / Mean" in words(browser.page(f"/lightning/r/Report/{id}/view"))
    base = browser.goes("/lightning/o/Dashboard/new", Title="Board").removesuffix("/edit")
    browser.goes(f"{base}/widget", kind="Metric", report=id, summary="FORMULA1")
    found = ran(browser.org, aggregates=[summary("AMOUNT:SUM / RowCount", scale=0)])
    shown = found.figure(found.report.summaries[0]).text
    assert f">{shown}<" in browser.page(f"{base}/edit")
    assert '<option value="FORMULA1" selected>' in browser.part(f"{base}/widget", number="1")


# Tools

SHARE = {
    "acrossGroup": None,
    "acrossGroupType": "all",
    "decimalPlaces": 1,
    "description": "Part of all",
    "downGroup": "STAGE_NAME",
    "downGroupType": "custom",
    "formula": "AMOUNT:SUM / PARENTGROUPVAL(AMOUNT:SUM, GRAND_SUMMARY)",
    "formulaType": "percent",
    "label": "Share",
}
API = {
    "name": "Deals",
    "reportFormat": "SUMMARY",
    "reportType": {"type": "Opportunity"},
    "detailColumns": ["OPPORTUNITY_NAME", "CDF1"],
    "aggregates": ["a!CDF1", "FORMULA1", "RowCount"],
    "groupingsDown": [{"name": "STAGE_NAME", "sortOrder": "Asc", "dateGranularity": "None"}],
    "customDetailFormula": {
        "CDF1": {
            "dataType": "double",
            "decimalPlaces": 0,
            "description": None,
            "formula": "AMOUNT * 2",
            "formulaType": "number",
            "label": "Twice",
        }
    },
    "customSummaryFormula": {"FORMULA1": SHARE},
    "scope": "organization",
}


def create(org: Tool, **changes: Any) -> Any:
    """Create a report over the Analytics API and return what it answers."""
    return org.call("POST", "/analytics/reports", json={"reportMetadata": {**API, **changes}})


def test_the_analytics_api_tells_formulas(org: Tool) -> None:
    """A definition is described as it was created, and a run has the formulas' values in its fact map."""
    told = create(org).json()
    for name in ("aggregates", "customDetailFormula", "customSummaryFormula", "detailColumns"):
        assert told["reportMetadata"][name] == API[name], name
    info = told["reportExtendedMetadata"]["aggregateColumnInfo"]["FORMULA1"]
    assert (info["label"], info["dataType"], info["downGroupingContext"]) == (
        "Share",
        "percent",
        "STAGE_NAME",
    )
    facts = org.call("GET", f"/analytics/reports/{told['reportMetadata']['id']}").json()["factMap"]
    assert facts["0!T"]["aggregates"][1] == {"label": "40.0%", "value": 40.0}
    assert facts["T!T"]["aggregates"][1] == {"label": "-", "value": None}
    assert facts["0!T"]["rows"][0]["dataCells"][1] == {"label": "600", "value": 600.0}


def test_an_aggregate_that_is_left_out_is_not_shown(org: Tool) -> None:
    """A summary formula that the aggregates do not name is kept, and not shown."""
    told = create(org, aggregates=["RowCount"]).json()["reportMetadata"]
    assert told["aggregates"] == ["RowCount"]
    assert list(told["customSummaryFormula"]) == ["FORMULA1"]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"aggregates": ["FORMULA2"]}, "There is no aggregate FORMULA2."),
        (
            {"customDetailFormula": {"CDF1": {"formula": "AMONT", "formulaType": "number", "label": "Odd"}}},
            "Field AMONT does not exist.",
        ),
        ({"customSummaryFormula": {"FORMULA1": {"label": "Odd"}}}, "cannot be read"),
        ({"customSummaryFormula": {"FORMULA1": {**SHARE, "decimalPlaces": "few"}}}, "cannot be read"),
        ({"customSummaryFormula": {"FORMULA1": {**SHARE, "downGroup": "TYPE"}}}, "has no group TYPE."),
    ],
)
def test_a_tool_is_told_what_is_wrong_with_a_formula(org: Tool, changes: Any, sentence: str) -> None:
    """A formula that cannot be is a bad request with one sentence."""
    answered = create(org, **changes)
    assert answered.status_code == 400
    assert sentence in answered.text


def test_formulas_are_deployed_and_retrieved(browser: PageBrowser) -> None:
    """What a component says of formulas comes back as it was, and what a report cannot have is refused."""
    org, source = browser.org, TYPES["Report"].source
    row = {"calculatedFormula": "AMOUNT * 2", "dataType": "Double", "developerName": "CDF1", "label": "Twice"}
    told = tree(
        aggregates=[summary("AMOUNT:SUM / RowCount", description="Mean", isCrossBlock=False)],
        columns=[{"field": "OPPORTUNITY_NAME"}, {"field": "CDF1"}],
        customDetailFormulas=[{**row, "scale": "0"}],
    )
    source.write(org, "unfiled$public/Deals", told)
    read = source.read(org, "unfiled$public/Deals") or {}
    for name in ("aggregates", "customDetailFormulas", "columns"):
        assert read[name] == told[name], name
    with pytest.raises(MetadataError, match="Formula: Field AMONT:SUM does not exist"):
        source.write(org, "unfiled$public/Odd", tree(aggregates=[summary("AMONT:SUM")]))
