"""Bucket columns of reports: in the builder, in runs, in the Analytics API and in metadata."""

from __future__ import annotations

from typing import Any

import pytest

from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.registry import TYPES
from salesforce_org.reports.definition import Report
from salesforce_org.reports.running import Run, run
from salesforce_org.reports.types import report_type
from salesforce_org.store import Org

from .pages_client import PageBrowser, signed_in, words
from .report_builder import Builder
from .small_org import Tool, tool

ACCOUNTS = (
    ("A", "Retail", 10.0),
    ("B", "Media", 100.0),
    ("C", "Energy", 101.0),
    ("D", None, 5000.0),
    ("E", "Retail", None),
)
SIZES = [
    {"sourceValues": [{"to": "100"}], "value": "Small"},
    {"sourceValues": [{"from": "100", "to": "1000"}], "value": "Middle"},
    {"sourceValues": [{"from": "1000"}], "value": "Large"},
]
TRADES = [{"sourceValues": [{"sourceValue": "Retail"}, {"sourceValue": "Media"}], "value": "Consumers"}]


@pytest.fixture
def browser() -> PageBrowser:
    """A browser of the administrator."""
    return signed_in()


@pytest.fixture
def org() -> Tool:
    """A client of an org with five accounts."""
    made = tool()
    for row in list(made.session.org.rows("Account")):
        made.session.org.delete(row["Id"])
    for name, industry, revenue in ACCOUNTS:
        made.session.org.insert("Account", Name=name, Industry=industry, AnnualRevenue=revenue)
    return made


def bucket(type: str, source: str, values: Any, **more: Any) -> dict[str, Any]:
    """Return the tree of a bucket column."""
    told = {"bucketType": type, "developerName": "BucketField_1", "masterLabel": "Kind"}
    return {
        **told,
        "nullTreatment": "n",
        "sourceColumnName": source,
        "useOther": False,
        "values": values,
        **more,
    }


def tree(told: dict[str, Any]) -> dict[str, Any]:
    """Return a report on accounts in the groups of a bucket column."""
    return {
        "buckets": [told],
        "columns": [{"field": "ACCOUNT.NAME"}],
        "format": "Summary",
        "groupingsDown": [{"field": "BucketField_1", "sortOrder": "Asc"}],
        "name": "Kinds",
        "reportType": "AccountList",
    }


def ran(org: Org, told: dict[str, Any]) -> Run:
    """Run a report on accounts in the groups of a bucket column."""
    type = report_type(org, "AccountList")
    assert type is not None
    return run(org, Report(type, tree(told)))


@pytest.mark.parametrize(
    ("told", "groups"),
    [
        (bucket("number", "SALES", SIZES), {"-": "E", "Small": "AB", "Middle": "C", "Large": "D"}),
        (bucket("number", "SALES", SIZES, nullTreatment="z"), {"Small": "ABE", "Middle": "C", "Large": "D"}),
        (bucket("picklist", "INDUSTRY", TRADES), {"-": "D", "Consumers": "ABE", "Energy": "C"}),
        (
            bucket("picklist", "INDUSTRY", TRADES, useOther=True, otherBucketLabel="Rest"),
            {"Consumers": "ABE", "Rest": "CD"},
        ),
        (
            bucket(
                "text",
                "ACCOUNT.NAME",
                [{"sourceValues": [{"sourceValue": "a"}], "value": "First"}],
                useOther=True,
            ),
            {"First": "A", "Other": "BCDE"},
        ),
    ],
)
def test_rows_are_put_into_buckets(org: Tool, told: dict[str, Any], groups: dict[str, str]) -> None:
    """Ranges end with their upper bound, values go by name, and the rest is in Other, itself or nowhere."""
    found = ran(org.session.org, told)
    names = {
        group.label: "".join(sorted(found.cells(row)[0].text for row in group.rows))
        for group in found.down.groups
    }
    assert names == groups


