"""What fuzz tests give to readers, how much of it, and what came of it; `scripts/conformance` tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from pytest_cuabench.errors import ActionError

_T = TypeVar("_T")

UNDERSTOOD, REFUSED = "understood", "refused"
TEXTS = st.text(max_size=6) | st.sampled_from(["ctrl+a", "up", "success", "\ud800"])
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
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
