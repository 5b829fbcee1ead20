"""How much of what is alike the default tests play: of generated content four seeds, and twenty at night."""

from collections.abc import Iterable
from typing import Any

import pytest

SEEDS = tuple(pytest.param(seed, marks=pytest.mark.nightly if seed >= 4 else ()) for seed in range(20))


def first(few: int) -> list[Any]:
    """Return seeds of content that is drawn and not played: a few for the default tests, two hundred at night."""
    return [pytest.param(seed, marks=pytest.mark.nightly if seed >= few else ()) for seed in range(200)]


def some(cases: Iterable[Any], every: int = 4) -> list[Any]:
    """Return alike cases as parameters: of every four the first for the default tests, the others as slow tests."""
    return [
        pytest.param(case, marks=pytest.mark.slow if number % every else ())
        for number, case in enumerate(cases)
    ]
