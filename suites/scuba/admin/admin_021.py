"""Muting permission set."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.components import others
from ..toolkit.judging import Findings, judged, listed
from ..toolkit.lightning import HERE, follow, open_setup, press, press_first, tick
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import NEEDS, Given, Milestones, edit_object_settings

_MUTING, _GROUP = "metadata/MutingPermissionSet", "metadata/PermissionSetGroup"
_LINKS = "mutingPermissionSets"
_FLAGS: Mapping[str, str] = {
    "allowRead": "Read",
    "allowCreate": "Create",
    "allowEdit": "Edit",
    "allowDelete": "Delete",
    "viewAllRecords": "View All Records",
    "modifyAllRecords": "Modify All Records",
    "viewAllFields": "View All Fields",
}


def case(state: State, random: Random, values: Given) -> Values:
    """See that the group is there with nothing muted, and say what is muted along with the rest."""
    row = Records(state).one("PermissionSetGroup", values["group"])
    if (Records(state).get(_GROUP, row["DeveloperName"]) or {}).get(_LINKS):
        raise LookupError(f"the group {values['group']} mutes something already")
    return {"name": row["DeveloperName"], "rights_words": " and ".join(values["rights"])}


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a muting set in the group that mutes exactly this, with what depends on it."""
    links = (work.after.get(_GROUP, case["name"]) or {}).get(_LINKS) or []
    work.may_change(_GROUP, case["name"], _LINKS)
    work.free(_MUTING, label="the task leaves it open")
    made = work.made(_MUTING)
    ours = [row for row in made if row["Id"].removeprefix(f"{_MUTING}/") in links]
    muting = ours[0] if len(ours) == len(links) == 1 else None
    work.claim(muting, "objectPermissions", "fieldPermissions")
    told = f"one muting permission set in {case['group']}"
    yield Milestone("muting", muting is not None, 0.4, told, listed(links))
    wanted = [f"{right} on {case['object']}" for right in _muted(case["rights"])]
    given = _given(muting or {})
    yield Milestone("object_permissions", sorted(given) == sorted(wanted), 0.3, listed(wanted), listed(given))
    field = [f"{case['object']}.{case['field']}: {access}" for access in _accesses(case)]
    fields = _fields(muting or {})
    yield Milestone("field_permissions", sorted(fields) == sorted(field), 0.3, listed(field), listed(fields))


def _muted(rights: list[str]) -> set[str]:
    """Return what is muted with some rights: they, and those that cannot be without them."""
    return {*rights, *(one for one, needed in NEEDS.items() if set(rights) & set(needed))}


def _accesses(case: Case) -> list[str]:
    return ["Read Access", "Edit Access"] if case["access"] == "Read Access" else ["Edit Access"]


def _given(muting: Row) -> list[str]:
    entries = muting.get("objectPermissions") or []
    known = {**_FLAGS, "object": "object"}
    return [
        f"{_FLAGS.get(name, name)} on {one['object']}"
        for one in entries
        for name in (*(flag for flag in _FLAGS if one.get(flag)), *others(one, *known))
    ]


def _fields(muting: Row) -> list[str]:
    words = {"readable": "Read Access", "editable": "Edit Access"}
    entries = muting.get("fieldPermissions") or []
    return [
        f"{one['field']}: {words.get(name, name)}"
        for one in entries
        for name in (*(flag for flag in words if one.get(flag)), *others(one, "field", *words))
    ]


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The muting set of the group; any one field will do."""
    org = Records(evidence.after)
    links = (org.get(_GROUP, case["name"]) or {}).get(_LINKS) or []
    muting = org.get(_MUTING, links[0]) or {} if links else {}
    given = first([one for one in muting.get("objectPermissions") or [] if one["object"] == case["object"]])
    right = {right for flag, right in _FLAGS.items() if given.get(flag)} == _muted(case["rights"])
    yield fact("muting", 0.4, bool(muting))
    yield fact("object_permissions", 0.3, right)
    yield fact("field_permissions", 0.3, len(muting.get("fieldPermissions") or []) == 1)


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the muting set in the group, then tick what it mutes of the object."""
    await open_setup(pilot, "Permission Set Groups")
    await follow(pilot, case["group"], HERE)
    await follow(pilot, "Muting Permission Set in Group", HERE)
    await press(pilot, "New", HERE)
    await press_first(pilot, "Save")
    await follow(pilot, f"{case['group']} Muting", HERE)
    await edit_object_settings(pilot, case["plural"])
    along = {one for right in case["rights"] for one in _muted([right]) if one != right}
    for right in case["rights"]:
        if right not in along:
            await tick(pilot, f"Mute {right}", HERE)
    await tick(pilot, f"Mute {case['field_label']} {case['access']}", HERE)
    if case.values.get("more"):
        await tick(pilot, f"Mute {case['other_label']} Edit Access", HERE)
    await press_first(pilot, "Save")


@slip("milestone:object_permissions", 0.7)
def muted_reading_as_well(case: Case) -> Case:
    """Nobody in the group sees the records any more."""
    return misread(case, rights=["Read"])


@slip("milestone:field_permissions", 0.7)
def muted_one_field_more(case: Case) -> Case:
    """A field that nobody named is muted, too."""
    return misread(case, more=True)


@slip("milestone:muting", 0)
def muted_in_another_group(case: Case) -> Case:
    """The right permissions are muted, elsewhere."""
    return misread(case, group="Merchandising Team", name="Merchandising_Team")
