"""List views as several tasks of administration want them: a record with the names, and a component with the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pytest_cuabench import Case, Pilot

from .components import component, new_component
from .judging import API_NAME
from .lightning import DIALOG, PAGE, choose, choose_in_menu, enter, named, open_list, point_at, save
from .records import Row
from .work import Work

PRIVATE, PUBLIC = "Only I can see this list view", "All users can see this list view"
GROUPS = "Share list view with groups of users"
_SELECTED = f'{DIALOG} >> [data-dual-list="left"] >> [role=option][aria-selected=true]'
_JUDGED = ("columns", "filters", "sharedTo", "booleanFilter")


def new_view(work: Work, case: Case) -> tuple[Row | None, Mapping[str, Any]]:
    """Claim the new list view of the case's name and object; return its record and what it shows.

    What only its author sees has no metadata, so nothing is known of it.
    """
    work.free("ListView", DeveloperName=API_NAME)
    work.free("metadata/ListView", filterScope="the task does not say whose records")
    view = work.closest("ListView", {"Name": case["name"], "SobjectType": case["object"]})
    if view is None:
        new_component(work, "ListView", case["name"])
        return None, {}
    name = f"{case['object']}.{view['DeveloperName']}"
    tree = component(work, "ListView", name) or {}
    work.claim({"Id": f"metadata/ListView/{name}"}, *_JUDGED, label=case["name"])
    return view, tree if "sharedTo" in tree else {}


def shared_with(tree: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the names with which a list view is shared, by kind; everybody is a kind without names."""
    told = tree.get("sharedTo") or {}
    return {kind: sorted(several(names)) for kind, names in told.items()}


def several(value: Any) -> list[Any]:
    """Return what an element holds that may be there once, more often, or not at all."""
    return list(value) if isinstance(value, list | tuple) else [value] if value else []


async def make_view(
    pilot: Pilot, case: Case, visibility: str, groups: Mapping[str, Iterable[str]] | None = None
) -> None:
    """Make a list view and say who sees it: with groups, their names by kind, such as `Roles`."""
    await open_list(pilot, case["plural"])
    await choose_in_menu(pilot, "List View Controls", "New", PAGE)
    await enter(pilot, "List Name", case["name"])
    await pilot.click(f"{DIALOG} >> label:has-text({visibility!r})")
    for kind, names in (groups or {}).items():
        await share_with(pilot, kind, names)
    await save(pilot)


async def share_with(pilot: Pilot, kind: str, names: Iterable[str]) -> None:
    """Search for groups of a kind and choose them."""
    for number, name in enumerate(names):
        if not number:
            await choose(pilot, "Share With", kind, DIALOG)
        await pilot.fill(named("combobox", "Search", DIALOG), name)
        await pilot.click(f"{named('listbox', 'Search', DIALOG)} >> {named('option', name)}")


async def take_over(pilot: Pilot, option: str) -> None:
    """Move an option of the long list that has the focus to the other list, found by typing it, and go back."""
    await point_at(pilot, option, _SELECTED)
    await pilot.press("ctrl+Right")
    await pilot.press("Left")
