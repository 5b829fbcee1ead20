"""The base class of kinds, and the record of what a check compares by them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from random import Random
from typing import Any

FURTHER = "a further key"  # of a row or mapping, as audits add one
LONGEST = 100_000  # characters of a text that is parsed; a longer one equals only itself

Place = tuple[Hashable, ...]
"""Where a value is in a state: collection, key, field, and what leads on into a nested value; two parts name a row.

None for the collection is the one that holds the key, where keys are unique."""
Spellings = Iterator[tuple[str, Any]]
"""Other spellings of a value, each with the name of its form."""


class Kind(ABC):
    """A kind of value: what a text means, its other spellings, and values that are nearly it."""

    @property
    def name(self) -> str:
        """The name of the kind in reports."""
        return type(self).__name__.lower()

    @abstractmethod
    def meaning(self, value: Any) -> Any:
        """Return what a value means, in a form in which equal meanings are equal.

        Raises:
            ValueError: The value is not of this kind.
        """

    @abstractmethod
    def spellings(self, value: Any, random: Random) -> Spellings:
        """Yield other spellings of a value that a person may enter or the program may write."""

    @abstractmethod
    def others(self, value: Any, random: Random) -> Iterator[Any]:
        """Yield values that are nearly the given one and mean something else."""

    def equal(self, one: Any, other: Any) -> bool:
        """Return whether two meanings are equal."""
        return bool(one == other)

    def reads(self, value: Any) -> bool:
        """Return whether a value is of this kind."""
        try:
            self.meaning(value)
        except (ValueError, ArithmeticError):
            return False
        return True

    def matches(self, seen: Any, wanted: Any) -> bool:
        """Return whether a value means what is wanted; a value that is not of this kind does not."""
        if seen is None or (isinstance(seen, str) and len(seen) > LONGEST):
            return bool(seen == wanted)
        meant = self.meaning(wanted)
        try:
            return self.equal(self.meaning(seen), meant)
        except (ValueError, ArithmeticError):
            return False

    def same(self, seen: Any, wanted: Any, at: Place | None = None, *, optional: bool = False) -> bool:
        """Return whether a value of the state means what is wanted, and record the comparison.

        Args:
            at: Where the value is in the state; without it, an audit looks for the value in what was changed.
            optional: Whether the check also accepts that the value is as it was.
        """
        if (record := _RECORD.get()) is not None:
            record.compared.append(Compared(self, seen, wanted, at, optional))
        return self.matches(seen, wanted)


@dataclass(frozen=True, slots=True)
class Compared:
    """One comparison by a kind."""

    kind: Kind
    seen: Any
    wanted: Any
    at: Place | None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class Free:
    """A place that a check leaves open, with what is below it, and why."""

    at: Place
    why: str


@dataclass(slots=True)
class Record:
    """What a check compared by kinds, and what it left open."""

    compared: list[Compared] = field(default_factory=list)
    free: list[Free] = field(default_factory=list)


_RECORD: ContextVar[Record | None] = ContextVar("record of comparisons", default=None)


def free(at: Place, why: str) -> None:
    """Declare a place that a check leaves open, so that an audit does not expect a change there to be refused."""
    if (record := _RECORD.get()) is not None:
        record.free.append(Free(at, why))


@contextmanager
def recorded() -> Iterator[Record]:
    """Record what checks compare by kinds and leave open within the block."""
    record = Record()
    token = _RECORD.set(record)
    try:
        yield record
    finally:
        _RECORD.reset(token)
