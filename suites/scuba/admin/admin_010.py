"""Chart of a list view."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import API_NAME, Findings, exists, holds, judged, listed
from ..toolkit.kinds import FIELD
from ..toolkit.lightning import DIALOG, PAGE, choose_in_menu, enter, open_list, pick, press, save
from ..toolkit.records import Records, Row, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

_CHART = {
    "ChartType": "type",
    "AggregateType": "aggregate",
    "GroupingField": "grouping_field",
    "AggregateField": "aggregate_field",
}
_INSTANCE = ("Label", "SourceEntity")


def case(state: State, random: Random, values: Given) -> Values:
    """Find the list view, and another one of the same object."""
    org = Records(state)
    views = {row["Name"]: row["Id"] for row in org.where("ListView", SobjectType=values["object"])}
    others = sorted(name for name in views if name and name != values["list"])
    return {"list_id": views[values["list"]], "other_list": random.choice(others)}


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A chart of the label, whatever its object."""
    org = Records(evidence.after)
    chart = first(org.where("ListViewChart", MasterLabel=case["name"]))
    view = first(org.where("ListView", Name=case["list"]))
    shown = org.where("ListViewChartInstance", ListViewContextId=view.get("Id"), SourceEntity=case["object"])
    yield fact("chart", 0.2, bool(chart))
    yield fact("attached", 0.2, case["name"] in [row.get("Label") for row in shown])
    yield fact("chart_type", 0.2, chart.get("ChartType") == case["type"])
    yield fact("aggregate_type", 0.2, chart.get("AggregateType") == case["aggregate"])
    yield fact("grouping_field", 0.1, chart.get("GroupingField") == case["grouping_field"])
    yield fact("aggregate_field", 0.1, chart.get("AggregateField") == case["aggregate_field"])


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a chart of these settings at the list view."""
    work.free("ListViewChart", DeveloperName=API_NAME)
    fields = {name: case[key] for name, key in _CHART.items()}
    chart = work.closest("ListViewChart", {"Name": case["name"], "SobjectType": case["object"]}, **fields)
    work.claim(chart, "MasterLabel")
    yield exists("chart", 0.2, chart, f"a chart '{case['name']}' of {case['object']}")
    yield _attached(work, case, chart)
    yield holds("chart_type", 0.2, chart, "ChartType", case["type"])
    yield holds("aggregate_type", 0.2, chart, "AggregateType", case["aggregate"])
    yield holds("grouping_field", 0.1, chart, "GroupingField", case["grouping_field"], FIELD)
    yield holds("aggregate_field", 0.1, chart, "AggregateField", case["aggregate_field"], FIELD)


def _attached(work: Work, case: Case, chart: Row | None) -> Milestone:
    instances = work.made("ListViewChartInstance", SourceEntity=case["object"])
    ours = [row for row in instances if chart and same(row.get("Label"), case["name"])]
    views = [str(row.get("ListViewContextId")) for row in ours]
    for row in ours:
        work.claim(row, "ListViewContextId", *_INSTANCE, ListViewChartId=chart["Id"] if chart else None)
    names = listed(work.after.name("ListView", id) for id in views)
    return Milestone(
        "attached", views == [case["list_id"]], 0.2, f"on the list view '{case['list']}' only", names
    )


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the charts of the list view and make one."""
    await open_list(pilot, case["plural"], case["list"])
    await press(pilot, "Show charts", PAGE)
    await choose_in_menu(pilot, "Chart Settings", "New Chart")
    await pick(pilot, "Chart Type", case["type_words"])
    await enter(pilot, "Chart Name", case["name"])
    await pick(pilot, "Aggregate Type", case["aggregate_words"])
    await pick(pilot, "Aggregate Field", case["aggregate_label"])
    await pick(pilot, "Grouping Field", case["grouping_label"])
    await save(pilot, within=DIALOG)


@slip("milestone:grouping_field", 0.9)
def grouped_another_way(case: Case) -> Case:
    """The figures are added up by somebody who has nothing to do with it."""
    field = f"{case['object']}.LastModifiedById"
    return misread(case, grouping_field=field, grouping_label="Last Modified By")


@slip("milestone:chart_type", 0.8)
def drew_another_shape(case: Case) -> Case:
    """The figures are right, the shape is not."""
    type, words = ("hbar", "Horizontal Bar") if case["type"] != "hbar" else ("vbar", "Vertical Bar")
    return misread(case, type=type, type_words=words)


@slip("milestone:attached", 0.8)
def charted_another_list(case: Case) -> Case:
    """The chart is right, and of other records."""
    return misread(case, list=case["other_list"])


@slip("milestone:chart", 0.0)
def misspelt_the_chart(case: Case) -> Case:
    """Nobody finds a chart of this name."""
    return misread(case, name=f"{case['name']} (new)")