def test_buckets_are_in_their_order(org: Tool) -> None:
    """Groups of buckets come in the order of the buckets, not of their names."""
    found = ran(org.session.org, bucket("number", "SALES", SIZES))
    assert [group.label for group in found.down.groups] == ["-", "Small", "Middle", "Large"]


# The builder


def test_numbers_are_bucketed_in_the_builder(browser: PageBrowser) -> None:
    """The dialog takes upper bounds and names, and the column is shown, grouped and filtered."""
    builder = Builder(browser, "Opportunity")
    builder.do("frame", column="CLOSE_DATE", interval="INTERVAL_CUSTOM")
    values = {"upper": ["$100,000", "200000"], "bucket": ["Small", "Middle", "Large"]}
    browser.goes(f"{builder.base}/bucket", source="AMOUNT", label="Size", zero="true", **values)
    assert "Size" in browser.page(f"{builder.base}/edit")
    asked = browser.part(f"{builder.base}/filter", column="BucketField_1")
    assert all(name in asked for name in values["bucket"])
    builder.do("add_filter", column="BucketField_1", operator="equals", value=["Small", "Large"])
    deals = [row["Amount"] or 0 for row in browser.org.rows("Opportunity")]
    count = sum(amount <= 100_000 or amount > 200_000 for amount in deals)
    assert f"Previewing {count} record" in builder.do("group", field="BucketField_1", side="down")
    (told,) = builder.tree(builder.save("Sizes"))["buckets"]
    ends = [{"to": "100000"}, {"from": "100000", "to": "200000"}, {"from": "200000"}]
    assert [one["sourceValues"][0] for one in told["values"]] == ends
    assert (told["nullTreatment"], told["sourceColumnName"]) == ("z", "AMOUNT")


def test_values_are_moved_to_buckets(browser: PageBrowser) -> None:
    """Buckets are added and removed in the dialog, chosen values moved, and Apply stores what it holds."""
    builder = Builder(browser, "LeadList")
    address = f"{builder.base}/bucket"
    assert "Unbucketed Values" in browser.part(address, source="LEAD_SOURCE")
    values = {"source": "LEAD_SOURCE", "label": "Way", "value": ["Web", "Other"], "place": ["", ""]}
    added = browser.send(address, step="add", **values).text
    assert 'value="Bucket 1"' in added
    moved = browser.send(address, step="move 0", bucket="Online", chosen="Web", **values).text
    assert 'name="value" value="Web"><input type="hidden" name="place" value="0">' in moved
    values |= {"place": ["0", ""]}
    removed = browser.send(address, step="remove 0", bucket="Online", **values).text
    assert 'name="value" value="Web"><input type="hidden" name="place" value="">' in removed
    browser.goes(address, bucket="Online", other="true", **values)
    (told,) = builder.tree(builder.save("Ways"))["buckets"]
    assert told["values"] == [{"sourceValues": [{"sourceValue": "Web"}], "value": "Online"}]
    assert (told["bucketType"], told["useOther"], told["otherBucketLabel"]) == ("picklist", True, "Other")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"source": ""}, "Select a field of the list."),
        ({"source": "CLOSE_DATE"}, "Select a field of the list."),
        ({"label": ""}, "Enter a column name."),
        ({"upper": ["much"]}, "Enter a number."),
        ({"upper": ["5", "2"], "bucket": ["a", "b", "c"]}, "Enter the ranges in ascending order."),
        ({"bucket": ["Same", "same"]}, "Give each bucket a name of its own."),
        ({"bucket": []}, "Add at least one bucket"),
        ({"upper": list("123456789" * 3), "bucket": list("abcdefghijklmnopqrstuvwxyz")}, "at most 20"),
    ],
)
def test_buckets_that_cannot_be_stay_in_the_dialog(
    browser: PageBrowser, values: dict[str, Any], sentence: str
) -> None:
    """Apply shows one sentence, and the report has no bucket column."""
    builder = Builder(browser, "Opportunity")
    given = {"source": "AMOUNT", "label": "Size", "upper": ["5"], "bucket": ["Small", "Large"]}
    assert sentence in words(browser.send(f"{builder.base}/bucket", **{**given, **values}).text)
    assert "BucketField_1" not in browser.page(f"{builder.base}/edit")


