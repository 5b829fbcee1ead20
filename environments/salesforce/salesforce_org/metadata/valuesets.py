"""Sets of picklist values; the store keeps an entry's text as `value`, metadata calls it `fullName`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from salesforce_org.metadata.errors import MetadataError, missing, unfit
from salesforce_org.metadata.shapes import shapes
from salesforce_org.metadata.trees import Tree, ordered
from salesforce_org.store import Org, Record


@dataclass(frozen=True, slots=True)
class ValueSets:
    """Standard or global value sets.

    Attributes:
        entries: The element that holds the entries.
        fixed: Whether sets neither come nor go.
    """

    kind: str
    entries: str
    fixed: bool

    def names(self, org: Org) -> Iterable[str]:
        """Return the names of the sets."""
        return list(org.components(self.kind))

    def read(self, org: Org, name: str) -> Tree | None:
        """Return a set."""
        kept = org.component(self.kind, name)
        if kept is None:
            return None
        entries = [_entry(one) for one in kept[self.entries]]
        return ordered(self.kind, {"sorted": False, **kept, self.entries: entries})

    def write(self, org: Org, name: str, tree: Tree) -> None:
        """Store a set."""
        kept = org.component(self.kind, name)
        if kept is None and self.fixed:
            raise missing(self.kind, name)
        if kept is not None and self.read(org, name) == dict(tree):
            return
        before = {one["value"]: one for one in (kept or {}).get(self.entries, ()) if not isinstance(one, str)}
        entries = [_kept(one, before) for one in tree.get(self.entries, ())]
        _refuse_double(entries)
        said = {name: value for name, value in tree.items() if value is not False or name in (kept or {})}
        org.put_component(self.kind, name, {**said, self.entries: entries})

    def delete(self, org: Org, name: str) -> None:
        """Delete a set that no field uses."""
        if org.component(self.kind, name) is None:
            raise missing(self.kind, name)
        if self.fixed:
            raise MetadataError("INVALID_TYPE", f"{self.kind} {name} cannot be deleted")
        for kind in org.schema.objects.values():
            for field in kind.fields:
                if field.value_set == name:
                    raise MetadataError(
                        "DEPENDENCY_EXISTS",
                        f"This global value set is in use. : Custom Field - {kind.name}.{field.name}",
                    )
        org.put_component(self.kind, name, None)

    def record(self, org: Org, name: str) -> Record | None:
        """They are no records."""
        return None


def _entry(kept: Mapping[str, Any] | str) -> dict[str, Any]:
    if isinstance(kept, str):
        return {"fullName": kept, "default": False, "label": kept}
    told = {"default": False, "label": kept["value"], **kept, "fullName": kept["value"]}
    del told["value"]
    if "active" in told:
        told["isActive"] = told.pop("active")
    return told


def _kept(entry: Tree, before: Mapping[str, Tree]) -> dict[str, Any]:
    """Return an entry as it is stored, with what the org knows of it beyond metadata."""
    told = dict(entry)
    value = told.pop("fullName", None) or told.get("label")
    if not value:
        raise unfit("A value of a value set needs a fullName", "fullName")
    if "isActive" in told:
        told["active"] = told.pop("isActive")
    else:
        told.pop("active", None)
    beyond = {key: one for key, one in before.get(value, {}).items() if key not in shapes()["StandardValue"]}
    numbers = {name: int(told[name]) for name in ("probability",) if name in told}
    return {**beyond, "value": value, "label": value, **told, **numbers}


def _refuse_double(entries: list[dict[str, Any]]) -> None:
    seen: set[str] = set()
    for one in entries:
        if one["value"].casefold() in seen:
            raise MetadataError("DUPLICATE_VALUE", f"Duplicate picklist value: {one['value']}", ("fullName",))
        seen.add(one["value"].casefold())
