"""Public groups, queues and roles: projections of the records Group, GroupMember, QueueSobject and UserRole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.errors import missing, unfit
from salesforce_org.metadata.records import api_name, drop, find, need, relate, said, save
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record

# Element of queueMembers, its own element, and the type of group that it names; users are no groups.
_MEMBERS = (
    ("publicGroups", "publicGroup", "Regular"),
    ("roleAndSubordinates", "roleAndSubordinate", "RoleAndSubordinates"),
    ("roleAndSubordinatesInternal", "roleAndSubordinateInternal", "RoleAndSubordinatesInternal"),
    ("roles", "role", "Role"),
)


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of one type by developer name."""

    type: str
    kind: str

    def names(self, org: Org) -> Iterable[str]:
        """Return the developer names."""
        return [row["DeveloperName"] for row in org.rows("Group", Type=self.type) if row["DeveloperName"]]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the group."""
        return find(org, "Group", Type=self.type, DeveloperName=name)

    def delete(self, org: Org, name: str) -> None:
        """Delete a group with its memberships."""
        row = self.record(org, name)
        if row is None:
            raise missing(self.kind, name)
        drop(org, row["Id"])

    def save(self, org: Org, name: str, values: dict[str, Any]) -> str:
        """Write the group itself."""
        row = self.record(org, name)
        new = {} if row else {"DeveloperName": api_name(name), "Type": self.type}
        return save(org, "Group", row, new | values)


@dataclass(frozen=True, slots=True)
class PublicGroups(Groups):
    """Public groups; who is in them is not part of the component."""

    type: str = "Regular"
    kind: str = "Group"

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a public group."""
        row = self.record(org, name)
        if row is None:
            return None
        told = said(
            name=row["Name"], doesIncludeBosses=row["DoesIncludeBosses"], description=row.get("Description")
        )
        return ordered("Group", told)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a public group."""
        values = {"Name": tree["name"], "DoesIncludeBosses": tree.get("doesIncludeBosses", True)}
        self.save(org, name, values | {"Description": tree.get("description")})


@dataclass(frozen=True, slots=True)
class Queues(Groups):
    """Queues with the objects they serve and their members."""

    type: str = "Queue"
    kind: str = "Queue"

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a queue."""
        row = self.record(org, name)
        if row is None:
            return None
        served = sorted(one["SobjectType"] for one in org.rows("QueueSobject", QueueId=row["Id"]))
        told = said(
            description=row.get("Description"),
            doesSendEmailToMembers=row["DoesSendEmailToMembers"],
            email=row["Email"],
            name=row["Name"],
            queueMembers=_members(org, row["Id"]) or None,
            queueSobject=[{"sobjectType": one} for one in served],
        )
        return ordered("Queue", told)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a queue, and make its members and objects those of the tree."""
        values = {
            "Name": tree["name"],
            "Email": tree.get("email"),
            "DoesSendEmailToMembers": tree.get("doesSendEmailToMembers", False),
            "Description": tree.get("description"),
        }
        served = [one["sobjectType"] for one in tree.get("queueSobject", ())]
        for object in served:
            if object not in org.schema.objects:
                raise unfit(f"In field: queueSobject - no CustomObject named {object} found", "queueSobject")
        id = self.save(org, name, values)
        relate(org, "QueueSobject", {"QueueId": id}, [{"SobjectType": one} for one in served])
        members = [{"UserOrGroupId": one} for one in _named(org, tree.get("queueMembers", {}))]
        relate(org, "GroupMember", {"GroupId": id}, members)


def _members(org: Org, group: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for membership in org.rows("GroupMember", GroupId=group):
        row = org.get("User", membership["UserOrGroupId"])
        if row is not None:
            found.setdefault("users", {}).setdefault("user", []).append(row["Username"])
            continue
        row = org.get("Group", membership["UserOrGroupId"])
        for outer, inner, type in _MEMBERS:
            if row is not None and row["Type"] == type:
                found.setdefault(outer, {}).setdefault(inner, []).append(_called(org, row))
    return {
        outer: {inner: sorted(names) for inner, names in inside.items()} for outer, inside in found.items()
    }


def _called(org: Org, group: Record) -> str:
    role = org.get("UserRole", group["RelatedId"])
    return str(role["DeveloperName"] if role else group["DeveloperName"])


def _named(org: Org, members: Tree) -> Iterator[str]:
    for username in members.get("users", {}).get("user", ()):
        yield need(org, "User", "User", Username=username)["Id"]
    for outer, inner, type in _MEMBERS:
        for name in members.get(outer, {}).get(inner, ()):
            if type == "Regular":
                yield need(org, "Group", "Group", DeveloperName=name, Type=type)["Id"]
            else:
                role = need(org, "UserRole", "Role", DeveloperName=name)
                yield need(org, "Group", "Role", RelatedId=role["Id"], Type=type)["Id"]


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles by developer name."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the developer names."""
        return [row["DeveloperName"] for row in org.rows("UserRole") if row["DeveloperName"]]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the role."""
        return find(org, "UserRole", DeveloperName=name)

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a role."""
        row = self.record(org, name)
        if row is None:
            return None
        parent = org.get("UserRole", row["ParentRoleId"])
        told = said(
            caseAccessLevel=row["CaseAccessForAccountOwner"],
            contactAccessLevel=row["ContactAccessForAccountOwner"],
            description=row["RollupDescription"],
            mayForecastManagerShare=row["MayForecastManagerShare"],
            name=row["Name"],
            opportunityAccessLevel=row["OpportunityAccessForAccountOwner"],
            parentRole=parent["DeveloperName"] if parent else None,
        )
        return ordered("Role", told)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a role."""
        row = self.record(org, name)
        parent = tree.get("parentRole")
        values = {
            "Name": tree["name"],
            "ParentRoleId": need(org, "UserRole", "Role", DeveloperName=parent)["Id"] if parent else None,
            "RollupDescription": tree.get("description"),
            "MayForecastManagerShare": tree.get("mayForecastManagerShare", False),
            "CaseAccessForAccountOwner": tree.get("caseAccessLevel"),
            "ContactAccessForAccountOwner": tree.get("contactAccessLevel"),
            "OpportunityAccessForAccountOwner": tree.get("opportunityAccessLevel"),
        }
        save(org, "UserRole", row, values if row else values | {"DeveloperName": api_name(name)})

    def delete(self, org: Org, name: str) -> None:
        """Delete a role."""
        row = self.record(org, name)
        if row is None:
            raise missing("Role", name)
        drop(org, row["Id"])
