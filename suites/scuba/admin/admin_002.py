"""Report with a cross filter."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values
from pytest_cuabench.task.kinds import free

from ..toolkit import reports
from ..toolkit.components import others
from ..toolkit.judging import ASKED, Findings, judged
from ..toolkit.kinds import place
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

# Of a cross filter; the columns that join both objects follow from them.
_PARTS = ("criteriaItems", "operation", "relatedTable", "primaryTableColumn", "relatedTableJoinColumn")


def case(state: State, random: Random, values: Given) -> Values:
    """Say which sub-filters the cross filter has."""
    told = "; ".join(f'{one["label"]} {one["words"]} "{one["told"]}"' for one in values["filters"])
    return {"filters_words": told, "operation": "with"}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a report of the type with this one cross filter."""
    report = reports.new_report(work, case, "Tabular", "crossFilters")
    yield from reports.begins(case, report)
    found = list((report or {}).get("crossFilters") or ())
    cross = first([one for one in found if one["relatedTable"] == case["related"]])
    seen = ", ".join(f"{one['operation']} {one['relatedTable']}" for one in found) or "none"
    right = len(found) == 1 and cross.get("operation") == "with" and not others(cross, *_PARTS)
    yield Milestone("cross_filter", right, 0.3, f"with {case['related']} only", seen)
    if cross:
        for name in _PARTS[3:]:
            free(place(report["Id"], "crossFilters", found.index(cross), name), "it follows from the objects")
    path = ("crossFilters", found.index(cross), "criteriaItems") if cross else ()
    filters, wanted = reports.conditions(report if cross else None, *path), case["filters"]
    items = filters.found
    for number, one in enumerate(wanted, 1):
        reached = filters.has(one)
        what = reports.said([one])
        yield Milestone(f"filter_{number}", reached, 0.3 / len(wanted), what, reports.said(items))
    only = bool(cross) and len(items) == len(wanted)
    yield Milestone("no_other_filter", only, ASKED, "these sub-filters only", reports.said(items))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A cross filter on the object, with or without, and its sub-filters letter by letter."""
    report, facts = reports.upstream(Records(evidence.after), case)
    yield from facts
    found = [one for one in report.get("crossFilters") or () if one["relatedTable"] == case["related"]]
    yield fact("cross_filter", 0.3, bool(found))
    items, wanted = list(first(found).get("criteriaItems") or ()), case["filters"]
    for number, one in enumerate(wanted, 1):
        reached = any(reports.told_by_api(other, one) for other in items)
        yield fact(f"filter_{number}", 0.3 / len(wanted), reached)


async def solve(pilot: Pilot, case: Case) -> None:
    """Add the cross filter with its sub-filters, and save."""
    await reports.begin_report(pilot, case["type_label"])
    await reports.open_panel(pilot, "Filters")
    await reports.add_cross_filter(pilot, case["related_label"], case["operation"], case["filters"])
    await reports.save_report(pilot, case["name"], case["folder"])


@slip("milestone:cross_filter", 0.75)
def took_the_records_without(case: Case) -> Case:
    """The report shows exactly the others."""
    return misread(case, operation="without")


@slip("milestone:filter_1")
def left_the_first_filter_out(case: Case) -> Case:
    """Any related record is enough."""
    return misread(case, filters=case["filters"][1:])


@slip("milestone:cross_filter", 0.417)
def crossed_with_another_object(case: Case) -> Case:
    """The filter asks for records of another kind."""
    return misread(case, related=case["other"], related_label=case["other_label"], filters=[])
