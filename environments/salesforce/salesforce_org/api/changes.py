"""Which records of an object changed or were deleted in a time."""

from __future__ import annotations

from datetime import timedelta

from salesforce_org.api.call import ApiError
from salesforce_org.store import Org, SObject
from salesforce_org.store.values import moment, read_moment

SHORTEST = timedelta(minutes=1)


def updated(org: Org, kind: SObject, start: str, end: str) -> tuple[list[str], str]:
    """Return the ids of records that changed, and until when that is known."""
    found = [
        row["Id"] for row in org.rows(kind.name) if start[:19] <= str(row["SystemModstamp"])[:19] <= end[:19]
    ]
    return found, end


def deleted(org: Org, kind: SObject, start: str, end: str) -> list[dict[str, str | None]]:
    """Return the ids of records that were deleted, and when."""
    return [
        {"id": row["Id"], "deletedDate": org.deleted_at(row["Id"])}
        for name, row in org.deleted()
        if name == kind.name and start[:19] <= str(org.deleted_at(row["Id"]))[:19] <= end[:19]
    ]


def span(start: str, end: str) -> tuple[str, str]:
    """Return start and end as records hold moments.

    Raises:
        ApiError: They are no moments, or not in order.
    """
    try:
        first, last = (read_moment(one.strip().replace(" ", "+")) for one in (start, end))
    except ValueError:
        raise ApiError(400, "INVALID_REPLICATION_DATE", "start and end must be moments in ISO 8601") from None
    if last - first < SHORTEST:
        told = "The end date must be at least one minute greater than the start date."
        raise ApiError(400, "INVALID_REPLICATION_DATE", told)
    return moment(first), moment(last)
