"""Entitlement process with its milestones."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit import lightning as hands
from ..toolkit.components import others
from ..toolkit.criteria import Conditions, enter_criteria, words
from ..toolkit.groups import save_form
from ..toolkit.judging import Findings, exists, judged
from ..toolkit.kinds import place
from ..toolkit.records import Records, fold
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import Given, Milestones

TYPE = "EntitlementProcess"
_CRITERIA = ("milestoneCriteriaFilterItems", "criteriaBooleanFilter")
_MILESTONE = ("milestoneName", "minutesToComplete", *_CRITERIA)
_OTHER = "Resolve case"  # a milestone that no task asks for
Tree = Mapping[str, Any]


def case(state: State, random: Random, values: Given) -> Values:
    """Say the milestones."""
    told = [_milestone_words(one, values["minutes"]) for one in values["milestones"]]
    return {"milestones_words": "; then ".join(told), "word": values["object_label"].lower()}


def _milestone_words(one: Given, minutes: int) -> str:
    unit = "minute" if minutes == 1 else "minutes"
    criteria = f", criteria {words(one['criteria'])}" if one["criteria"] else ", without criteria"
    return f'"{one["name"]}" (time trigger {minutes} {unit}{criteria})'


def _found(process: Tree | None, name: str) -> Tree:
    items = (process or {}).get("milestones", ())
    return next((one for one in items if fold(one["milestoneName"]) == fold(name)), {})


def _closed(process: Tree, object: str) -> bool:
    rows = [{"field": f"{object}.IsClosed", "operator": "equals", "value": "true"}]
    return _conditions(process, "exitCriteriaFilterItems").are(rows)


def _conditions(process: Tree, *path: Hashable) -> Conditions:
    """Return the conditions at a place of a process."""
    found: Any = process
    for part in path:
        found = found[part] if isinstance(part, int) else found.get(part, ())
    return Conditions(found, lambda number: place(process.get("Id"), *path, number, "value"))


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the process with exactly these milestones, in their order."""
    process = work.closest(f"metadata/{TYPE}", {"name": case["process"]})
    tree, wanted, object = process or {}, case["milestones"], case["object"]
    work.claim(process, "name", "SObjectType", "entryStartDateField", "exitCriteriaFilterItems", "milestones")
    work.claim(process, active=False, isVersionDefault=True, versionNumber="1")
    twin = {"StartDateField": f"{object}.CreatedDate", "VersionNumber": 1, "IsVersionDefault": True}
    named = str(tree.get("Id")).rpartition("/")[2]
    for row in work.made("SlaProcess", NameNorm=named)[:1]:
        work.claim(row, Name=case["process"], NameNorm=named, SobjectType=object, **twin)
    yield exists("process", 0.1, process, f"a new entitlement process '{case['process']}'")
    yield Milestone("type", tree.get("SObjectType") == object, 0.1, object, str(tree.get("SObjectType")))
    entry = str(tree.get("entryStartDateField"))
    yield Milestone("entry", entry == f"{object}.CreatedDate", 0.1, f"{object}.CreatedDate", entry)
    exits = str(tree.get("exitCriteriaFilterItems"))
    yield Milestone("exit", _closed(tree, object), 0.1, "closed", exits)
    for number, one in enumerate(wanted, 1):
        yield from _milestone(tree, _found(process, one["name"]), one, number, case)
    names = [one["milestoneName"] for one in tree.get("milestones", ())]
    in_order = list(map(fold, names)) == [fold(one["name"]) for one in wanted]
    at_once = not any(others(one, *_MILESTONE) for one in tree.get("milestones", ()))
    told = ", ".join(one["name"] for one in wanted)
    yield Milestone("only_these", in_order and at_once, 0.1, f"{told}, which start with it", ", ".join(names))


def _milestone(tree: Tree, item: Tree, one: Given, number: int, case: Case) -> Milestones:
    share = 0.6 / len(case["milestones"]) / (3 if one["criteria"] else 2)
    name, minutes = f"milestone_{number}", str(case["minutes"])
    yield Milestone(name, bool(item), share, one["name"], str(item or "none"))
    time = str(item.get("minutesToComplete"))
    yield Milestone(f"{name}_time", time == minutes, share, f"{minutes} min", time)
    items, logic = (item.get(element) for element in _CRITERIA)
    path = ("milestones", tree["milestones"].index(item)) if item else ()
    conditions = _conditions(tree if item else {}, *path, _CRITERIA[0])
    at = place(tree.get("Id"), *path, _CRITERIA[1])
    right = (
        bool(item)
        and conditions.are(one["criteria"])
        and conditions.connected(logic, one["criteria"], "", at)
    )
    weight = share if one["criteria"] else 0.1
    told = words(one["criteria"]) if one["criteria"] else "no criteria"
    yield Milestone(f"{name}_criteria", right, weight, told, str(items or "none"))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The first process of the name; milestones are found by their names, letter by letter."""
    tree = first(Records(evidence.after).where(f"metadata/{TYPE}", name=case["process"]))
    object, wanted = case["object"], case["milestones"]
    yield fact("process", 0.1, bool(tree))
    yield fact("type", 0.1, tree.get("SObjectType") == object)
    yield fact("entry", 0.1, tree.get("entryStartDateField") == f"{object}.CreatedDate")
    yield fact("exit", 0.1, _closed(tree, object))
    for number, one in enumerate(wanted, 1):
        item, share = _found(tree, one["name"]), 0.6 / len(wanted) / (3 if one["criteria"] else 2)
        yield fact(f"milestone_{number}", share, bool(item))
        yield fact(f"milestone_{number}_time", share, item.get("minutesToComplete") == str(case["minutes"]))
        if one["criteria"]:
            right = _conditions(item, _CRITERIA[0]).are(one["criteria"])
            yield fact(f"milestone_{number}_criteria", share, right)


async def solve(pilot: Pilot, case: Case) -> None:
    """Choose the type, fill in the process, then add its milestones."""
    await hands.open_setup(pilot, "Entitlement Processes")
    await pilot.click(hands.named("button", "New Entitlement Process", hands.PAGE))
    await hands.choose(pilot, "Entitlement Process Type", case["object_label"])
    await save_form(pilot)
    await hands.enter(pilot, "Entitlement Process Name", case["process"], hands.PAGE)
    if case.values.get("active"):
        await pilot.click(hands.named("checkbox", "Active", hands.PAGE))
    await save_form(pilot)
    for one in case["milestones"]:
        await pilot.click(hands.named("button", "New Milestone", hands.PAGE))
        await hands.choose_far(pilot, "Milestone Name", one["name"])
        await hands.enter(pilot, "Time Trigger (Minutes)", str(case["minutes"]), hands.PAGE)
        await enter_criteria(pilot, one["criteria"])
        await save_form(pilot)


@slip("milestone:milestone_1_time")
def gave_ten_times_the_time(case: Case) -> Case:
    """Everybody may take longer."""
    return misread(case, minutes=case["minutes"] * 10)


@slip("milestone:milestone_1")
def took_another_milestone(case: Case) -> Case:
    """The first step is another one."""
    one, *rest = case["milestones"]
    return misread(case, milestones=[{**one, "name": _OTHER}, *rest])


@slip("milestone:only_these")
def added_one_milestone_more(case: Case) -> Case:
    """A step that nobody asked for."""
    return misread(case, milestones=[*case["milestones"], {"name": _OTHER, "criteria": []}])


@slip("record_integrity/major")
def activated_the_process(case: Case) -> Case:
    """The process is in force at once."""
    return misread(case, active=True)
