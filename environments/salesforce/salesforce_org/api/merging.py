"""Merging records: what points to one points to another afterwards, and the one is deleted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from salesforce_org.api import dml
from salesforce_org.api.objects import record_of
from salesforce_org.store import DmlError, Org, SObject

MERGED = ("Account", "Case", "Contact", "Lead")
MOST = 2


def merged(org: Org, kind: SObject, id: str, others: Sequence[str], table: Mapping[str, Any]) -> list[str]:
    """Merge others into a record, change its fields, and return the ids of the records that point to it now.

    Raises:
        OrgError: It is refused.
    """
    if kind.name not in MERGED:
        raise DmlError("INVALID_TYPE_FOR_OPERATION", f"entity type {kind.name} does not support merge")
    if len(others) > MOST:
        raise DmlError(
            "NUMBER_OUTSIDE_VALID_RANGE", f"no more than {MOST} records can be merged into another"
        )
    if id in others:
        raise DmlError("INVALID_FIELD", "the master record cannot be merged into itself")
    for one in (id, *others):
        record_of(org, kind, one)
    moved = []
    for one in others:
        for child, reference in org.schema.children.get(kind.name, ()):
            if not reference.updateable:
                continue  # it goes with what it is part of
            for row in list(org.rows(child.name, **{reference.name: one})):
                if row["Id"] not in (id, *others):
                    org.update(row["Id"], **{reference.name: id})
                    moved.append(str(row["Id"]))
        dml.remove(org, kind, one)
    if table:
        dml.change(org, kind, id, table)
    return moved
