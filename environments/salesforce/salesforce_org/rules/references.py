"""What profiles, permission sets and apps say of a component goes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from salesforce_org.rules.registry import RULES
from salesforce_org.store.org import Change, Org, Tree

# Sections that speak of components of a kind, and the element of their entries that names one.
SECTIONS: Mapping[str, Mapping[str, str]] = {
    "CustomTab": {"tabVisibilities": "tab", "tabSettings": "tab"},
    "CustomApplication": {"applicationVisibilities": "application"},
    "Layout": {"layoutAssignments": "layout"},
    "RecordType": {"recordTypeVisibilities": "recordType", "layoutAssignments": "recordType"},
    "CustomPermission": {"customPermissions": "name"},
}
HOLDERS = ("Profile", "PermissionSet", "MutingPermissionSet")


def forget(org: Org, kind: str, name: str) -> None:
    """Take a component out of all that profiles and permission sets say."""
    for holder in HOLDERS:
        for full, tree in list(org.components(holder).items()):
            kept = {section: _without(section, value, kind, name) for section, value in tree.items()}
            org.put_component(
                holder, full, {key: value for key, value in kept.items() if value != []} or None
            )


def _without(section: str, value: Any, kind: str, name: str) -> Any:
    element = SECTIONS[kind].get(section)
    return value if element is None else [one for one in value if one.get(element) != name]


@RULES.on_component("CustomTab")
def tab(org: Org, name: str, tree: Tree | None) -> None:
    """An object has the icon of its tab's style; apps lose a tab that is deleted."""
    kind = org.schema.get(name)
    style = str((tree or {}).get("motif", "")).partition(":")[0]
    if kind is not None and kind.icon != (icon := f"custom:{style.lower()}" if style else ""):
        org.extend(org.schema.with_object(replace(kind, icon=icon)))
    if tree is not None:
        return
    forget(org, "CustomTab", name)
    for full, app in list(org.components("CustomApplication").items()):
        if name in app.get("tabs", ()):
            org.put_component(
                "CustomApplication", full, {**app, "tabs": [one for one in app["tabs"] if one != name]}
            )


@RULES.on_component("CustomApplication")
def app(org: Org, name: str, tree: Tree | None) -> None:
    """No profile shows an app that is deleted."""
    if tree is None:
        forget(org, "CustomApplication", name)


@RULES.on_component("Layout")
def layout(org: Org, name: str, tree: Tree | None) -> None:
    """Pages of a custom object are as its first layout; no profile is given a layout that is deleted."""
    kind = org.schema.get(name.partition("-")[0])
    if kind is not None and kind.custom:
        first = min((one for one in org.components("Layout") if one.startswith(f"{kind.name}-")), default="")
        org.extend(org.schema.with_object(replace(kind, layout=org.component("Layout", first))))
    if tree is None:
        forget(org, "Layout", name)


@RULES.on("deleting", "RecordType")
def record_type(change: Change) -> None:
    """No profile offers a record type that is deleted."""
    forget(change.org, "RecordType", f"{change.new['SobjectType']}.{change.new['DeveloperName']}")


@RULES.on("deleting", "CustomPermission")
def permission(change: Change) -> None:
    """Nobody has a permission that is deleted."""
    forget(change.org, "CustomPermission", change.new["DeveloperName"])
