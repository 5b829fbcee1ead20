"""Tables by name that can be taken back cheaply: only those that are written are copied, once in a transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")
Kept = tuple[dict[str, dict[str, T]], set[str] | None]


@dataclass(slots=True)
class Shelves(Generic[T]):
    """Tables of values by key. What `keep` returned brings them back, with the order of their entries.

    Attributes:
        _own: Tables that no kept state shares; None while nothing is kept, when all are.
    """

    _tables: dict[str, dict[str, T]] = field(default_factory=dict)
    _own: set[str] | None = None

    def __getitem__(self, name: str) -> Mapping[str, T]:
        return self._tables[name]

    def get(self, name: str) -> Mapping[str, T]:
        """Return a table, an empty one where there is none of the name."""
        return self._tables.get(name, {})

    def names(self) -> tuple[str, ...]:
        """Return the names of all tables."""
        return tuple(self._tables)

    def writable(self, name: str) -> dict[str, T]:
        """Return a table that may be changed."""
        if name not in self._tables:
            self._tables[name] = {}
        elif self._own is not None and name not in self._own:
            self._tables[name] = dict(self._tables[name])
        if self._own is not None:
            self._own.add(name)
        return self._tables[name]

    def keep(self) -> Kept[T]:
        """Return what brings the tables back to how they are now."""
        kept = dict(self._tables), self._own
        self._own = set()
        return kept

    def bring_back(self, kept: Kept[T]) -> None:
        """Undo all that was written since."""
        self._tables, self._own = kept

    def let_go(self, kept: Kept[T]) -> None:
        """Let what was written since stand."""
        before = kept[1]
        self._own = None if before is None else before | (self._own or set())

    def copy(self) -> Shelves[T]:
        """Return tables of their own with the same content."""
        return Shelves({name: dict(table) for name, table in self._tables.items()})
