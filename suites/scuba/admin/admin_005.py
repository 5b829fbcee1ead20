"""Matrix report."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import reports
from ..toolkit.components import others
from ..toolkit.judging import Findings, judged, listed
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

# What builders call a way to summarize, and metadata.
_WAYS = {"Sum": "Sum", "Average": "Average", "Max": "Maximum", "Min": "Minimum"}


def case(state: State, random: Random, values: Given) -> Values:
    """No preconditions; the report is to be made."""
    return {"other_way": "Min" if values["way"] != "Min" else "Max"}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a report of the type with both groups and this summary only."""
    report = reports.new_report(work, case, "Matrix", "columns", "groupingsDown", "groupingsAcross")
    yield from reports.begins(case, report)
    yield reports.grouped("row_group", 0.2, report, "groupingsDown", case["down"])
    yield reports.grouped("column_group", 0.2, report, "groupingsAcross", case["across"])
    found, wanted = _summaries(report), f"{case['column']} {_WAYS[case['way']]}"
    columns = (report or {}).get("columns") or ()
    alone = found == [wanted] and not any(others(one, "field", "aggregateTypes") for one in columns)
    yield Milestone("summary", alone, 0.2, f"{wanted} only", listed(found))


def _summaries(report: Row | None) -> list[str]:
    columns = (report or {}).get("columns") or ()
    return [f"{one['field']} {how}" for one in columns for how in one.get("aggregateTypes") or ()]


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first two groups, and the summary by its key and by the beginning of its label."""
    report, facts = reports.upstream(Records(evidence.after), case)
    yield from facts
    groups = [*reports.groups(report, "groupingsDown"), *reports.groups(report, "groupingsAcross")]
    there = f"{case['column']} {_WAYS[case['way']]}" in _summaries(report)
    yield fact("row_group", 0.2, groups[:1] == [case["down"]])
    yield fact("column_group", 0.2, groups[1:2] == [case["across"]])
    yield fact("summary_key", 0.1, there)
    yield fact("summary_label", 0.1, there)


async def solve(pilot: Pilot, case: Case) -> None:
    """Summarize the column, group rows and columns, and save."""
    await reports.begin_report(pilot, case["type_label"])
    if case["add"]:
        await reports.add_column(pilot, case["column_label"])
    await reports.from_column(pilot, case["column_label"], case["way"])
    await reports.group_by(pilot, case["down_label"])
    await reports.group_by(pilot, case["across_label"], "column")
    await reports.save_report(pilot, case["name"], case["folder"])


@slip("milestone:row_group", 0.636)
def swapped_the_groups(case: Case) -> Case:
    """Rows and columns are the wrong way round."""
    groups = {"down": case["across"], "down_label": case["across_label"]}
    return misread(case, **groups, across=case["down"], across_label=case["down_label"])


@slip("milestone:summary", 0.818)
def summarized_another_way(case: Case) -> Case:
    """The column is right, the figure is not."""
    return misread(case, way=case["other_way"])
