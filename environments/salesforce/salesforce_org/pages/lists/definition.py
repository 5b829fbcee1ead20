"""What a list view holds: stored as the record ListView with its name, and the component with everything else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from salesforce_org.pages.layout import layout_of
from salesforce_org.pages.lists.tokens import field_name, token
from salesforce_org.store import DmlError, Org, Record, SObject

RECENT = "__Recent"
LONGEST = 15


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition, such as Stage equals Prospecting."""

    field: str
    operation: str
    value: str


@dataclass(frozen=True)
class ListDefinition:
    """A list view.

    Attributes:
        id: Of its record; `__Recent` for the records looked at last.
        scope: Everything, Mine, Queue or MyTeam.
        logic: How the filters are combined, `1 AND 2`; all of them where it is empty.
        shared: None where only its author sees it, else whom it is shared with; an empty one is everybody.
    """

    id: str
    object: SObject
    name: str
    developer: str
    columns: tuple[str, ...]
    filters: tuple[Filter, ...] = ()
    scope: str = "Everything"
    logic: str = ""
    shared: Mapping[str, tuple[str, ...]] | None = None

    @property
    def full_name(self) -> str:
        """The component's name."""
        return f"{self.object.name}.{self.developer}"

    @property
    def recent(self) -> bool:
        """Whether it is the list of records looked at last."""
        return self.id == RECENT


def all_lists(org: Org, kind: SObject) -> list[ListDefinition]:
    """Return the lists of an object that the acting user may see, by name, the recent records first."""
    made = [of_record(org, row) for row in org.rows("ListView", SobjectType=kind.name) if _seen(org, row)]
    return [recent(kind), *sorted(made, key=lambda one: one.name.casefold())]


def recent(kind: SObject) -> ListDefinition:
    """Return the list of the records looked at last."""
    return ListDefinition(RECENT, kind, "Recently Viewed", RECENT, layout_of(kind).columns)


def of_record(org: Org, row: Record) -> ListDefinition:
    """Return what a record of ListView stands for."""
    kind = org.schema[row["SobjectType"]]
    tree = org.component("ListView", f"{kind.name}.{row['DeveloperName']}") or {}
    columns = tuple(field_name(kind, one) for one in _many(tree.get("columns")))
    filters = tuple(
        Filter(field_name(kind, one["field"]), one["operation"], str(one.get("value") or ""))
        for one in _many(tree.get("filters"))
    )
    return ListDefinition(
        row["Id"],
        kind,
        row["Name"],
        row["DeveloperName"],
        columns or layout_of(kind).columns,
        filters,
        str(tree.get("filterScope") or "Everything"),
        str(tree.get("booleanFilter") or ""),
        _shared(tree),
    )


def save(org: Org, one: ListDefinition) -> str:
    """Store a list view and return its record's id.

    Raises:
        DmlError: Its names are missing or taken.
    """
    _check(org, one)
    values = {"Name": one.name, "DeveloperName": one.developer}
    id, old = one.id, org.get("ListView", one.id)
    with org.unchecked():
        if old is None:
            id = org.insert("ListView", SobjectType=one.object.name, **values)
        elif any(old[name] != value for name, value in values.items()):
            org.update(id, **values)
    if old is not None and old["DeveloperName"] != one.developer:
        org.put_component("ListView", f"{one.object.name}.{old['DeveloperName']}", None)
    org.put_component("ListView", one.full_name, _tree(one))
    return id


def remove(org: Org, one: ListDefinition) -> None:
    """Delete a list view."""
    with org.unchecked():
        org.delete(one.id)
    org.put_component("ListView", one.full_name, None)


def developer_name(name: str) -> str:
    """Return the API name that the page proposes for a label."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    return plain if plain[:1].isalpha() or not plain else f"X{plain}"


def copy(one: ListDefinition) -> ListDefinition:
    """Return the list that `Clone` begins with."""
    name = f"Copy of {one.name}"[:40]
    return replace(one, id="", name=name, developer=developer_name(name))


def _check(org: Org, one: ListDefinition) -> None:
    if not one.name:
        raise DmlError("REQUIRED_FIELD_MISSING", "Complete this field.", ("Name",))
    if len(one.name) > 40:
        raise DmlError("STRING_TOO_LONG", "The list name can't have more than 40 characters.", ("Name",))
    if not re.fullmatch(r"[A-Za-z](?:_?[A-Za-z0-9])*", one.developer):
        raise DmlError(
            "INVALID_FIELD",
            "The list API name must begin with a letter, use only letters, digits and underscores, and neither "
            "end with an underscore nor have two in a row.",
            ("DeveloperName",),
        )
    for row in org.rows("ListView", SobjectType=one.object.name):
        if row["Id"] != one.id and row["DeveloperName"].casefold() == one.developer.casefold():
            raise DmlError("DUPLICATE_DEVELOPER_NAME", "This list API name is taken.", ("DeveloperName",))


def _tree(one: ListDefinition) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    if one.logic:
        tree["booleanFilter"] = one.logic
    tree["columns"] = [token(one.object, name) for name in one.columns]
    tree["filterScope"] = one.scope
    if one.filters:
        tree["filters"] = [_condition(one.object, condition) for condition in one.filters]
    if one.shared is not None:
        tree["sharedTo"] = {name: list(values) for name, values in one.shared.items()} or {
            "allInternalUsers": ""
        }
    return tree


def _condition(kind: SObject, one: Filter) -> dict[str, str]:
    made = {"field": token(kind, one.field), "operation": one.operation}
    return made | {"value": one.value} if one.value else made


def _shared(tree: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]] | None:
    if "sharedTo" not in tree:
        return None
    told = tree["sharedTo"] or {}
    return {
        name: tuple(_many(told[name])) for name in ("group", "role", "roleAndSubordinates") if told.get(name)
    }


def _many(value: Any) -> Iterable[Any]:
    if value is None:
        return ()
    return value if isinstance(value, list | tuple) else (value,)


def _seen(org: Org, row: Record) -> bool:
    tree = org.component("ListView", f"{row['SobjectType']}.{row['DeveloperName']}")
    return tree is None or "sharedTo" in tree or row["CreatedById"] in (None, org.user_id)
