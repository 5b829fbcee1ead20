"""Writes of the Tooling API's objects that are components: `FullName` and `Metadata`, as JSON or as XML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from salesforce_org.api.dml import WRITERS
from salesforce_org.metadata import components, trees
from salesforce_org.metadata.listing import identity
from salesforce_org.metadata.registry import TYPES, Type
from salesforce_org.soql.tooling import PROJECTIONS
from salesforce_org.store import DmlError, Org
from salesforce_org.store.errors import NotThere

_WRITTEN = ("FullName", "Metadata")


@dataclass(frozen=True, slots=True)
class Components:
    """The components of one type."""

    type: Type

    def create(self, org: Org, table: Mapping[str, Any]) -> str:
        """Make a component and return its id.

        Raises:
            OrgError: It is refused.
        """
        name, tree = self._told(table)
        for needed in _WRITTEN:
            if not table.get(needed):
                raise DmlError(
                    "REQUIRED_FIELD_MISSING", f"Required fields are missing: [{needed}]", (needed,)
                )
        if self.type.source.read(org, name) is not None:
            raise components.taken(self.type, name)
        components.replace(org, self.type, name, tree)
        return identity(org, self.type, name)

    def change(self, org: Org, id: str, table: Mapping[str, Any]) -> None:
        """Replace a component or rename it.

        Raises:
            OrgError: It is refused.
        """
        name, tree = self._told(table)
        old = self._named(org, id)
        if tree:
            components.replace(org, self.type, old, tree)
        if name not in ("", old):
            components.rename(org, self.type, old, name)

    def remove(self, org: Org, id: str) -> None:
        """Delete a component.

        Raises:
            OrgError: No component has this id, or it cannot be deleted.
        """
        components.delete(org, self.type, self._named(org, id))

    def _named(self, org: Org, id: str) -> str:
        found = (name for name in components.names(org, self.type) if identity(org, self.type, name) == id)
        name = next(found, None)
        if name is None:
            raise NotThere("entity is deleted", "ENTITY_IS_DELETED")
        return name

    def _told(self, table: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        given = {name: value for name, value in table.items() if name not in ("attributes", "Id")}
        wrong = tuple(name for name in given if name not in _WRITTEN)
        if wrong:
            told = (
                f"Unable to create/update fields: {', '.join(wrong)}. Please check the security settings of this "
                "field and verify that it is read/write for your profile or permission set."
            )
            raise DmlError("INVALID_FIELD_FOR_INSERT_UPDATE", told, wrong)
        metadata = given.get("Metadata") or {}
        node = metadata if isinstance(metadata, Element) else _element("Metadata", metadata)
        name = str(given.get("FullName") or "")
        return name, trees.read(self.type.shape(name), node)


def _element(name: str, value: Any) -> Element:
    """Return JSON as XML, so that both are read with the same strictness."""
    node = Element(name)
    if not isinstance(value, Mapping):
        node.text = trees.written(value)
        return node
    for key, inner in value.items():
        entries = inner if isinstance(inner, list) else [] if inner is None else [inner]
        node.extend(_element(key, one) for one in entries)
    return node


for _one in PROJECTIONS:
    WRITERS[_one.called or _one.kind] = Components(TYPES[_one.kind])
