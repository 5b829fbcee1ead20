"""Values of a picklist."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import Findings, judged
from ..toolkit.lightning import (
    PAGE,
    choose_far,
    enter,
    enter_values,
    follow,
    named,
    open_object,
    press,
    reading,
)
from ..toolkit.records import Records, same
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact
from ..toolkit.work import Work
from .shared import Given, Milestones

_SET = "metadata/StandardValueSet"
# The stock values: "Pending", which one of these tasks adds, is in the org for service_004.
_STOCK = (
    '<?xml version="1.0" encoding="UTF-8"?><StandardValueSet xmlns="http://soap.sforce.com/2006/04/metadata">'
    "<sorted>false</sorted>"
    "<standardValue><fullName>New</fullName><default>true</default></standardValue>"
    "<standardValue><fullName>Working</fullName><default>false</default></standardValue>"
    "<standardValue><fullName>Escalated</fullName><default>false</default></standardValue>"
    "<standardValue><fullName>Closed</fullName><default>false</default><closed>true</closed></standardValue>"
    "</StandardValueSet>"
)
_Entries = list[dict[str, Any]]


def setup(random: Random) -> list[dict[str, str]]:
    """Take the values of the case's status back to the stock ones."""
    path = "standardValueSets/CaseStatus.standardValueSet"
    return [{"deploy": "StandardValueSet", "name": "CaseStatus", "path": path, "text": _STOCK}]


def case(state: State, random: Random, values: Given) -> Values:
    """Find the values that the picklist is to have, and those that somebody careless takes for others."""
    org = Records(state)
    now = _entries(org, values["set"])
    names = [_name(one) for one in now]
    wanted = [_name(one) for one in _done(now, values)]
    if wanted == names or len(set(wanted)) < len(wanted):
        raise LookupError(f"{values['set']} cannot get the values {wanted}")
    return {
        "wanted": wanted,
        "more": "",
        "other_value": next(name for name in names if name not in (names[0], values["value"]))
        if values["do"] == "reorder"
        else f"{values['value']} (new)",
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have the values in their order, with the default; everything else about them stays."""
    before, after = _entries(work.before, case["set"]), _entries(work.after, case["set"])
    kept, wanted = _rest(after), _rest(_done(before, case.values))
    if all(kept[name] == wanted[name] for name in kept.keys() & wanted.keys()):
        work.may_change(_SET, case["set"], "standardValue")
    for row in work.before.where(case["object"], **{case["field"]: case.values.get("old") or "-"}):
        work.may_change(case["object"], row["Id"], **{case["field"]: case["value"]})
    for row in work.made(case["set"])[:1]:
        work.claim(row)  # some sets repeat their values as records that nobody can write
    names = [_name(one) for one in after]
    default = _default(after)
    yield Milestone("values", names == case["wanted"], 0.8, ", ".join(case["wanted"]), ", ".join(names))
    yield Milestone(
        "default", default == case["default"], 0.2, f"default {case['default'] or 'none'}", default or "none"
    )


def _done(entries: _Entries, values: Mapping[str, Any]) -> _Entries:
    """Return the entries of a picklist after the change that a task wants."""
    name = {"fullName": values["value"], "value": values["value"], "label": values["value"]}
    match values["do"]:
        case "add":
            made = [*entries, {**name, "default": False}]
        case "rename":
            made = [{**one, **name} if same(_name(one), values["old"]) else one for one in entries]
        case _:
            made = sorted(entries, key=lambda one: _name(one) != values["value"])
    return [{**one, "default": _name(one) == values["default"]} for one in made]


def _rest(entries: _Entries) -> dict[str, dict[str, Any]]:
    """Return what entries hold beside their names and the default, however an interface tells it."""
    usual = {"isActive": True, "active": True}
    return {
        _name(one): {"label": one.get("label") or _name(one)}
        | {
            key: value
            for key, value in one.items()
            if value and key not in ("fullName", "value", "label", "default") and usual.get(key) != value
        }
        for one in entries
    }


def _entries(org: Records, name: str) -> _Entries:
    return list((org.get(_SET, name) or {}).get("standardValue") or [])


def _name(entry: Mapping[str, Any]) -> str:
    return str(entry.get("fullName") or entry.get("value") or "")


def _default(entries: _Entries) -> str:
    return ", ".join(_name(one) for one in entries if one.get("default"))


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The values in their order, and the default, where one is expected at all."""
    entries = _entries(Records(evidence.after), case["set"])
    yield fact("values", 0.8, [_name(one) for one in entries] == case["wanted"])
    yield fact("default", 0.2, not case["default"] or _default(entries) == case["default"])


async def solve(pilot: Pilot, case: Case) -> None:
    """Open the field in Object Manager and change its values."""
    await open_object(pilot, case["object"], "Fields & Relationships")
    await follow(pilot, case["label"])
    match case["do"]:
        case "add":
            await press(pilot, "New", PAGE)
            await enter_values(pilot, case["label"], [case["value"]])
        case "rename":
            await follow(pilot, f"Edit {case['old']}")
            await enter(pilot, "Label", case["value"], PAGE)
            await enter(pilot, "API Name", case["value"], PAGE)
            await _save(pilot)
        case _:
            await press(pilot, "Reorder", PAGE)
            await pilot.click(
                f"{named('listbox', 'Picklist Values', PAGE)} >> {reading('option', case['value'])}"
            )
            await press(pilot, "Top", PAGE)
            await choose_far(pilot, "Default value", case["default"])
            await _save(pilot)
    if case["more"]:
        await press(pilot, "New", PAGE)
        await enter_values(pilot, case["label"], [case["more"]])


async def _save(pilot: Pilot) -> None:
    await pilot.click(f"{named('button', 'Save', PAGE)} >> nth=0")


@slip("milestone:values", 0.0)
def took_another_value(case: Case) -> Case:
    """Another value is moved or made."""
    other = case["other_value"]
    return misread(case, value=other, default=other if case["do"] == "reorder" else case["default"])


@slip("milestone:values")
def added_one_value_more(case: Case) -> Case:
    """The picklist gets a value that nobody asked for."""
    return misread(case, more="Deferred")
