"""Records of reports, dashboards and their folders, which repeat what the components say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from salesforce_org.reports.checking import check
from salesforce_org.reports.stored import FIELDS, LABELS, place_named
from salesforce_org.rules.registry import RULES
from salesforce_org.store.org import Change, Org, Tree


@RULES.on_component("Report")
def report(org: Org, name: str, tree: Tree | None) -> None:
    """For every report there is a record; it goes with its component. A report that cannot be is refused."""
    if tree:
        check(org, tree)
    more = {"Description": tree.get("description"), "Format": tree["format"]} if tree else {}
    _mirror(org, "Report", name, tree, more)


@RULES.on_component("Dashboard")
def dashboard(org: Org, name: str, tree: Tree | None) -> None:
    """For every dashboard there is a record; it goes with its component."""
    more: dict[str, Any] = {}
    if tree:
        more = {"Description": tree.get("description"), "Type": tree.get("dashboardType", "SpecifiedUser")}
        runner = tree.get("runningUser")
        user = next(org.rows("User", Username=runner), None) if runner else None
        more["RunningUserId"] = user["Id"] if user else org.user_id
    _mirror(org, "Dashboard", name, tree, more)


def _mirror(org: Org, kind: str, name: str, tree: Tree | None, more: Mapping[str, Any]) -> None:
    folder, _, developer = name.rpartition("/")
    place = place_named(org, kind, folder)
    if place is None:
        return
    label, owner = FIELDS[kind]
    row = next(org.rows(kind, DeveloperName=developer, **{owner: place.id}), None)
    with org.unchecked():
        if tree is None:
            if row is not None:
                org.delete(row["Id"])
            return
        values = {label: tree[LABELS[kind]], "FolderName": place.label, **more}
        if row is None:
            org.insert(kind, DeveloperName=developer, **{owner: place.id}, **values)
        else:
            org.update(row["Id"], **values)


@RULES.on("after", "Folder")
def folder_is_called_otherwise(change: Change) -> None:
    """Records repeat what their folder is called."""
    kind = str(change.new["Type"])
    if change.old is not None and kind in FIELDS and change.turned("Name"):
        with change.org.unchecked():
            for row in change.org.rows(kind, **{FIELDS[kind][1]: change.id}):
                change.org.update(row["Id"], FolderName=change.new["Name"])
