"""Report with filter logic."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import reports
from ..toolkit.judging import ASKED, Findings, judged
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

LOGIC = "(1 OR 2) AND 3 AND NOT 4"


def case(state: State, random: Random, values: Given) -> Values:
    """Say which filter has which number."""
    told = (f"{n}. {one['label']} {one['words']} {_told(one)}" for n, one in enumerate(values["filters"], 1))
    return {"filters_words": "; ".join(told), "logic": LOGIC}


def _told(entry: Given) -> str:
    return f'"{entry["told"]}"' if entry["told"] else "an empty value"


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a report of the type with these filters under these numbers, combined by the logic."""
    report = reports.new_report(work, case, "Tabular", "filter")
    yield from reports.begins(case, report)
    filters = reports.filters(report)
    found = filters.found
    for number, one in enumerate(case["filters"], 1):
        what = f"{number}. {reports.said([one])}"
        yield Milestone(f"filter_{number}", filters.has(one), 0.1, what, reports.said(found))
    right = reports.connected(report, case["filters"], LOGIC)
    yield Milestone("logic", right, 0.2, LOGIC, _logic(report) or "none")
    only = report is not None and len(found) == len(case["filters"])
    yield Milestone("no_other_filter", only, ASKED, "these filters only", reports.said(found))


def _logic(report: Row | None) -> str:
    return str(((report or {}).get("filter") or {}).get("booleanFilter") or "")


def upstream(evidence: Evidence, case: Case) -> Findings:
    """Each filter at its number, letter by letter; the folder is not looked at."""
    report, facts = reports.upstream(Records(evidence.after), case)
    yield from facts
    found = reports.filters(report).found
    for number, one in enumerate(case["filters"], 1):
        reached = len(found) >= number and reports.told_by_api(found[number - 1], one)
        yield fact(f"filter_{number}", 0.1, reached)
    yield fact("logic", 0.2, _logic(report) == LOGIC)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the filters in their order, then the logic, and save."""
    await reports.begin_report(pilot, case["type_label"])
    await reports.open_panel(pilot, "Filters")
    for one in case["filters"]:
        await reports.add_filter(pilot, one)
    if case["logic"]:
        await reports.set_logic(pilot, case["logic"])
    await reports.save_report(pilot, case["name"], case["folder"])


@slip("milestone:logic")
def left_the_logic_out(case: Case) -> Case:
    """All filters must hold at once."""
    return misread(case, logic="")


@slip("milestone:logic")
def forgot_the_not(case: Case) -> Case:
    """The last filter is the other way round."""
    return misread(case, logic="(1 OR 2) AND 3 AND 4")


@slip("milestone:logic")
def swapped_two_filters(case: Case) -> Case:
    """The logic takes the third for the fourth."""
    one, two, three, four = case["filters"]
    return misread(case, filters=[one, two, four, three])
