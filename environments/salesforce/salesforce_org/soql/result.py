"""What a query gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_APEX = {
    "id": "Id",
    "reference": "Id",
    "boolean": "Boolean",
    "int": "Integer",
    "double": "Double",
    "currency": "Double",
    "percent": "Double",
    "date": "Date",
    "datetime": "Datetime",
    "time": "Time",
}
_NUMBERS = ("int", "double", "currency", "percent")


class Row(dict[str, Any]):
    """A record of a result, its values in the order of SELECT.

    Attributes:
        object: The object that it is of; `AggregateResult` for groups.
        id: The record's id, selected or not; None for groups.
    """

    __slots__ = ("id", "object")

    def __init__(self, object: str, id: str | None, values: Any = ()) -> None:
        super().__init__(values)
        self.object = object
        self.id = id


@dataclass(frozen=True, slots=True)
class ColumnInfo:
    """What tools want to know of a selected column.

    Attributes:
        type: The field's type; None for parents, sub-queries and functions without one.
        columns: Columns of a parent or a sub-query.
        display: A function with its field, where it has no alias.
    """

    name: str
    type: str | None = None
    columns: tuple[ColumnInfo, ...] = ()
    aggregate: bool = False
    custom: bool = False
    display: str | None = None
    foreign_key: str | None = None
    createable: bool = False
    updateable: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return it as `columns=true` asks for it."""
        return {
            "aggregate": self.aggregate,
            "apexType": _APEX.get(self.type, "String") if self.type and not self.aggregate else None,
            "booleanType": self.type == "boolean",
            "columnName": self.name,
            "custom": self.custom,
            "displayName": self.display or self.name,
            "foreignKeyName": self.foreign_key,
            "insertable": self.createable,
            "joinColumns": [one.to_json() for one in self.columns],
            "numberType": self.type in _NUMBERS,
            "textType": self.type is not None and self.type not in _APEX,
            "updatable": self.updateable,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """Records that a query or a child sub-query found.

    Attributes:
        object: The object that was read.
        total: How many there are; `COUNT()` gives a total without records.
        grouped: Whether records are groups.
    """

    object: str
    records: list[Row]
    columns: tuple[ColumnInfo, ...]
    total: int
    prefix: str = ""
    grouped: bool = False

    @property
    def id_selected(self) -> bool:
        """Whether the id is among the columns."""
        return any(one.name == "Id" for one in self.columns)

    def columns_to_json(self) -> dict[str, Any]:
        """Return the answer to a query with `columns=true`."""
        return {
            "columnMetadata": [one.to_json() for one in self.columns],
            "entityName": self.object,
            "groupBy": self.grouped,
            "idSelected": self.id_selected,
            "keyPrefix": self.prefix or None,
        }
