"""What new objects, fields, tabs and apps bring along that no task names, as the pages fill it in.

An object's component has its fields inside. Where a state shows what the org stores, they are components of their own,
and of those that came with the org only what was changed is there: so a change may look like a new component.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench import Pilot

from .components import Asked, entries, new_component, others
from .following import ANY, OneOf
from .lightning import PAGE, choose_in_menu, enter, named, open_object_manager, press_first, tick
from .records import Records, Row, called
from .work import Work

RIGHTS = ("Read", "Create", "Edit", "Delete", "ViewAllRecords", "ModifyAllRecords")
PROFILE = "Profile"
# The form's boxes and choices as they stand at first.
_SETTINGS: Mapping[str, Any] = {
    "deploymentStatus": "Deployed",
    "enableBulkApi": True,
    "enableSharing": True,
    "enableStreamingApi": True,
    "externalSharingModel": OneOf(("Private", "ReadWrite")),
    "sharingModel": "ReadWrite",
    "startsWith": "Consonant",
    "visibility": "Public",
}


def may_say(work: Work, kind: str, name: str, *elements: str) -> None:
    """Account for elements of a component that came with the org."""
    work.may_change(f"metadata/{kind}", name, *elements)
    work.claim({"Id": f"metadata/{kind}/{name}"}, *elements)


def profiles_say(work: Work, section: str, asked: Asked) -> dict[str, Any]:
    """Account for what profiles newly say in a section, and return what was asked for by profile."""
    found: dict[str, Any] = {}
    for name in work.after.state.collections.get("metadata/Profile", {}):
        changed = entries(work, PROFILE, name, section, asked)
        if changed and component_before(work, name) is None and all(asked(*pair) for pair in changed):
            work.claim({"Id": f"metadata/Profile/{name}"}, section)
        if wanted := [new for old, new in changed if asked(old, new)]:
            found[name] = wanted[0]
    return found


def component_before(work: Work, profile: str) -> Row | None:
    """Return what a profile said before, or None where it had nothing to say."""
    return work.before.get("metadata/Profile", profile)


def new_object(work: Work, label: str, plural: Any = ANY) -> Row | None:
    """Claim the new custom object of a label and what comes with every object; a milestone may judge its plural."""
    row = new_component(work, "CustomObject", label)
    if row is None:
        return None
    name = full_name(row)
    title = {"label": f"{label} Name", "type": "Text"}
    work.free("metadata/CustomObject", fields="judged by themselves", listViews="judged by themselves")
    if all(one.get("type") == "Default" for one in row.get("actionOverrides", ())):
        work.free("metadata/CustomObject", actionOverrides="Salesforce's own pages")
    work.claim(row, label=label, pluralLabel=plural, nameField=title, **_SETTINGS)
    work.twin(_first(work.made("ListView", SobjectType=name)))
    work.free("metadata/ListView", columns="as Salesforce proposes them")
    everybody = OneOf((None, {"allInternalUsers": ""}, {"allInternalUsers": None}))
    view = {"label": "All", "filterScope": "Everything", "sharedTo": everybody}
    work.claim({"Id": f"metadata/ListView/{name}.All"}, **view)
    layouts = (one for one in work.made("metadata/Layout") if full_name(one).startswith(f"{name}-"))
    work.claim(_first(layouts), "layoutSections")
    rights = {f"Permissions{right}": True for right in RIGHTS}
    for given in work.made("ObjectPermissions", SobjectType=name):
        if owner(work.after, given) == "System Administrator":
            work.claim(given, "ParentId", "SobjectType", **rights)
            break
    all_rights = dict.fromkeys((f"allow{right}" for right in RIGHTS[:4]), True)
    all_rights |= {
        "viewAllRecords": True,
        "modifyAllRecords": True,
    }
    profiles_say(
        work,
        "objectPermissions",
        lambda old, new: old is None and new["object"] == name and not others(new, "object", **all_rights),
    )
    profiles_say(
        work, "fieldPermissions", lambda old, new: old is None and new["field"].startswith(f"{name}.")
    )
    return row


def full_name(row: Row | None) -> str:
    """Return the full name of a component; empty for none."""
    return str(row["Id"]).rpartition("/")[2] if row else ""


def owner(org: Records, given: Row) -> str:
    """Return the profile to which rights on an object or a field are given; empty for a permission set."""
    behind = org.get("PermissionSet", given["ParentId"]) or {}
    return org.name("Profile", behind.get("ProfileId"))


def apps_with(work: Work, tab: str) -> list[str]:
    """Account for apps that got a tab, and return their full names."""
    changed = {
        name: entries(work, "CustomApplication", name, "tabs", lambda old, new: new == tab)
        for name in work.after.state.collections.get("metadata/CustomApplication", {})
    }
    return sorted(name for name, found in changed.items() if (None, tab) in found)


def fields_of(work: Work, object: str) -> dict[str, Row]:
    """Return the fields of an object that are known, by name; those inside an object may have been read before."""
    inside = (work.after.get("metadata/CustomObject", object) or {}).get("fields", ())
    alone = [*work.after.all("metadata/CustomField"), *work.made("metadata/CustomField")]
    named = ((full_name(row).partition("."), row) for row in alone)
    found = {name: row for (owner, _, name), row in named if owner == object}
    return {row["fullName"]: row for row in inside} | found


def _first(rows: Iterable[Row]) -> Row | None:
    return next(iter(rows), None)


def profile_labels(org: Records) -> list[str]:
    """Return what the profiles are called, sorted."""
    return sorted(called(row) for row in org.all(PROFILE))


# Hands


async def open_new_object(pilot: Pilot, label: str, plural: str) -> None:
    """Begin a custom object with its labels; names come of themselves."""
    await open_object_manager(pilot)
    await choose_in_menu(pilot, "Create", "Custom Object", PAGE)
    await enter(pilot, "Label", label, PAGE)
    await enter(pilot, "Plural Label", plural, PAGE)


async def save_object(pilot: Pilot, *boxes: str) -> None:
    """Tick boxes of the form of an object and save it."""
    for box in boxes:
        await tick(pilot, box, PAGE)
    await press_first(pilot, "Save")


async def pick_style(pilot: Pilot, style: str) -> None:
    """Choose a tab's style."""
    await pilot.fill(named("combobox", "Tab Style", PAGE), style)
    await pilot.click(named("option", style, named("listbox", "Tab Style", PAGE)))


async def edit(pilot: Pilot, button: str = "Edit") -> None:
    """Go to the form of what is shown."""
    await pilot.click(named("button", button, PAGE))
