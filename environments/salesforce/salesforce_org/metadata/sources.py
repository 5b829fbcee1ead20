"""Where the components of a metadata type are kept, and how they are read, written and deleted.

A tree holds the elements of a component but for its full name. Writing a tree that was just read changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from salesforce_org.metadata.errors import missing
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record


class Source(Protocol):
    """The components of one type."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names of all components."""
        ...

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a component, or None."""
        ...

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Create a component or replace it.

        Raises:
            OrgError: It is refused.
        """
        ...

    def delete(self, org: Org, name: str) -> None:
        """Delete a component.

        Raises:
            OrgError: There is none, or it cannot go.
        """
        ...

    def record(self, org: Org, name: str) -> Record | None:
        """Return the record behind a component, which knows its id and dates; None where it is no record."""
        ...


@dataclass(frozen=True, slots=True)
class Components:
    """Components that are nothing else, such as layouts and apps."""

    kind: str

    def names(self, org: Org) -> Iterable[str]:
        """Return the full names of all components."""
        return list(org.components(self.kind))

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a component."""
        kept = org.component(self.kind, name)
        return None if kept is None else nameless(self.kind, kept)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a component; a name that stood in its tree stays there."""
        kept = org.component(self.kind, name) or {}
        if not kept or nameless(self.kind, kept) != dict(tree):
            named = {"fullName": kept["fullName"]} if "fullName" in kept else {}
            org.put_component(self.kind, name, {**named, **tree})

    def delete(self, org: Org, name: str) -> None:
        """Remove a component."""
        if org.component(self.kind, name) is None:
            raise missing(self.kind, name)
        org.put_component(self.kind, name, None)

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None


@dataclass(frozen=True, slots=True)
class Settings:
    """The org's settings by area: `Security` is a tree of the type `SecuritySettings`; they are never deleted."""

    def names(self, org: Org) -> Iterable[str]:
        """Return the areas that have settings."""
        return list(org.components("Settings"))

    def read(self, org: Org, name: str) -> Tree | None:
        """Return the settings of an area."""
        return org.component("Settings", name)

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store the settings of an area; what the tree does not mention stays."""
        kept = org.component("Settings", name) or {}
        org.put_component("Settings", name, ordered(f"{name}Settings", merged(kept, tree)))

    def delete(self, org: Org, name: str) -> None:
        """Refuse."""
        raise missing("Settings", name)

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None


def nameless(kind: str, tree: Tree) -> dict[str, Any]:
    """Return a tree without its full name."""
    return {key: value for key, value in ordered(kind, tree).items() if key != "fullName"}


def merged(old: Tree, new: Tree) -> dict[str, Any]:
    """Return a tree with the elements of another put over its own, trees within trees alike."""
    both = dict(old)
    for name, value in new.items():
        inner = both.get(name)
        both[name] = (
            merged(inner, value) if isinstance(inner, Mapping) and isinstance(value, Mapping) else value
        )
    return both
