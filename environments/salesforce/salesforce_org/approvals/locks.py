"""Locks: only administrators change a record that waits for approval, and its approver where the process says so.

Whether a record that was approved or rejected stays locked is said by its process.
"""

from __future__ import annotations

from salesforce_org.access import is_administrator
from salesforce_org.approvals.people import acts_as
from salesforce_org.approvals.processes import process_of
from salesforce_org.store import DmlError, Org, Record, SObject

_LINES = ("OpportunityLineItem", "OrderItem", "QuoteLineItem")
_STAYS = {"Approved": "finalApprovalRecordLock", "Rejected": "finalRejectionRecordLock"}


def last(org: Org, id: str) -> Record | None:
    """Return the last request for approval of a record."""
    return max(org.rows("ProcessInstance", TargetObjectId=id), key=lambda one: str(one["Id"]), default=None)


def pending(org: Org, id: str) -> Record | None:
    """Return the request for approval that a record waits for."""
    found = last(org, id)
    return found if found and found["Status"] == "Pending" else None


def items(org: Org, instance: Record) -> list[Record]:
    """Return the work items of a request: whose answers it waits for."""
    return list(org.rows("ProcessInstanceWorkitem", ProcessInstanceId=instance["Id"]))


def is_locked(org: Org, id: str) -> bool:
    """Whether a record is locked."""
    instance = last(org, id)
    if instance is None or instance["Status"] == "Pending":
        return instance is not None
    process = process_of(org, instance)
    return bool(process and process.tree.get(_STAYS.get(instance["Status"], "")))


def may_edit(org: Org, kind: SObject, row: Record) -> bool:
    """Whether the acting user may change a record as far as locks go; details are locked with their master."""
    masters = (one for one in kind.fields if one.cascade and (one.custom or kind.name in _LINES))
    held = [row["Id"], *(row[one.name] for one in masters if row.get(one.name))]
    return all(not is_locked(org, id) or _exempt(org, id) for id in held)


def _exempt(org: Org, id: str) -> bool:
    if org.user_id is None or is_administrator(org, org.user_id):
        return True
    instance = pending(org, id)
    process = process_of(org, instance) if instance else None
    if instance is None or process is None or process.tree["recordEditability"] != "AdminOrCurrentApprover":
        return False
    return any(acts_as(org, org.user_id, item["ActorId"]) for item in items(org, instance))


def guard(org: Org, kind: SObject, row: Record) -> None:
    """Refuse to change or delete a record that is locked, and requests for approval to all but administrators.

    Raises:
        DmlError: It is locked.
    """
    if not may_edit(org, kind, row):
        raise DmlError(
            "ENTITY_IS_LOCKED", "This record is locked. If you need to edit it, contact your admin."
        )
    if kind.name.startswith("ProcessInstance") and not is_administrator(org, org.user_id):
        raise DmlError("INSUFFICIENT_ACCESS_OR_READONLY", "insufficient access rights on object id")
