"""How many inputs the fuzz tests gave to each reader, and what came of them; `scripts/conformance` tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from pytest_cuabench.errors import ActionError

_T = TypeVar("_T")

UNDERSTOOD, REFUSED = "understood", "refused"
READ: Counter[tuple[str, str]] = Counter()  # by reader, and what came of it


def note(reader: str, *, understood: bool) -> None:
    """Count one input."""
    READ[reader, UNDERSTOOD if understood else REFUSED] += 1


def tried(reader: str, read: Callable[[], _T]) -> _T | None:
    """Return what a reader returns, and None where it says that it does not understand; both are counted."""
    try:
        found = read()
    except ActionError:
        note(reader, understood=False)
        return None
    note(reader, understood=True)
    return found
