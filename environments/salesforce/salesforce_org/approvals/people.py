"""Who submits and who approves: submitters, approvers of a step, delegates, members of queues and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from salesforce_org.access import is_administrator
from salesforce_org.store import DmlError, Org, Record
from salesforce_org.store.org import Tree

MANUAL = "adhoc"
CHOSEN = "nextApproverIds"


def may_submit(org: Org, process: Tree, row: Record) -> bool:
    """Whether the acting user is one of a process's initial submitters of a record."""
    user = org.get("User", org.user_id)
    if user is None:
        return False
    return any(_submits(org, one, row, user) for one in process.get("allowedSubmitters", ()))


def _submits(org: Org, told: Tree, row: Record, user: Record) -> bool:
    name = told.get("submitter")
    match told["type"]:
        case "owner":
            return bool(row.get("OwnerId")) and acts_as(org, user["Id"], row["OwnerId"])
        case "creator":
            return bool(row["CreatedById"] == user["Id"])
        case "user":
            return bool(user["Username"] == name)
        case "role":
            return name in [role["DeveloperName"] for role in _roles(org, user)][:1]
        case "roleSubordinates" | "roleSubordinatesInternal":
            return name in [role["DeveloperName"] for role in _roles(org, user)]
        case "group":
            groups = org.rows("Group", Type="Regular", DeveloperName=name)
            return any(acts_as(org, user["Id"], group["Id"]) for group in groups)
        case "allInternalUsers":
            return bool(user["UserType"] == "Standard")
        case _:
            return False


def _roles(org: Org, user: Record) -> Iterator[Record]:
    """Yield a user's role and those above it."""
    role = org.get("UserRole", user["UserRoleId"])
    while role is not None:
        yield role
        role = org.get("UserRole", role["ParentRoleId"])


def acts_as(org: Org, user_id: str | None, holder: str | None) -> bool:
    """Whether a user is somebody, or belongs to the queue or group that something is assigned to."""
    if user_id == holder:
        return True
    group, user = org.get("Group", holder), org.get("User", user_id)
    if group is None or user is None:
        return False
    if group["Type"] in ("Role", "RoleAndSubordinates", "RoleAndSubordinatesInternal"):
        roles = [role["Id"] for role in _roles(org, user)]
        return group["RelatedId"] in (roles[:1] if group["Type"] == "Role" else roles)
    if group["Type"] == "Organization":
        return bool(user["UserType"] == "Standard")
    members = org.rows("GroupMember", GroupId=group["Id"])
    return any(acts_as(org, user_id, member["UserOrGroupId"]) for member in members)


def may_decide(org: Org, item: Record, step: Tree) -> bool:
    """Whether the acting user may approve and reject for the approver that a work item is assigned to."""
    if acts_as(org, org.user_id, item["ActorId"]) or is_administrator(org, org.user_id):
        return True
    delegate = (org.get("User", item["ActorId"]) or {}).get("DelegatedApproverId")
    return bool(step.get("allowDelegate")) and delegate is not None and acts_as(org, org.user_id, delegate)


def approvers(org: Org, step: Tree, row: Record, previous: Record | None, chosen: Sequence[str]) -> list[str]:
    """Return the ids of the users and queues that approve a step.

    Args:
        previous: The user whose manager approves: who submitted, or approved the step before.
        chosen: The approvers that the acting user chose.

    Raises:
        DmlError: Nobody was chosen, or a field that names the approver is empty.
    """
    found: list[str] = []
    for one in step["assignedApprover"].get("approver", ()):
        found += _approver(org, one, row, previous, chosen)
    return list(dict.fromkeys(found))


def _approver(org: Org, told: Tree, row: Record, previous: Record | None, chosen: Sequence[str]) -> list[str]:
    name = str(told.get("name", ""))
    match told["type"]:
        case "user":
            rows = org.rows("User", Username=name, IsActive=True)
        case "queue":
            rows = org.rows("Group", Type="Queue", DeveloperName=name)
        case "adhoc":
            if not chosen:
                raise DmlError("REQUIRED_FIELD_MISSING", f"missing required field: [{CHOSEN}]", (CHOSEN,))
            return [approver(org, id, CHOSEN)["Id"] for id in chosen]
        case "userHierarchyField":
            return [_named(org, previous or {}, name)["Id"]]
        case _:
            return [_named(org, row, name)["Id"]]
    ids = [str(one["Id"]) for one in rows]
    if not ids:
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", f"The approver {name} does not exist or is inactive")
    return ids


def approver(org: Org, id: str | None, *fields: str) -> Record:
    """Return the active user or the queue of an id; `fields` name what asked for it.

    Raises:
        DmlError: There is none.
    """
    kind = org.schema.of_id(id or "")
    row = org.get(kind.name, id) if kind and kind.name in ("User", "Group") else None
    if row is None or not (row.get("IsActive") or row.get("Type") == "Queue"):
        raise DmlError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", fields)
    return row


def _named(org: Org, row: Record, name: str) -> Record:
    """Return the user or queue in a field, which metadata may call without its `Id`."""
    id = row.get(name) or row.get(f"{name}Id")
    if not id:
        raise DmlError(
            "MANAGER_NOT_DEFINED",
            f"This approval request requires the next approver to be determined by the {name} field. This value "
            "is empty. Please contact your administrator for more information.",
        )
    return approver(org, id)
