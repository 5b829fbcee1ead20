"""Components that are entries of another one's tree, such as a rule among an object's matching rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.errors import missing
from salesforce_org.metadata.fields import split
from salesforce_org.metadata.trees import Tree
from salesforce_org.store import Org, Record


@dataclass(frozen=True, slots=True)
class Entries:
    """Entries of one element of the components of a type, called `<component>.<entry>`."""

    kind: str
    parent: str
    element: str

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names of all entries of all components."""
        return [
            f"{whole}.{entry['fullName']}"
            for whole, tree in org.components(self.parent).items()
            for entry in tree.get(self.element, ())
        ]

    def read(self, org: Org, name: str) -> Tree | None:
        """Return an entry."""
        whole, _, own = name.partition(".")
        found = next((one for one in self._entries(org, whole) if one["fullName"] == own), None)
        return None if found is None else {key: value for key, value in found.items() if key != "fullName"}

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Put an entry in the place of the one of its name, or after all others."""
        whole, own = split(name)
        entry = {"fullName": own, **tree}
        entries = self._entries(org, whole)
        kept = [entry if one["fullName"] == own else one for one in entries]
        self._put(org, whole, kept if entry in kept else [*kept, entry])

    def delete(self, org: Org, name: str) -> None:
        """Take an entry out."""
        whole, own = split(name)
        if self.read(org, name) is None:
            raise missing(self.kind, name)
        self._put(org, whole, [one for one in self._entries(org, whole) if one["fullName"] != own])

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None

    def _entries(self, org: Org, whole: str) -> list[dict[str, Any]]:
        return list((org.component(self.parent, whole) or {}).get(self.element, ()))

    def _put(self, org: Org, whole: str, entries: list[dict[str, Any]]) -> None:
        tree = {**(org.component(self.parent, whole) or {}), self.element: entries}
        filled = {key: value for key, value in tree.items() if value != []}
        org.put_component(self.parent, whole, filled or None)
