"""Locks: only administrators change a record that waits for approval, and its approver where the process says so.

Whether a record that was approved or rejected stays locked is said by its process. Administrators unlock a record
and lock it again until it is submitted anew.
"""

from __future__ import annotations

from salesforce_org.access import is_administrator
from salesforce_org.approvals.people import acts_as
from salesforce_org.approvals.processes import process_of
from salesforce_org.store import DmlError, Org, Record, SObject

_LINES = ("OpportunityLineItem", "OrderItem", "QuoteLineItem")
UNLOCKED = "RecordUnlock"  # what is kept, by the id of the request, of a record that was unlocked by hand
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
    return instance is not None and _locks(org, instance) and not _unlocked(org, instance)


def _locks(org: Org, instance: Record) -> bool:
    if instance["Status"] == "Pending":
        return True
    process = process_of(org, instance)
    return bool(process and process.tree.get(_STAYS.get(instance["Status"], "")))


def _unlocked(org: Org, instance: Record) -> bool:
    return org.component(UNLOCKED, instance["Id"]) is not None


def turns(org: Org, id: str) -> str | None:
    """Return what the acting user may do about a record's lock: `Unlock`, `Lock`, or nothing."""
    instance = last(org, id)
    if instance is None or not _locks(org, instance) or not is_administrator(org, org.user_id):
        return None
    return "Lock" if _unlocked(org, instance) else "Unlock"


def turn(org: Org, id: str) -> None:
    """Unlock a record that an approval locks, or lock it again.

    Raises:
        DmlError: Nothing locks it, or the acting user is no administrator.
    """
    what, instance = turns(org, id), last(org, id)
    if what is None or instance is None:
        raise DmlError("INSUFFICIENT_ACCESS_OR_READONLY", "insufficient access rights on object id")
    org.put_component(UNLOCKED, instance["Id"], {} if what == "Unlock" else None)


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
