"""What several templates of administration share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Case, Milestone, Pilot, Values

from ..toolkit.judging import API_NAME, listed
from ..toolkit.lightning import HERE, choose, follow, named, open_setup, press, press_first
from ..toolkit.records import Records, Row, called
from ..toolkit.work import Work

Given = Mapping[str, Any]


def permission_sets(org: Records) -> dict[str, str]:
    """Return the permission sets that people see, by label."""
    rows = [row for row in org.all("PermissionSet") if row.get("Type") not in ("Profile", "Group")]
    return {row["Label"]: row["Id"] for row in rows}


def user(org: Records, random: Random, name: str) -> Values:
    """Return the user of a name, and another active one for whom the user may be taken."""
    user = org.one("User", name)
    bosses = {row["Id"] for row in org.all("Profile") if called(row) == "System Administrator"}
    colleagues = [row for row in org.where("User", IsActive=True) if row["ProfileId"] not in bosses]
    others = [row for row in colleagues if row["Id"] != user["Id"]]
    other = random.choice(sorted(others, key=called))
    return {"user_id": user["Id"], "other_user": called(other), "other_user_id": other["Id"]}


def components_list(org: Records, group: str) -> list[str]:
    ids = {row["Id"] for row in org.where("PermissionSetGroup", MasterLabel=group)}
    parts = [row for row in org.all("PermissionSetGroupComponent") if row["PermissionSetGroupId"] in ids]
    return [org.name("PermissionSet", row["PermissionSetId"]) for row in parts]


def assignees(org: Records, group: str) -> list[str]:
    ids = {row["Id"] for row in org.where("PermissionSetGroup", MasterLabel=group)}
    rows = [row for row in org.all("PermissionSetAssignment") if row.get("PermissionSetGroupId") in ids]
    return [org.name("User", row["AssigneeId"]) for row in rows]


Milestones = Iterator[Milestone]


def group(work: Work, case: Case) -> Row | None:
    work.free("PermissionSetGroup", DeveloperName=API_NAME)
    group = work.closest("PermissionSetGroup", {"Name": case["group"]})
    work.claim(group, "MasterLabel")
    return group


def components(work: Work, group: Row | None, wanted: list[str], weight: float) -> Milestone:
    parts = work.made("PermissionSetGroupComponent", PermissionSetGroupId=group["Id"]) if group else []
    for part in parts:
        work.claim(part, "PermissionSetGroupId", "PermissionSetId")
    found = [work.after.name("PermissionSet", row["PermissionSetId"]) for row in parts]
    reached = sorted(map(str.casefold, found)) == sorted(map(str.casefold, wanted))
    return Milestone("permission_sets", reached, weight, f"exactly {listed(wanted)}", listed(found))


def assigned(work: Work, case: Case, group: str | None, weight: float) -> Milestone:
    rows = work.made("PermissionSetAssignment", PermissionSetGroupId=group) if group else []
    ours = [row for row in rows if row["AssigneeId"] == case["user_id"]]
    for row in ours:
        work.claim(row, "PermissionSetGroupId", "AssigneeId", "ExpirationDate")
    lasting = [row for row in ours if not row.get("ExpirationDate")]
    found = listed(work.after.name("User", row["AssigneeId"]) for row in rows)
    seen = f"{found}, until {ours[0]['ExpirationDate']}" if ours and not lasting else found
    reached = len(lasting) == len(rows) == 1
    return Milestone("assigned", reached, weight, f"assigned to {case['user']} without an end", seen)


async def new_group(pilot: Pilot, label: str, permission_sets: list[str]) -> None:
    """Make a permission set group and put permission sets into it."""
    await open_setup(pilot, "Permission Set Groups")
    await press(pilot, "New Permission Set Group", HERE)
    await pilot.fill(named("textbox", "Label", HERE), label)
    await press_first(pilot, "Save")
    await follow(pilot, "Permission Sets in Group", HERE)
    await press(pilot, "Add Permission Set", HERE)
    await _tick_rows(pilot, permission_sets)
    await press(pilot, "Add", HERE)
    await press(pilot, "Done", HERE)


async def assign(pilot: Pilot, user: str, term: str = "") -> None:
    """Give the permission set group on the screen to a user, for ever or for a term such as `1 Week`."""
    await press(pilot, "Manage Assignments", HERE)
    await press(pilot, "Add Assignment", HERE)
    await _tick_rows(pilot, [listed_text(user)])
    await press(pilot, "Next", HERE)
    if term:
        await pilot.click(named("radio", "Specify the expiration date", HERE))
        await choose(pilot, "Expires in", term, HERE)
    await press(pilot, "Assign", HERE)
    await press(pilot, "Done", HERE)


def listed_text(person: str) -> str:
    """Return how Setup lists a person: the last name first, if there is a first one."""
    first, _, last = person.partition(" ")
    return f"{last}, {first}" if last else first


async def _tick_rows(pilot: Pilot, names: list[str]) -> None:
    """Tick rows of a table, each after looking for it."""
    for name in names:
        await pilot.fill(named("searchbox", "Search this list...", HERE), name)
        await pilot.click(named("checkbox", f"Select {name}", HERE))


# Object permissions as Setup calls them, each with those that it brings along.
NEEDS: Mapping[str, tuple[str, ...]] = {
    "Read": (),
    "Create": ("Read",),
    "Edit": ("Read",),
    "Delete": ("Read", "Edit"),
    "View All Records": ("Read",),
    "Modify All Records": ("Read", "Edit", "Delete", "View All Records"),
    "View All Fields": ("Read",),
}


async def edit_object_settings(pilot: Pilot, plural: str) -> None:
    """Open the settings of an object, from the page of a permission set, to change them."""
    await follow(pilot, "Object Settings", HERE)
    await pilot.fill(named("searchbox", "Find Settings", HERE), plural)
    await follow(pilot, plural, HERE)
    await press(pilot, "Edit", HERE)
