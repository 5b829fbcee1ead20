"""Who can be a member of a group or queue: users, roles and groups, as search types of a dual list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from salesforce_org.setup.choices import Choice
from salesforce_org.store import Org, Record

# Search type, type of group that stands for it, word before the name.
_GROUPS = (
    ("Public Groups", "Regular", "Group"),
    ("Roles", "Role", "Role"),
    ("Roles and Internal Subordinates", "RoleAndSubordinatesInternal", "Role and Internal Subordinates"),
    ("Roles and Subordinates", "RoleAndSubordinates", "Role and Subordinates"),
    ("Territories", "Territory", "Territory"),
    ("Territories and Subordinates", "TerritoryAndSubordinates", "Territory and Subordinates"),
)


def kinds(org: Org) -> tuple[str, ...]:
    """Return the search types of which there is something, as the search box lists them."""
    types = {row["Type"] for row in org.rows("Group")}
    return ("Public Groups", *(kind for kind, type, _ in _GROUPS[1:] if type in types), "Users")


def choices(org: Org, but: str | None = None) -> tuple[Choice, ...]:
    """Return everyone who can be a member, by search type; a group is no member of itself."""
    groups = [
        Choice(row["Id"], f"{word}: {group_name(org, row)}", kind)
        for kind, type, word in _GROUPS
        for row in org.rows("Group", Type=type)
        if row["Id"] != but
    ]
    users = [
        Choice(row["Id"], f"User: {org.name_of(row['Id'])}", "Users")
        for row in org.rows("User", IsActive=True)
    ]
    known = {choice.value for choice in (*groups, *users)}
    gone = [Choice(id, told(org, id), "") for id in members(org, but or "") if id not in known]
    return tuple(sorted((*groups, *users, *gone), key=lambda choice: choice.label.casefold()))


def group_name(org: Org, group: Record) -> str:
    """Return what a group is called; those that stand for a role are called as it is."""
    return str(org.name_of(group["RelatedId"]) or group["Name"] or group["DeveloperName"] or "")


def told(org: Org, id: str) -> str:
    """Return a member with the word before the name, as `Role: CEO`."""
    group = org.get("Group", id)
    if group is None:
        return f"User: {org.name_of(id)}"
    words: Mapping[str, str] = {type: word for _, type, word in _GROUPS}
    return f"{words.get(group['Type'], group['Type'])}: {group_name(org, group)}"


def members(org: Org, group_id: str) -> list[str]:
    """Return the ids of a group's members, in the order in which they came."""
    return [row["UserOrGroupId"] for row in org.rows("GroupMember", GroupId=group_id)]


def set_members(org: Org, group_id: str, wanted: Iterable[str]) -> None:
    """Let a group have exactly these members."""
    chosen = list(dict.fromkeys(wanted))
    kept = {row["UserOrGroupId"]: row["Id"] for row in org.rows("GroupMember", GroupId=group_id)}
    for id, row_id in kept.items():
        if id not in chosen:
            org.delete(row_id)
    for id in chosen:
        if id not in kept:
            org.insert("GroupMember", GroupId=group_id, UserOrGroupId=id)
