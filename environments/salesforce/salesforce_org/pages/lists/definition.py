"""What a list view holds: stored as the record ListView with its name, and the component with everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from salesforce_org.list_views import (
    EVERYBODY,
    Filter,
    ListView,
    column_name,
    read_list_view,
    save_list_view,
)
from salesforce_org.pages.layout import layout_of
from salesforce_org.store import DmlError, Org, Record, SObject

RECENT = "__Recent"
LONGEST = 15


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
    queue: str = ""

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
    view = read_list_view(kind.name, row["DeveloperName"], {"label": row["Name"], **tree})
    return ListDefinition(
        row["Id"],
        kind,
        row["Name"],
        row["DeveloperName"],
        tuple(_named(kind, one) for one in view.columns) or layout_of(kind).columns,
        tuple(Filter(_named(kind, one.field), one.operation, one.value) for one in view.filters),
        view.scope,
        view.logic,
        _shared(view.shared),
        view.queue,
    )


def save(org: Org, one: ListDefinition) -> str:
    """Store a list view and return its record's id.

    Raises:
        DmlError: Its names are missing or taken.
    """
    _check(org, one)
    old = org.get("ListView", one.id)
    if old is not None and old["DeveloperName"] != one.developer:
        with org.unchecked():
            org.update(one.id, DeveloperName=one.developer)
        org.put_component("ListView", f"{one.object.name}.{old['DeveloperName']}", None)
    save_list_view(org, _view(one))
    return str(org.one("ListView", SobjectType=one.object.name, DeveloperName=one.developer)["Id"])


def remove(org: Org, one: ListDefinition) -> None:
    """Delete a list view, with its record."""
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


def _view(one: ListDefinition) -> ListView:
    shared = (
        None if one.shared is None else {name: list(some) for name, some in one.shared.items()} or EVERYBODY
    )
    return ListView(
        one.object.name,
        one.developer,
        one.name,
        tuple(_path(one.object, name) for name in one.columns),
        tuple(Filter(_path(one.object, each.field), each.operation, each.value) for each in one.filters),
        one.scope,
        one.logic,
        one.queue,
        shared,
    )


def _named(kind: SObject, path: str) -> str:
    """Return what layouts call a field: a parent's name is the reference itself."""
    relationship, _, rest = path.partition(".")
    reference = kind.parent(relationship) if rest == "Name" else None
    return reference.name if reference else path


def _path(kind: SObject, name: str) -> str:
    """Return what list views call a field: a reference goes by its target's name where metadata does so."""
    field = kind.field(name)
    path = f"{field.relationship}.Name" if field is not None and field.relationship else name
    return path if column_name(kind.name, path) != path else name


def _shared(told: Mapping[str, Any] | None) -> Mapping[str, tuple[str, ...]] | None:
    if told is None:
        return None
    kinds = ("group", "role", "roleAndSubordinates")
    return {name: _many(told[name]) for name in kinds if told.get(name)}


def _many(value: Any) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (str(value),)


def _seen(org: Org, row: Record) -> bool:
    tree = org.component("ListView", f"{row['SobjectType']}.{row['DeveloperName']}")
    return tree is None or "sharedTo" in tree or row["CreatedById"] in (None, org.user_id)
