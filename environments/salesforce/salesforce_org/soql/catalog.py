"""What a query may read: the org's objects and those that are computed, with or without the recycle bin."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cached_property
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from salesforce_org.soql import virtual
from salesforce_org.store import Field, Org, Record, SObject


class Catalog:
    """Objects and records as one query sees them."""

    def __init__(self, org: Org, *, tooling: bool = False, all_rows: bool = False) -> None:
        self.org = org
        self.all_rows = all_rows
        self._virtual = virtual.tables(tooling)
        self._computed: dict[str, Mapping[str, Record]] = {}

    def object(self, name: str) -> SObject | None:
        """Return the object of a name in any case."""
        table = self._virtual.get(name.casefold())
        return table.object if table else self.org.schema.get(name)

    def of_id(self, id: str) -> SObject | None:
        """Return the object that an id is of."""
        return self.org.schema.of_id(id)

    def computed(self, object: SObject) -> bool:
        """Whether nothing of an object is stored."""
        return object.name.casefold() in self._virtual

    def table(self, object: SObject) -> Mapping[str, Record] | None:
        """Return the records of a computed object by id; None for a stored one."""
        table = self._virtual.get(object.name.casefold())
        if table is None:
            return None
        if object.name not in self._computed:
            rows = list(table.rows(self.org))
            self._computed[object.name] = {str(row[table.key]): row for row in rows}
        return self._computed[object.name]

    def rows(self, object: SObject) -> list[Record]:
        """Return all records of an object, oldest first."""
        computed = self.table(object)
        if computed is not None:
            return list(computed.values())
        found = list(self.org.rows(object.name))
        if self.all_rows:
            found += [row for row in self._bin.values() if row["Id"][:3] == object.prefix]
        return found

    def get(self, object: SObject, id: str | None) -> Record | None:
        """Return the record of an id."""
        if id is None:
            return None
        computed = self.table(object)
        if computed is not None:
            return computed.get(id)
        found = self.org.get(object.name, id)
        return found or (self._bin.get(id) if self.all_rows else None)

    def key(self, object: SObject, row: Record) -> str:
        """Return the value by which other records point to one of an object."""
        table = self._virtual.get(object.name.casefold())
        return str(row[table.key if table else "Id"])

    def child(self, parent: SObject, relationship: str) -> tuple[SObject, Field] | None:
        """Return the object and the reference behind a child relationship, in any case."""
        wanted = relationship.casefold()
        for table in self._virtual.values():
            for field in table.object.fields:
                if (not field.to or parent.name in field.to) and (field.children or "").casefold() == wanted:
                    return table.object, field
        return self.org.schema.child(parent.name, relationship)

    @cached_property
    def _bin(self) -> Mapping[str, Record]:
        return {row["Id"]: {**row, "IsDeleted": True} for _, row in self.org.deleted()}

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone of the acting user."""
        user = self.org.get("User", self.org.user_id) if "User" in self.org.schema.objects else None
        try:
            return ZoneInfo(str((user or {})["TimeZoneSidKey"]))
        except (KeyError, ValueError, ZoneInfoNotFoundError):
            return self.org.zone

    @cached_property
    def today(self) -> date:
        """The date where the acting user is."""
        return self.org.now.astimezone(self.zone).date()

    @cached_property
    def fiscal_month(self) -> int:
        """The month in which the fiscal year begins."""
        if "Organization" not in self.org.schema.objects:
            return 1
        return next((int(row.get("FiscalYearStartMonth") or 1) for row in self.org.rows("Organization")), 1)
