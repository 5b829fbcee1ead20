"""List views: a metadata component `Object.DeveloperName` holds what one shows; its record repeats its name.

The component is as in metadata: `label`, `filterScope`, `columns` and `filters` with the names that
metadata has for fields, `booleanFilter`, `sharedTo`. A view without `sharedTo` is seen by who made it alone.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from salesforce_org.store import Org
from salesforce_org.store.org import Tree

COLUMNS = Path(__file__).with_name("columns.toml")
EVERYBODY: Mapping[str, Any] = {"allInternalUsers": ""}


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition: a field, a metadata operation such as `notEqual`, and the value as text."""

    field: str
    operation: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class ListView:
    """What a list view shows, with fields by their own names; a dot leads to a parent's field.

    Attributes:
        scope: Metadata's filter scope: `Everything`, `Mine`, `Queue`, ...
        logic: Boolean filter over the numbers of the filters; empty means all of them.
        shared: Metadata's `sharedTo`; None for a private view.
    """

    object: str
    developer_name: str
    label: str
    columns: tuple[str, ...] = ()
    filters: tuple[Filter, ...] = ()
    scope: str = "Everything"
    logic: str = ""
    queue: str = ""
    shared: Mapping[str, Any] | None = None

    @property
    def full_name(self) -> str:
        """The component's name."""
        return f"{self.object}.{self.developer_name}"

    def tree(self) -> dict[str, Any]:
        """Return the component."""
        made: dict[str, Any] = {}
        if self.logic:
            made["booleanFilter"] = self.logic
        made["columns"] = [column_name(self.object, one) for one in self.columns]
        made["filterScope"] = self.scope
        made["filters"] = [
            {"field": column_name(self.object, one.field), "operation": one.operation, "value": one.value}
            for one in self.filters
        ]
        made["label"] = self.label
        if self.queue:
            made["queue"] = self.queue
        if self.shared is not None:
            made["sharedTo"] = dict(self.shared)
        return made


def read_list_view(object: str, developer_name: str, tree: Tree) -> ListView:
    """Return what a component says."""
    filters = (
        Filter(field_path(object, one["field"]), one["operation"], one.get("value", ""))
        for one in _several(tree.get("filters"))
    )
    return ListView(
        object,
        developer_name,
        tree["label"],
        tuple(field_path(object, one) for one in _several(tree.get("columns"))),
        tuple(filters),
        tree.get("filterScope", "Everything"),
        tree.get("booleanFilter", ""),
        tree.get("queue", ""),
        tree.get("sharedTo"),
    )


def list_views(org: Org, object: str) -> list[ListView]:
    """Return the list views of an object, by label."""
    found = [
        read_list_view(object, name.partition(".")[2], tree)
        for name, tree in org.components("ListView").items()
        if name.partition(".")[0] == object
    ]
    return sorted(found, key=lambda one: one.label.casefold())


def save_list_view(org: Org, view: ListView) -> None:
    """Store a list view, new or changed."""
    org.put_component("ListView", view.full_name, view.tree())


def column_name(object: str, path: str) -> str:
    """Return what metadata calls a field in list views."""
    return _columns().get(object, {}).get(path, path)


def field_path(object: str, column: str) -> str:
    """Return the field that metadata calls so in list views."""
    return _paths().get(object, {}).get(column, column)


def _several(given: Any) -> Iterable[Any]:
    return given if isinstance(given, list | tuple) else () if given in (None, "") else (given,)


@cache
def _columns() -> dict[str, dict[str, str]]:
    return tomllib.loads(COLUMNS.read_text(encoding="utf-8"))


@cache
def _paths() -> dict[str, dict[str, str]]:
    return {object: {name: path for path, name in table.items()} for object, table in _columns().items()}
