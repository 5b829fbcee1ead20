"""What is done to users."""

from __future__ import annotations

from salesforce_org.store import Org, Record


def login_of(org: Org, user_id: str) -> Record | None:
    """Return the record that says whether a user may log in."""
    return next(org.rows("UserLogin", UserId=user_id), None)


def is_frozen(org: Org, user_id: str) -> bool:
    """Whether a user is kept from logging in for now."""
    login = login_of(org, user_id)
    return bool(login and login["IsFrozen"])


def freeze(org: Org, user_id: str, frozen: bool) -> None:
    """Keep a user from logging in, or let them again."""
    login = login_of(org, user_id)
    if login is None:
        org.insert("UserLogin", UserId=user_id, IsFrozen=frozen)
    else:
        org.update(login["Id"], IsFrozen=frozen)


def assign_sets(org: Org, user_id: str, wanted: list[str]) -> None:
    """Let a user have exactly these permission sets, beside those of the profile and of groups."""
    kept = _direct(org, user_id)
    for id in wanted:
        if id not in kept:
            org.insert("PermissionSetAssignment", PermissionSetId=id, AssigneeId=user_id)
    _drop(org, kept, wanted)


def assign_groups(org: Org, user_id: str, wanted: list[str]) -> None:
    """Let a user have exactly these permission set groups."""
    kept = group_assignments(org, user_id)
    for id in wanted:
        if id not in kept:
            org.insert("PermissionSetAssignment", PermissionSetGroupId=id, AssigneeId=user_id)
    _drop(org, kept, wanted)


def set_assignments(org: Org, user_id: str) -> list[Record]:
    """Return the user's assignments of permission sets, without the one that belongs to the profile."""
    return list(_direct(org, user_id).values())


def group_assignments(org: Org, user_id: str) -> dict[str, Record]:
    """Return the user's assignments of permission set groups, by group."""
    rows = org.rows("PermissionSetAssignment", AssigneeId=user_id)
    return {row["PermissionSetGroupId"]: row for row in rows if row["PermissionSetGroupId"]}


def _direct(org: Org, user_id: str) -> dict[str, Record]:
    found = {}
    for row in org.rows("PermissionSetAssignment", AssigneeId=user_id):
        given = org.get("PermissionSet", row["PermissionSetId"])
        if given and not given["IsOwnedByProfile"] and not row["PermissionSetGroupId"]:
            found[given["Id"]] = row
    return found


def _drop(org: Org, kept: dict[str, Record], wanted: list[str]) -> None:
    for id, row in kept.items():
        if id not in wanted:
            org.delete(row["Id"])
