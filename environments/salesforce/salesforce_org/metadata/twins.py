"""Components of which a record tells name and a few values, while the rest is kept under the same name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from salesforce_org.metadata.errors import missing
from salesforce_org.metadata.records import api_name, drop, find, said, save
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record


@dataclass(frozen=True, slots=True)
class Twins:
    """Components with a record each.

    Attributes:
        object: The object of the records.
        told: Elements that are the record's, and their fields.
        named: The field that holds the name; with `owned`, full names are `Object.Name`.
        only: Values of the records among those of their object that are components.
    """

    kind: str
    object: str
    told: Mapping[str, str]
    named: str = "DeveloperName"
    owned: bool = False
    only: Mapping[str, str] = field(default_factory=dict)

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names."""
        rows = [row for row in org.rows(self.object, **self.only) if row[self.named]]
        return [f"{row['SobjectType']}.{row[self.named]}" if self.owned else row[self.named] for row in rows]

    def record(self, org: Org, name: str) -> Record | None:
        """Return the record."""
        return find(org, self.object, **self._key(name))

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a component."""
        row = self.record(org, name)
        if row is None:
            return None
        told = said(**{element: row[field] for element, field in self.told.items()})
        return ordered(self.kind, {**(org.component(self.kind, name) or {}), **told})

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a component and its record."""
        key = self._key(name)
        if key.get("SobjectType", "") not in ("", *org.schema.objects):
            raise missing("CustomObject", key["SobjectType"])
        row = self.record(org, name)
        values = {field: tree.get(element) for element, field in self.told.items()}
        if row is None and self.named == "DeveloperName":
            api_name(key[self.named])
        save(org, self.object, row, values if row else {**values, **key})
        rest = {element: value for element, value in tree.items() if element not in self.told}
        org.put_component(self.kind, name, rest or None)

    def delete(self, org: Org, name: str) -> None:
        """Delete a component and its record."""
        row = self.record(org, name)
        if row is None:
            raise missing(self.kind, name)
        drop(org, row["Id"])
        org.put_component(self.kind, name, None)

    def _key(self, name: str) -> dict[str, str]:
        if not self.owned:
            return {self.named: name, **self.only}
        object, _, own = name.partition(".")
        return {"SobjectType": object, self.named: own}
