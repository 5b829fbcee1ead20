"""Objects that can be queried although nothing of them is stored: each is computed from records and components.

Another module adds one with

    @virtual.table(object, key="Id", tooling=True)
    def rows(org: Org) -> Iterable[Record]: ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from salesforce_org.store import Field, Org, Record, SObject
from salesforce_org.store.schema import read_field

Rows = Callable[[Org], Iterable[Record]]
WHOLE = frozenset({"FullName", "Metadata"})  # given for one row at a time only


@dataclass(frozen=True, slots=True)
class Table:
    """A computed object.

    Attributes:
        key: The field whose value other records hold to point to one of these.
        tooling: Whether only the Tooling API knows it.
    """

    object: SObject
    rows: Rows
    key: str
    tooling: bool


_TABLES: dict[str, Table] = {}


def table(object: SObject, *, key: str = "Id", tooling: bool = False) -> Callable[[Rows], Rows]:
    """Register the function that computes the records of an object."""

    def register(rows: Rows) -> Rows:
        _TABLES[object.name.casefold()] = Table(object, rows, key, tooling)
        return rows

    return register


def tables(tooling: bool) -> Mapping[str, Table]:
    """Return the computed objects that an interface knows, by name in lower case."""
    return {name: one for name, one in _TABLES.items() if tooling or not one.tooling}


def described(
    name: str, prefix: str, fields: Mapping[str, Mapping[str, object]], *, written: bool = False
) -> SObject:
    """Return the description of a computed object; fields are as in the files of the schema.

    Args:
        written: Whether components are made and changed through it, by `FullName` and `Metadata`.
    """
    own: list[Field] = []
    for key, given in fields.items():
        open = written and key in WHOLE
        own.append(read_field(key, {"createable": open, "updateable": open, **given}))
    return SObject(
        name, name, name, prefix, tuple(own), createable=written, updateable=written, deletable=written
    )
