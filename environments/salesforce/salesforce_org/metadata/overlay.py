"""Definitions that begin in the schema: a component keeps only what differs from how it was built.

So an org in which everything is as it was built has no components for it, and a change that is taken back leaves none.
"""

from __future__ import annotations

from typing import Any

from salesforce_org.metadata.trees import Tree, ordered


def over(kind: str, built: Tree, kept: Tree | None) -> dict[str, Any]:
    """Return a definition as it is now; None in the component takes an element away."""
    return ordered(kind, {**built, **(kept or {})})


def difference(built: Tree, new: Tree) -> dict[str, Any] | None:
    """Return the component that makes a new definition out of the built one; None where none is needed."""
    told: dict[str, Any] = {name: value for name, value in new.items() if built.get(name) != value}
    told |= {name: None for name in built if name not in new}
    return told or None
