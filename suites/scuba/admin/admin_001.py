"""Report with filters."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import reports
from ..toolkit.judging import ASKED, Findings, judged
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones


def case(state: State, random: Random, values: Given) -> Values:
    """Say which filters and columns the report has."""
    filters = "; ".join(f'{one["label"]} {one["words"]} "{one["told"]}"' for one in values["filters"])
    return {"filters_words": filters, "columns_words": " and ".join(values["columns"].values())}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a report of the type with these filters and columns."""
    report = reports.new_report(work, case, "Tabular", "filter")
    yield from reports.begins(case, report)
    filters, wanted = reports.filters(report), case["filters"]
    found = filters.found
    for number, one in enumerate(wanted, 1):
        reached = filters.has(one)
        what = reports.said([one])
        yield Milestone(f"filter_{number}", reached, 0.4 / len(wanted), what, reports.said(found))
    for number, column in enumerate(case["columns"], 1):
        yield reports.shows(f"column_{number}", 0.2 / len(case["columns"]), report, column)
    all_of_them = report is not None and reports.connected(report, wanted, "")
    only = all_of_them and len(found) == len(wanted)
    yield Milestone("no_other_filter", only, ASKED, "these filters only, all of them", reports.said(found))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Filters letter by letter; the folder and other filters are not looked at."""
    report, facts = reports.upstream(Records(evidence.after), case)
    yield from facts
    found, wanted = reports.filters(report).found, case["filters"]
    for number, one in enumerate(wanted, 1):
        reached = any(reports.told_by_api(other, one) for other in found)
        yield fact(f"filter_{number}", 0.4 / len(wanted), reached)
    for number, column in enumerate(case["columns"], 1):
        shown = reports.shows("", 0, report, column).reached
        yield fact(f"column_{number}", 0.2 / len(case["columns"]), shown)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the columns that are missing, then the filters, and save."""
    await reports.begin_report(pilot, case["type_label"])
    for label in case["add"]:
        await reports.add_column(pilot, label)
    await reports.open_panel(pilot, "Filters")
    for one in case["filters"]:
        await reports.add_filter(pilot, one)
    await reports.save_report(pilot, case["name"], case["folder"])


@slip("milestone:filter_1")
def turned_the_first_filter_round(case: Case) -> Case:
    """The report leaves out what it shall show."""
    old, *rest = case["filters"]
    operator, words = ("lessThan", "less than") if "typed" in old else ("notEqual", "not equal to")
    return misread(case, filters=[{**old, "operator": operator, "words": words}, *rest])


@slip("milestone:folder", 0.917)
def saved_it_elsewhere(case: Case) -> Case:
    """Nobody looks for the report in that folder."""
    return misread(case, folder="Service Reports")


@slip("milestone:report", 0.0)
def misspelt_the_name(case: Case) -> Case:
    """The report cannot be found."""
    return misread(case, name=f"{case['name']}s")
