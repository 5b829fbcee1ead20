"""What permission sets, groups of them and profiles allow on an object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..records import Records, Row, called

RIGHTS = ("Create", "Read", "Edit", "Delete", "ViewAllRecords", "ModifyAllRecords")


def allows(org: Records, parent: str, object: str, right: str) -> bool:
    """Whether a permission set allows something on an object."""
    rows = org.where("ObjectPermissions", ParentId=parent, SobjectType=object)
    return any(row.get(f"Permissions{right}") is True for row in rows)


def _set(org: Records, label: str) -> Row:
    rows = [row for row in org.named("PermissionSet", label) if row.get("Type") not in ("Profile", "Group")]
    rows = rows or org.where("PermissionSet", Label=label)
    if len(rows) != 1:
        raise LookupError(f"{len(rows)} permission sets are labelled {label!r}, one was expected")
    return rows[0]


def _of_profile(org: Records, name: str) -> Row:
    (row,) = org.where("PermissionSet", ProfileId=org.one("Profile", name)["Id"])
    return row


def _only(names: list[str]) -> str:
    if len(names) != 1:
        raise LookupError(f"the answer should be one name and is {names}")
    return names[0]


def _grants(org: Records, values: Mapping[str, Any]) -> str:
    parent = _set(org, values["options"][0])["Id"]
    return "yes" if allows(org, parent, values["object"], values["right"]) else "no"


def _lacks(org: Records, values: Mapping[str, Any]) -> str:
    object, right = values["object"], values["right"]
    return _only(
        [name for name in values["options"] if not allows(org, _set(org, name)["Id"], object, right)]
    )


def _fewest(org: Records, values: Mapping[str, Any]) -> str:
    object = values["object"]
    parents = {name: _of_profile(org, name)["Id"] for name in values["options"]}
    counts = {name: sum(allows(org, id, object, right) for right in RIGHTS) for name, id in parents.items()}
    return _only([name for name, count in counts.items() if count == min(counts.values())])


def _group(org: Records, values: Mapping[str, Any]) -> str:
    return _only([name for name in values["options"] if _group_allows(org, name, values)])


def _group_allows(org: Records, label: str, values: Mapping[str, Any]) -> bool:
    group = next(
        row for row in org.all("PermissionSetGroup") if label in (called(row), row.get("DeveloperName"))
    )
    parts = org.where("PermissionSetGroupComponent", PermissionSetGroupId=group["Id"])
    return any(allows(org, part["PermissionSetId"], values["object"], values["right"]) for part in parts)


def _object(org: Records, values: Mapping[str, Any]) -> str:
    parent = _set(org, values["permission_set"])["Id"]
    return _only([name for name in values["options"] if allows(org, parent, name, values["right"])])


ANSWERS: Mapping[str, Callable[[Records, Mapping[str, Any]], str]] = {
    "grants": _grants,
    "lacks": _lacks,
    "fewest": _fewest,
    "group": _group,
    "object": _object,
}
