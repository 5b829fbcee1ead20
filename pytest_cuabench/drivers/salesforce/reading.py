"""Reads snapshots of an org: whole objects in batches of queries, metadata types as retrieved files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.errors import OrgError
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.snapshot import (
    CHANGED,
    CREATED,
    Components,
    Listing,
    Record,
    Records,
    Snapshot,
)
from pytest_cuabench.errors import EnvironmentFailure

STAMP = "LastModifiedDate"
_CHANGED = ("INVALID_FIELD", "INVALID_TYPE")  # the cached description is outdated


class Reader:
    """Reads one org.

    Args:
        stamped: Whether to read SystemModstamp, which is not compared.

    Attributes:
        ignored: Ids of deactivated test users; they and their undeletable records are skipped.
    """

    def __init__(
        self, client: OrgClient, org: str, ignored: frozenset[str] = frozenset(), *, stamped: bool = False
    ) -> None:
        self.client, self.org, self.ignored, self._stamped = client, org, ignored, stamped
        self.described: dict[str, ObjectInfo] = {}
        self._names: frozenset[str] | None = None
        self._types: frozenset[str] | None = None

    def cache_descriptions(self, other: Reader) -> None:
        """Copy the cached descriptions of an org with the same schema."""
        self.described, self._names, self._types = dict(other.described), other._names, other._types
        self.client.cache_descriptions(other.described)

    async def read(self, watched: Watched, taken: str | None = None) -> Snapshot:
        """Read the watched objects and types that exist; `taken` defaults to the org's current time.

        Raises:
            EnvironmentFailure: The org lacks an object that a task needs, or does not answer.
        """
        moment = taken or await self.client.now()
        objects = await self.existing(watched)
        records, components, listed = await asyncio.gather(
            self.records(objects), self.components(watched.components), self.listed(watched.listed)
        )
        unread = {
            kind: {name: one for name, one in rows.items() if name not in components.get(kind, {})}
            for kind, rows in listed.items()
        }
        return Snapshot(self.org, moment, records, components, unread)

    async def records(self, objects: Iterable[str]) -> Records:
        """Return all records of some objects; fields and objects may be deleted meanwhile."""
        wanted = list(objects)
        try:
            return await self._records(wanted)
        except OrgError as refusal:
            if refusal.code not in _CHANGED:
                raise
        self.client.clear_descriptions()
        self._names = None
        return await self._records([name for name in wanted if name in await self.queryable_objects()])

    async def _records(self, objects: Sequence[str]) -> Records:
        infos = await self._describe(objects)
        found = await self.client.read([self._query(info) for info in infos.values()])
        return {
            name: {row["Id"]: row for row in rows if not self._is_ignored(infos[name], row)}
            for name, rows in zip(infos, found, strict=True)
        }

    async def record(self, object: str, id: str) -> Record | None:
        """Return one record; None if it does not exist."""
        info = (await self._describe([object]))[object]
        found = await self.client.query(f"{self._query(info)} WHERE Id = '{id}'")
        return found[0] if found else None

    async def components(self, kinds: Mapping[str, Sequence[str]]) -> Components:
        """Return components by type and full name; a type without components has an empty mapping."""
        listed = await self.listed(kind for kind, names in kinds.items() if not names)
        wanted = {kind: list(names) or sorted(listed.get(kind, {})) for kind, names in kinds.items()}
        found = await self.client.metadata.retrieve(wanted) if any(wanted.values()) else {}
        return {kind: found.get(kind, {}) for kind in kinds}

    async def listed(self, kinds: Iterable[str]) -> Listing:
        """Return the stamps of all components of some types, by type and full name; unknown types are left out."""
        wanted = sorted(set(kinds))
        if not wanted:
            return {}
        if self._types is None:
            self._types = await self.client.metadata.names()
        known = [kind for kind in wanted if kind in self._types]
        found: dict[str, dict[str, Mapping[str, str]]] = {kind: {} for kind in known}
        for one in await self.client.metadata.list(known):
            stamps = {name: str(one.get(name) or "") for name in (CREATED, CHANGED)}
            found.setdefault(one["type"], {})[one["fullName"]] = stamps
        return found

    async def queryable_objects(self) -> frozenset[str]:
        """Return the names of all objects of the org that can be queried."""
        if self._names is None:
            objects = await self.client.objects()
            self._names = frozenset(name for name, one in objects.items() if one.get("queryable", True))
        return self._names

    async def existing(self, watched: Watched) -> list[str]:
        """Return the watched objects that the org has.

        Raises:
            EnvironmentFailure: A required one is missing.
        """
        known = await self.queryable_objects()
        if missing := sorted(watched.required - known):
            raise EnvironmentFailure(
                f"the org at {self.client.transport.address} has no object {', '.join(missing)}, which the task needs"
            )
        return sorted(watched.objects & known)

    async def _describe(self, names: Iterable[str]) -> dict[str, ObjectInfo]:
        infos = await self.client.describe(names)
        self.described |= infos
        return infos

    def _query(self, info: ObjectInfo) -> str:
        stamp = (STAMP,) if self._stamped and STAMP in info.fields else ()
        return f"SELECT {', '.join((*info.readable, *stamp))} FROM {info.name}"  # noqa: S608 - names that the org gave

    def _is_ignored(self, info: ObjectInfo, row: Record) -> bool:
        if not self.ignored:
            return False
        # Records that cannot be deleted stay with a user that was deactivated.
        return row["Id"] in self.ignored or (
            not info.deletable and any(id in self.ignored for id in info.references(row))
        )
