"""Which worker is dealt which tests, and which of them come first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dealing import HERE, LONGEST, dealt


def items_of(name: str, count: int, slow: bool = False) -> list[Any]:
    """Return tests of a file, as pytest collects them."""
    mark = lambda kind: slow and kind == "slow"  # noqa: E731
    return [SimpleNamespace(path=HERE / name, number=n, get_closest_marker=mark) for n in range(count)]


@pytest.mark.parametrize("workers", [1, 2, 4, 7])
def test_every_worker_begins_with_long_files(workers: int) -> None:
    """Each test is dealt once, in the order of its file; the stretches are alike, and the longest files come first."""
    long = [test for name in reversed(LONGEST) for test in items_of(name, 3)]
    slow = [test for n in range(6) for test in items_of(f"slow_{n}.py", 5, slow=True)]
    fast = [test for n in range(30) for test in items_of(f"fast_{n}.py", 10)]
    items = [*fast[:100], *slow, *fast[100:], *long]
    found = dealt(items, workers)
    assert sorted(map(id, found)) == sorted(map(id, items))
    for path in {test.path for test in items}:
        assert [test.number for test in found if test.path == path] == sorted(
            test.number for test in items if test.path == path
        )
    share = -(-len(items) // workers)
    first = [found[place].path for place in range(0, len(found), share)]
    assert first == [HERE / name for name in (*LONGEST, *(f"slow_{n}.py" for n in range(6)))[:workers]]


def test_files_with_a_place_of_their_own_exist() -> None:
    """A file of the list that is renamed or deleted is taken off it."""
    assert [name for name in LONGEST if not (Path(HERE) / name).is_file()] == []
