"""Detection of reverted writes in a live org, from record timestamps, the recycle bin and the Setup audit trail.

A live org has no journal. The writes derived here have unknown fields, represented by `UNKNOWN`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.difference import Describes
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.reading import STAMP
from pytest_cuabench.drivers.salesforce.snapshot import Record, Snapshot
from pytest_cuabench.task.evidence import Write

UNKNOWN = "fields that the org does not tell"
SETUP = "setup"


async def reverted_writes(
    client: OrgClient, before: Snapshot, now: Snapshot, described: Describes, *, setup: bool
) -> list[Write]:
    """Return the writes since a snapshot that were reverted, so that the records do not show them.

    `setup` includes the Setup audit trail, which in a shared org also lists the changes of others.
    """
    infos = [described[name] for name in before.records if name in described]
    binned = await asyncio.gather(*(_binned(client, before.taken, info) for info in infos))
    return [
        *_stamped(before, now, infos),
        *(write for writes in binned for write in writes),
        *(await _setup(client, before.taken) if setup else ()),
    ]


def _stamped(before: Snapshot, now: Snapshot, infos: Iterable[ObjectInfo]) -> Iterator[Write]:
    """Yield records whose SystemModstamp changed while no writable field differs."""
    for info in infos:
        old, new = before.records[info.name], now.records.get(info.name, {})
        for key in sorted(set(old) & set(new)):
            moved = old[key].get(STAMP) != new[key].get(STAMP)
            if moved and all(old[key].get(name) == new[key].get(name) for name in info.compared):
                yield Write(info.name, key, "update", _stamp(old[key]), _stamp(new[key]))


def _stamp(row: Record) -> Record:
    return {UNKNOWN: row.get(STAMP)}


async def _binned(client: OrgClient, since: str, info: ObjectInfo) -> list[Write]:
    """Return the writes of records created and deleted since a moment, from the recycle bin."""
    if not {"IsDeleted", "CreatedDate"} <= set(info.fields):
        return []
    soql = (
        f"SELECT {', '.join(info.readable)} FROM {info.name} "  # noqa: S608 - names and a moment of the org
        f"WHERE IsDeleted = true AND CreatedDate >= {since.replace('+00:00', 'Z')}"
    )
    try:
        rows = await client.query(soql, deleted=True)
    except OrgError:  # some objects have no recycle bin
        return []
    return [write for row in rows for write in _inserted_and_deleted(info.name, row)]


def _inserted_and_deleted(object: str, row: Record) -> Iterator[Write]:
    yield Write(object, row["Id"], "insert", None, row)
    yield Write(object, row["Id"], "delete", row, None)


async def _setup(client: OrgClient, since: str) -> list[Write]:
    """Return the entries of the Setup audit trail since a moment, by section."""
    soql = (
        "SELECT Id, Action, Section, Display FROM SetupAuditTrail "  # noqa: S608 - a moment of the org
        f"WHERE CreatedDate >= {since.replace('+00:00', 'Z')} ORDER BY CreatedDate"
    )
    try:
        rows = await client.query(soql)
    except OrgError:  # the user may not read it: see docs/salesforce.md
        return []
    return [
        Write(
            f"{SETUP}/{row.get('Section') or 'Setup'}",
            row["Id"],
            "update",
            {UNKNOWN: None},
            {**row, UNKNOWN: row.get("Action")},
        )
        for row in rows
    ]