def test_a_bucket_column_that_a_filter_uses_stays(browser: PageBrowser) -> None:
    """A bucket column is removed once no filter uses it."""
    builder = Builder(browser, "Opportunity")
    values = {"upper": ["5"], "bucket": ["Small", "Large"]}
    browser.goes(f"{builder.base}/bucket", source="AMOUNT", label="Size", **values)
    builder.do("add_filter", column="BucketField_1", operator="equals", value="Small")
    assert "Remove the filter first." in builder.do("remove_column", field="BucketField_1")
    builder.do("remove_filter", number="1")
    builder.do("remove_column", field="BucketField_1")
    assert "buckets" not in builder.tree(builder.save("Sizes"))


# Tools


def test_the_analytics_api_tells_buckets(org: Tool) -> None:
    """A bucket field is described as it was created, and a run has its groups."""
    field = {
        "bucketType": "number",
        "devloperName": "BucketField_1",
        "label": "Size",
        "nullTreatedAsZero": True,
        "otherBucketLabel": None,
        "sourceColumnName": "SALES",
        "values": [
            {"label": "Small", "rangeUpperBound": 1234567.5, "sourceDimensionValues": None},
            {"label": "Large", "rangeUpperBound": None, "sourceDimensionValues": None},
        ],
    }
    told = {
        "name": "Sizes",
        "buckets": [field],
        "reportFormat": "SUMMARY",
        "reportType": {"type": "AccountList"},
        "detailColumns": ["ACCOUNT.NAME"],
        "groupingsDown": [{"name": "BucketField_1", "sortOrder": "Asc"}],
        "scope": "organization",
    }
    answered = org.call("POST", "/analytics/reports", json={"reportMetadata": told}).json()
    assert answered["reportMetadata"]["buckets"] == [field]
    info = answered["reportExtendedMetadata"]["groupingColumnInfo"]["BucketField_1"]
    assert (info["label"], info["dataType"]) == ("Size", "string")
    found = org.call("GET", f"/analytics/reports/{answered['reportMetadata']['id']}").json()
    assert [one["label"] for one in found["groupingsDown"]["groupings"]] == ["Small"]


@pytest.mark.parametrize(
    "told",
    [
        bucket("picklist", "INDUSTRY", TRADES, useOther=True, otherBucketLabel="Rest"),
        bucket("number", "SALES", SIZES),
    ],
)
def test_buckets_are_deployed_and_retrieved(browser: PageBrowser, told: dict[str, Any]) -> None:
    """What a component says of buckets comes back as it was."""
    source = TYPES["Report"].source
    source.write(browser.org, "unfiled$public/Kinds", tree(told))
    assert (source.read(browser.org, "unfiled$public/Kinds") or {})["buckets"] == [told]


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        (bucket("text", "SALES", TRADES), "Kind: SALES can't be bucketed by text."),
        (bucket("number", "NOTHING", SIZES), "Kind: NOTHING can't be bucketed by number."),
        (bucket("number", "SALES", SIZES[::-1]), "Kind: Enter the ranges in ascending order."),
        (bucket("number", "SALES", SIZES, developerName="Size"), "must begin with BucketField_"),
    ],
)
def test_buckets_that_cannot_be_are_not_deployed(
    browser: PageBrowser, told: dict[str, Any], sentence: str
) -> None:
    """A bucket column that does not fit its source is refused with one sentence."""
    with pytest.raises(MetadataError, match=sentence):
        TYPES["Report"].source.write(browser.org, "unfiled$public/Kinds", {**tree(told), "groupingsDown": []})
