"""Builds the records of a result: values in the order of SELECT, parents within."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from salesforce_org.soql.binding import Bound, Get, named, own, parents, targets
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import no_relationship, no_type
from salesforce_org.soql.result import ColumnInfo, Row
from salesforce_org.soql.tree import TypeOf
from salesforce_org.store import Field, Record, SObject

Wrap = Callable[[Bound], Bound]


@dataclass(slots=True)
class Shape:
    """What is wanted of records of one object, and of their parents by relationship.

    Attributes:
        shared: Whether this object is one of several that a reference may point to, so that it need not have
            every field that is wanted.
        gets: How to get what stands under a key, in order; `infos` tell of it.
        parents: Shapes of the parents behind a relationship by the object that the parent is.
    """

    catalog: Catalog
    object: SObject
    shared: bool = False
    gets: dict[str, Get] = field(default_factory=dict)
    infos: dict[str, ColumnInfo] = field(default_factory=dict)
    parents: dict[str, dict[str, Shape]] = field(default_factory=dict)
    references: dict[str, Field] = field(default_factory=dict)

    def make(self, row: Record) -> Row:
        """Return a record of the result."""
        return Row(self.object.name, row.get("Id"), [(key, get(row)) for key, get in self.gets.items()])

    def put(self, key: str, get: Get, info: ColumnInfo) -> None:
        """Want something under a key."""
        self.gets[key], self.infos[key] = get, info

    def add(self, names: Sequence[str], at: int, wrap: Wrap | None = None, alias: str | None = None) -> None:
        """Want a field, possibly of a parent; `wrap` is what a function does with it."""
        if len(names) == 1:
            self._add_own(names[0], at, wrap, alias)
        elif not self.shared or self.object.parent(names[0]) is not None:
            for shape in self.towards(names[0], at).values():
                shape.add(names[1:], at, wrap, alias)

    def _add_own(self, name: str, at: int, wrap: Wrap | None, alias: str | None) -> None:
        if self.shared:
            found = named(self.catalog, self.object, (name,), at)
        else:
            found = own(self.catalog, self.object, name, at)
        if found is None:
            self.put(alias or name, lambda row: None, ColumnInfo(alias or name, "string"))
        else:
            key = alias or found.name
            self.put(key, (wrap(found) if wrap else found).get, column(key, found))

    def towards(self, relationship: str, at: int) -> dict[str, Shape]:
        """Return the shapes of the parents behind a relationship."""
        reference = self.object.parent(relationship)
        if reference is None:
            raise no_relationship(relationship, "field path", at)
        key = str(reference.relationship)
        if key not in self.parents:
            several = targets(self.catalog, reference)
            shared = len(several) > 1
            self.parents[key] = {one.name: Shape(self.catalog, one, shared) for one in several}
            self.references[key] = reference
            self.gets[key] = self._reach(self.parents[key], reference)
        return self.parents[key]

    def add_typeof(self, wanted: TypeOf, names: Sequence[str]) -> None:
        """Want other fields of a parent for each object that it may be."""
        if len(names) != 1:
            raise no_relationship(str(wanted.relation), "TYPEOF", wanted.relation.at)
        shapes = self.towards(names[0], wanted.relation.at)
        chosen = {}
        for name, paths in wanted.whens:
            object = self.catalog.object(name)
            if object is None or object.name not in shapes:
                raise no_type(name, wanted.relation.at)
            chosen[object.name] = paths
        for name, shape in shapes.items():
            shape.shared = name not in chosen
            for path in chosen.get(name, wanted.otherwise):
                shape.add(path.names, path.at)

    def _reach(self, shapes: dict[str, Shape], reference: Field) -> Get:
        reach = parents(self.catalog, reference)

        def get(row: Record) -> Row | None:
            found = reach(row)
            shape = shapes.get(found[0].name) if found else None
            return None if found is None or shape is None or not shape.gets else shape.make(found[1])

        return get

    def columns(self) -> tuple[ColumnInfo, ...]:
        """Return what tools want to know of it."""
        return tuple(self.infos.get(key) or self._parent_column(key) for key in self.gets)

    def _parent_column(self, key: str) -> ColumnInfo:
        inner = {one.name: one for shape in self.parents[key].values() for one in shape.columns()}
        return ColumnInfo(key, columns=tuple(inner.values()), foreign_key=self.references[key].name)


def column(key: str, bound: Bound) -> ColumnInfo:
    """Return what tools want to know of a field."""
    told = bound.field
    if told is None:
        return ColumnInfo(key, bound.type)
    return ColumnInfo(
        key, bound.type, custom=told.custom, createable=told.createable, updateable=told.updateable
    )
