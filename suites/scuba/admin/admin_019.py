"""Permission set for an object."""

from __future__ import annotations

from random import Random

from pytest_cuabench import Case, Evidence, Milestone, Pilot, State, Values

from ..toolkit.judging import API_NAME, Findings, exists, judged, listed
from ..toolkit.lightning import HERE, named, open_setup, press, press_first, tick
from ..toolkit.records import Records, Row
from ..toolkit.slips import misread, slip
from ..toolkit.upstream import fact, first
from ..toolkit.work import Work
from .shared import NEEDS, Given, Milestones, edit_object_settings

_FLAGS = {right: f"Permissions{right.replace(' ', '')}" for right in NEEDS}


def case(state: State, random: Random, values: Given) -> Values:
    """Find all fields of the object on which rights are given, as the administrator's profile has them."""
    org = Records(state)
    profile = org.one("Profile", "System Administrator")
    (administrator,) = org.where("PermissionSet", ProfileId=profile["Id"])
    rows = org.where("FieldPermissions", ParentId=administrator["Id"], SobjectType=values["object"])
    rights = {*values["rights"], *(one for right in values["rights"] for one in NEEDS[right])}
    return {
        "readable": sorted(row["Field"] for row in rows),
        "editable": sorted(row["Field"] for row in rows if row["PermissionsEdit"]),
        "all_rights": [right for right in NEEDS if right in rights],
        "rights_words": ", ".join(right for right in NEEDS if right in rights),
    }


@judged
def check(work: Work, case: Case) -> Milestones:
    """Have a set with exactly these rights on the object, and all on its fields."""
    work.free("PermissionSet", Name=API_NAME)
    found = work.closest("PermissionSet", {"Label": case["label"]})
    id = found["Id"] if found else "-"
    objects, fields = (work.made(kind, ParentId=id) for kind in ("ObjectPermissions", "FieldPermissions"))
    for row in objects:
        work.claim(row, "ParentId", "SobjectType", *_FLAGS.values())
    for row in fields:
        work.claim(row, "ParentId", "Field", "PermissionsRead", "PermissionsEdit", SobjectType=case["object"])
    work.grave("PermissionSetAssignment")
    wanted = [f"{right} on {case['object']}" for right in case["all_rights"]]
    given = [f"{right} on {row['SobjectType']}" for row in objects for right in _rights(row)]
    yield exists("permission_set", 0.25, found, f"a new permission set '{case['label']}'")
    yield Milestone(
        "object_permissions", sorted(given) == sorted(wanted), 0.25, listed(wanted), listed(given)
    )
    for name, flag in (("readable", "PermissionsRead"), ("editable", "PermissionsEdit")):
        held = sorted(row["Field"] for row in fields if row[flag])
        seen = f"{len(held)}, without {listed(set(case[name]) - set(held))}"
        told = f"{name}: exactly {len(case[name])} fields"
        yield Milestone(f"{name}_fields", held == case[name], 0.25, told, seen)


def _rights(row: Row) -> list[str]:
    return [right for right, flag in _FLAGS.items() if row.get(flag)]


def upstream(evidence: Evidence, case: Case) -> Findings:
    """The set of the label that came last; the fields that it names all have both rights."""
    org = Records(evidence.after)
    known = {row["Id"] for row in Records(evidence.before).all("PermissionSet")}
    found = first([row for row in org.where("PermissionSet", Label=case["label"]) if row["Id"] not in known])
    objects = org.where("ObjectPermissions", ParentId=found["Id"]) if found else []
    fields = org.where("FieldPermissions", ParentId=found["Id"]) if found else []
    given = [right for row in objects if row["SobjectType"] == case["object"] for right in _rights(row)]
    read = {row["Field"] for row in fields if row["PermissionsRead"]}
    edit = {row["Field"] for row in fields if row["PermissionsEdit"]}
    yield fact("permission_set", 0.25, bool(found))
    yield fact("object_permissions", 0.25, set(given) == set(case["all_rights"]))
    yield fact("readable_fields", 0.25, read >= set(case["readable"]))
    yield fact("editable_fields", 0.25, edit >= set(case["editable"]))


async def solve(pilot: Pilot, case: Case) -> None:
    """Make the set, then tick its rights in the settings of the object."""
    await open_setup(pilot, "Permission Sets")
    await press(pilot, "New", HERE)
    await pilot.fill(named("textbox", "Label", HERE), case["label"])
    await press_first(pilot, "Save")
    await edit_object_settings(pilot, case["plural"])
    implied = {needed for right in case["all_rights"] for needed in NEEDS[right]}
    for right in case["all_rights"]:
        if right not in implied:
            await tick(pilot, right, HERE)
    for part in case.values.get("parts", ["Read Access", "Edit Access"]):
        await tick(pilot, part, HERE)
    await press_first(pilot, "Save")


@slip("milestone:editable_fields", 0.75)
def let_fields_only_be_read(case: Case) -> Case:
    """No field can be edited."""
    return misread(case, parts=["Read Access"], editable=[])


@slip("milestone:object_permissions", 0.75)
def allowed_one_thing_more(case: Case) -> Case:
    """The set gives one right more on the object."""
    return misread(case, all_rights=[*case["all_rights"], case["more"], *NEEDS[case["more"]]])


@slip("milestone:permission_set", 0)
def called_it_otherwise(case: Case) -> Case:
    """The label has an s too many."""
    return misread(case, label=f"{case['label']}s")
