"""Which seeds are tried at once and which only where there is time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest

AT_ONCE = 4


def some_at_once(seeds: Iterable[int]) -> Iterator[Any]:
    """Yield the seeds as parameters; all but the first few are slow."""
    for place, seed in enumerate(seeds):
        yield seed if place < AT_ONCE else pytest.param(seed, marks=pytest.mark.slow)
