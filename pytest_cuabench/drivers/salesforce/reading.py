"""Reads snapshots of an org: whole objects in batches of queries, metadata types as retrieved files."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from pytest_cuabench.drivers.salesforce.client import OrgClient
from pytest_cuabench.drivers.salesforce.describing import ObjectInfo
from pytest_cuabench.drivers.salesforce.resources import Watched
from pytest_cuabench.drivers.salesforce.snapshot import Components, Record, Records, Snapshot
from pytest_cuabench.errors import EnvironmentFailure

# Types that a wildcard does not retrieve.
_NAMED_ONLY = frozenset({"StandardValueSet", "Report", "Dashboard", "EmailTemplate", "Document", "Settings"})


class Reader:
    """Reads one org.

    Attributes:
        ignored: Ids of users who are of no account; what belongs to them and cannot be deleted is none either.
    """

    def __init__(self, client: OrgClient, org: str, ignored: frozenset[str] = frozenset()) -> None:
        self.client, self.org, self.ignored = client, org, ignored
        self.described: dict[str, ObjectInfo] = {}
        self._names: frozenset[str] | None = None

    def learn(self, other: Reader) -> None:
        """Take over what is known of an org of the same shape."""
        self.described, self._names = dict(other.described), other._names
        self.client.learn(other.described)

    async def read(self, watched: Watched, taken: str | None = None) -> Snapshot:
        """Read what is watched and there; `taken` is the moment where it is known already.

        Raises:
            EnvironmentFailure: The org lacks an object that a task needs, or does not answer.
        """
        moment = taken or await self.client.now()
        objects = await self.present(watched)
        records, components = await asyncio.gather(self.records(objects), self.components(watched.components))
        return Snapshot(self.org, moment, records, components)

    async def records(self, objects: Iterable[str]) -> Records:
        """Return all records of some objects."""
        infos = await self._describe(objects)
        found = await self.client.read([_query(info) for info in infos.values()])
        return {
            name: {row["Id"]: row for row in rows if not self._of_no_account(infos[name], row)}
            for name, rows in zip(infos, found, strict=True)
        }

    async def record(self, object: str, id: str) -> Record | None:
        """Return one record; None where there is none."""
        info = (await self._describe([object]))[object]
        found = await self.client.query(f"{_query(info)} WHERE Id = '{id}'")
        return found[0] if found else None

    async def components(self, kinds: Mapping[str, Sequence[str]]) -> Components:
        """Return components by type and full name; a type of which there is none is an empty table."""
        if not kinds:
            return {}
        everything = [kind for kind, names in kinds.items() if not names and kind in _NAMED_ONLY]
        listed = await self.client.metadata.list(everything) if everything else []
        wanted = {
            kind: list(names) or [one["fullName"] for one in listed if one["type"] == kind] or ["*"]
            for kind, names in kinds.items()
        }
        found = await self.client.metadata.retrieve(wanted)
        return {kind: found.get(kind, {}) for kind in kinds}

    async def there(self) -> frozenset[str]:
        """Return the names of all objects of the org that can be queried."""
        if self._names is None:
            told = await self.client.objects()
            self._names = frozenset(name for name, one in told.items() if one.get("queryable", True))
        return self._names

    async def present(self, watched: Watched) -> list[str]:
        """Return the watched objects that the org has.

        Raises:
            EnvironmentFailure: It lacks one that a task needs.
        """
        known = await self.there()
        if missing := sorted(watched.required - known):
            raise EnvironmentFailure(
                f"the org at {self.client.transport.address} has no object {', '.join(missing)}, which the task needs"
            )
        return sorted(watched.objects & known)

    async def _describe(self, names: Iterable[str]) -> dict[str, ObjectInfo]:
        infos = await self.client.describe(names)
        self.described |= infos
        return infos

    def _of_no_account(self, info: ObjectInfo, row: Record) -> bool:
        if not self.ignored:
            return False
        return row["Id"] in self.ignored or (
            not info.deletable and any(id in self.ignored for id in info.references(row))
        )


def _query(info: ObjectInfo) -> str:
    return f"SELECT {', '.join(info.readable)} FROM {info.name}"  # noqa: S608 - names that the org gave
