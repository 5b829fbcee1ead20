"""Reports and dashboards, in folders. What only one user sees is not part of the org's metadata."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from salesforce_org.metadata.errors import missing
from salesforce_org.metadata.records import api_name, find
from salesforce_org.metadata.sources import nameless
from salesforce_org.metadata.trees import Tree
from salesforce_org.reports.stored import FIELDS, Place, place_named, remove, save
from salesforce_org.store import Org, Record


@dataclass(frozen=True, slots=True)
class Filed:
    """The public components of `Report` or `Dashboard`."""

    kind: str

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names."""
        return [name for name in org.components(self.kind) if self._place(org, name)]

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a component."""
        tree = org.component(self.kind, name)
        return nameless(self.kind, tree) if tree is not None and self._place(org, name) else None

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a component and its record."""
        if self.read(org, name) == dict(tree):
            return
        place = self._place(org, name)
        if place is None:
            raise missing(f"{self.kind}Folder", name.rpartition("/")[0])
        row = self.record(org, name)
        with org.transaction():
            save(org, self.kind, row["Id"] if row else "", place, api_name(name.rpartition("/")[2]), tree)

    def delete(self, org: Org, name: str) -> None:
        """Delete a component and its record."""
        row = self.record(org, name)
        if row is None:
            raise missing(self.kind, name)
        remove(org, self.kind, row)

    def record(self, org: Org, name: str) -> Record | None:
        """Return the record that goes with a component."""
        place = self._place(org, name)
        fields = {FIELDS[self.kind][1]: place.id} if place else {}
        return find(org, self.kind, DeveloperName=name.rpartition("/")[2], **fields) if place else None

    def _place(self, org: Org, name: str) -> Place | None:
        found = place_named(org, self.kind, name.rpartition("/")[0])
        return found if found and not found.private else None
