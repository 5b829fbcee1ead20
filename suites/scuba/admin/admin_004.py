"""Summary report with a chart."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import reports
from ..toolkit.components import others
from ..toolkit.following import OneOf
from ..toolkit.judging import ASKED, Findings, judged, listed
from ..toolkit.kinds import SAID, place
from ..toolkit.lightning import PAGE, choose, enter, named, press, tick
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_PROPERTIES = {"showValues": "Show Values", "showPercentage": "Show Percentages"}
# A chart as the builder proposes it.
_PROPOSED = {
    "chartSummaries": [{"axisBinding": "y", "column": "RowCount"}],
    "legendPosition": "Right",
    "location": "CHART_TOP",
    "size": "Medium",
    "summaryAxisRange": "Auto",
}
# How metadata and builders call a chart.
_TYPES = {"HorizontalBar": "Bar", "VerticalColumn": "Column", "Scatter": "Scatter Plot"}


def case(state: State, random: Random, values: Given) -> Values:
    """Say what the chart looks like."""
    parts = [f"the {_words(values['chart'])} chart", f'the title "{values["title"]}"']
    if values["legend"]:
        parts.append(f"the legend at the {values['legend'].lower()}")
    parts += [f"{_PROPERTIES[name]} switched on" for name in values["switched_on"]]
    return {"chart_words": ", ".join(parts)}


def _words(chart: str) -> str:
    return _TYPES.get(chart, chart)


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a report of the type that is grouped by the field, with this chart."""
    report = reports.new_report(work, case, "Summary", "groupingsDown", "chart")
    yield from reports.begins(case, report)
    yield reports.grouped("grouping", 0.2, report, "groupingsDown", case["group"])
    chart = (report or {}).get("chart") or {}
    kind, title = str(chart.get("chartType") or "none"), str(chart.get("title") or "none")
    proposed = {**_PROPOSED, "groupingColumn": (reports.groups(report, "groupingsDown") or [None])[0]}
    usual = {name: OneOf((None, value)) for name, value in proposed.items()}
    asked = ("chartType", "title", *case["switched_on"], *(["legendPosition"] if case["legend"] else []))
    more = others(chart, *asked, **usual)
    told = f"{case['chart']}, else as it is proposed"
    yield Milestone("chart_type", kind == case["chart"] and not more, 0.2, told, listed([kind, *more]))
    yield Milestone(
        "chart_title",
        SAID.same(title, case["title"], place((report or {}).get("Id"), "chart", "title")),
        0.2,
        case["title"],
        title,
    )
    wanted = dict.fromkeys(case["switched_on"], True)
    wanted |= {"legendPosition": case["legend"]} if case["legend"] else {}
    if wanted:
        seen = {name: chart.get(name) for name in wanted}
        yield Milestone("chart_properties", seen == wanted, ASKED, str(wanted), str(seen))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Exactly one group, type and title; legend and values are not looked at."""
    report, facts = reports.upstream(Records(evidence.after), case)
    yield from facts
    chart = report.get("chart") or {}
    groups = [*reports.groups(report, "groupingsDown"), *reports.groups(report, "groupingsAcross")]
    yield fact("grouping", 0.2, groups == [case["group"]])
    yield fact("chart_type", 0.2, chart.get("chartType") == case["chart"])
    yield fact("chart_title", 0.2, chart.get("title") == case["title"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Group the rows, add the chart, set its properties, and save."""
    await reports.begin_report(pilot, case["type_label"])
    await reports.group_by(pilot, case["group_label"])
    await press(pilot, "Add Chart", PAGE)
    await press(pilot, "Chart Properties", PAGE)
    await tick_type(pilot, _words(case["chart"]))
    await enter(pilot, "Chart Title", case["title"], PAGE)
    if case["legend"]:
        await choose(pilot, "Legend Position", case["legend"])
    for name in case["switched_on"]:
        await tick(pilot, _PROPERTIES[name], PAGE)
    await press(pilot, "Chart Properties", PAGE)
    await reports.save_report(pilot, case["name"], case["folder"])


async def tick_type(pilot: Pilot, words: str) -> None:
    """Choose how the chart is displayed."""
    await pilot.click(f"{named('radio', words, PAGE)} >> xpath=following-sibling::label")


@slip("milestone:chart_type")
def drew_another_chart(case: Case) -> Case:
    """The figures are right, the shape is not."""
    return misread(case, chart="Donut" if case["chart"] == "Funnel" else "Line")


@slip("milestone:grouping")
def grouped_by_the_owner(case: Case) -> Case:
    """Figures of people, and not what was asked for."""
    return misread(case, group=case["other_group"], group_label=case["other_label"])


@slip("milestone:chart_title")
def misspelt_the_title(case: Case) -> Case:
    """The chart is called something else."""
    return misread(case, title=f"{case['title']} chart")
