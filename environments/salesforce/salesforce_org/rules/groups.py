"""Public groups, queues, and the groups that stand for roles."""

from __future__ import annotations

from salesforce_org.rules.registry import RULES, alone, check_developer_name, developer_name, missing
from salesforce_org.store.errors import DmlError
from salesforce_org.store.org import Change

OF_ROLES = ("Role", "RoleAndSubordinates")


@RULES.on("before", "UserRole")
def role_name(change: Change) -> None:
    """A role has an API name and, for reports, the name it is shown by."""
    new = change.new
    if new["Name"]:
        new["DeveloperName"] = new["DeveloperName"] or developer_name(new["Name"])
        new["RollupDescription"] = new["RollupDescription"] or new["Name"]
        check_developer_name(new["DeveloperName"], "DeveloperName")


@RULES.on("after", "UserRole")
def role_groups(change: Change) -> None:
    """For every role there is a group of those who have it, and one with those below them."""
    org, name = change.org, change.new["DeveloperName"]
    with org.unchecked():
        for type in OF_ROLES if change.old is None else ():
            org.insert("Group", Type=type, RelatedId=change.id, DeveloperName=name)
        for group in org.rows("Group", RelatedId=change.id) if change.old else ():
            org.update(group["Id"], DeveloperName=name)


@RULES.on("before", "Group")
def group_name(change: Change) -> None:
    """Groups and queues have a label and an API name that no other of their kind has."""
    new = change.new
    if new["RelatedId"]:
        return
    if not new["Name"]:
        raise missing("Name")
    new["DeveloperName"] = new["DeveloperName"] or developer_name(new["Name"])
    check_developer_name(new["DeveloperName"], "DeveloperName")
    alone(
        change,
        f"The API name {new['DeveloperName']} is used by another {new['Type'].lower()}",
        ("DeveloperName",),
        Type=new["Type"],
        DeveloperName=new["DeveloperName"],
    )


@RULES.on("deleting", "Group")
def queue_with_records(change: Change) -> None:
    """A queue that owns records stays."""
    for name in ("Case", "Lead", "Task"):
        if next(change.org.rows(name, OwnerId=change.id), None):
            raise DmlError(
                "DELETE_FAILED", f"The queue owns records of {name}; give them another owner first"
            )


@RULES.on("before", "GroupMember")
def member(change: Change) -> None:
    """A member is in a group once, and no group contains itself."""
    new = change.new
    alone(
        change,
        "The group has this member already",
        ("UserOrGroupId",),
        GroupId=new["GroupId"],
        UserOrGroupId=new["UserOrGroupId"],
    )
    if new["GroupId"] and _within(change, new["UserOrGroupId"], new["GroupId"]):
        raise DmlError("CIRCULAR_DEPENDENCY", "A group cannot contain itself", ("UserOrGroupId",))


def _within(change: Change, inner: str | None, wanted: str) -> bool:
    if inner is None or not inner.startswith("00G"):
        return False
    return inner == wanted or any(
        _within(change, row["UserOrGroupId"], wanted) for row in change.org.rows("GroupMember", GroupId=inner)
    )


@RULES.on("before", "QueueSobject")
def queue_object(change: Change) -> None:
    """A queue supports an object of the org once."""
    new = change.new
    queue = change.org.get("Group", new["QueueId"])
    if queue and queue["Type"] != "Queue":
        raise DmlError("FIELD_INTEGRITY_EXCEPTION", "Only a queue supports objects", ("QueueId",))
    known = change.org.schema.get(new["SobjectType"] or "")
    if new["SobjectType"] and (known is None or not can_queue(known.name, change)):
        raise DmlError(
            "FIELD_INTEGRITY_EXCEPTION", f"{new['SobjectType']} cannot be owned by queues", ("SobjectType",)
        )
    alone(
        change,
        "The queue supports this object already",
        ("SobjectType",),
        QueueId=new["QueueId"],
        SobjectType=new["SobjectType"],
    )


def can_queue(object: str, change: Change) -> bool:
    """Whether queues may own records of an object."""
    owner = change.org.schema[object].field("OwnerId")
    return owner is not None and owner.to[:2] == ("User", "Group")


@RULES.on(
    "before",
    "Case",
    "Lead",
    "Order",
    "Task",
    "Incident",
    "Problem",
    "ChangeRequest",
    "Customer",
    "BuyerGroup",
)
def queue_owner(change: Change) -> None:
    """A group that owns a record is a queue for such records."""
    owner = change.new["OwnerId"]
    if not change.turned("OwnerId") or not owner or not owner.startswith("00G"):
        return
    if not next(change.org.rows("QueueSobject", QueueId=owner, SobjectType=change.object.name), None):
        raise DmlError(
            "INVALID_CROSS_REFERENCE_KEY", f"The queue does not support {change.object.plural}", ("OwnerId",)
        )
