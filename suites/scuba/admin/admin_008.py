"""List view with two filters."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.criteria import Conditions, means
from ..toolkit.judging import ASKED, Findings, exists, judged, listed
from ..toolkit.kinds import place
from ..toolkit.lightning import PAGE, enter, named, pick, press, tick, told
from ..toolkit.list_views import PRIVATE, PUBLIC, make_view, new_view, several, shared_with
from ..toolkit.records import Records
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

_WORDS = {
    "equals": "equals",
    "notEqual": "not equal to",
    "lessThan": "less than",
    "greaterOrEqual": "greater or equal",
}
_OTHERS = {
    "equals": "notEqual",
    "notEqual": "equals",
    "lessThan": "greaterOrEqual",
    "greaterOrEqual": "lessThan",
}
_FILTER = named("dialog", "Edit Filter", PAGE)


def case(state: State, random: Random, values: Given) -> Values:
    """Say the filters in words."""
    if Records(state).where("ListView", Name=values["name"], SobjectType=values["object"]):
        raise LookupError(f"there is a list view {values['name']!r} already")
    words = [f"{one['label']} {_WORDS[one['operation']]} {one['value']}" for one in values["filters"]]
    return {"filters_words": "; ".join(words), "visibility": PUBLIC}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a list view that all users see, with the two filters and no others."""
    work.free("metadata/ListView", columns="the form proposes some, and the task names none")
    view, tree = new_view(work, case)
    id = f"metadata/ListView/{case['object']}.{view['DeveloperName']}" if view else None
    found = Conditions(tree.get("filters"), lambda number: place(id, "filters", number, "value"))
    filters = found.found
    yield exists("view", 0.25, view, f"a list view '{case['name']}' of {case['object']}")
    shared = shared_with(tree)
    everybody = "allInternalUsers" in shared and not any(shared.values())
    yield Milestone("all_users", everybody, 0.25, "seen by all users", listed(shared))
    for number, wanted in enumerate(case["filters"], 1):
        yield Milestone(
            f"filter_{number}", found.has(wanted), 0.25, _said(wanted), listed(map(_said, filters))
        )
    logic = tree.get("booleanFilter")
    both = len(filters) == len(case["filters"]) and found.connected(
        logic, case["filters"], "", place(id, "booleanFilter")
    )
    yield Milestone("only_these", both, ASKED, "both filters, no others", logic or str(len(filters)))


def _said(one: Mapping[str, Any]) -> str:
    return f"{one['field']} {one['operation']} {one.get('value') or ''}"


def upstream(evidence: Evidence, case: Case) -> Findings:
    """A list view of the name that is not private, with the filters; a relative date is never found equal."""
    org = Records(evidence.after)
    view = first(org.where("ListView", Name=case["name"], SobjectType=case["object"]))
    tree = org.get("metadata/ListView", f"{case['object']}.{view.get('DeveloperName')}") or {}
    shared = bool(view) and "sharedTo" in tree
    filters = several(tree.get("filters")) if shared else []
    yield fact("view", 0.25, bool(view))
    yield fact("retrievable", 0.25, shared)
    for number, wanted in enumerate(case["filters"], 1):
        found = any(means(one, wanted) for one in filters)
        yield fact(f"filter_{number}", 0.25, found and wanted["value"] != "TODAY")


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the list view, then add its filters in the panel and save them."""
    await make_view(pilot, case, case["visibility"])
    for wanted in case["filters"]:
        await press(pilot, "Add Filter", PAGE)
        await pick(pilot, "Field", wanted["label"], _FILTER)
        await pick(pilot, "Operator", _WORDS[wanted["operation"]], _FILTER)
        if wanted["listed"]:
            await tick(pilot, wanted["value"], _FILTER)
        else:
            await enter(pilot, "Value", wanted["value"], _FILTER)
        await press(pilot, "Done", _FILTER)
    await press(pilot, "Save", PAGE)
    await told(pilot)


@slip("milestone:filter_2")
def turned_the_second_filter_round(case: Case) -> Case:
    """The list holds just those records that it should not."""
    one, two = case["filters"]
    return misread(case, filters=[one, {**two, "operation": _OTHERS[two["operation"]]}])


@slip("milestone:all_users")
def kept_it_to_oneself(case: Case) -> Case:
    """Nobody else sees the list view."""
    return misread(case, visibility=PRIVATE)


@slip("milestone:filter_2")
def forgot_the_second_filter(case: Case) -> Case:
    """The list holds more than it should."""
    return misread(case, filters=case["filters"][:1])
