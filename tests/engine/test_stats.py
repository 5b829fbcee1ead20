"""The figures of reports, compared with published values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.stats import percentile, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe, 1998, table I: method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(successes: int, n: int, low: float, high: float) -> None:
    """The interval is the one of the literature."""
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing() -> None:
    """When nothing was counted, nothing is known."""
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate(counted: tuple[int, int]) -> None:
    """The interval lies within 0 and 1, holds the rate, and mirrors that of the failures."""
    successes, n = counted
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n + 1e-12
    assert successes / n - 1e-12 <= high <= 1
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


def test_wilson_narrows_with_less_confidence() -> None:
    """Less confidence is a narrower interval."""
    wide, narrow = wilson(5, 10, 0.99), wilson(5, 10, 0.5)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize(
    ("q", "value"), [(0, 1.0), (25, 1.75), (50, 2.5), (75, 3.25), (95, pytest.approx(3.85)), (100, 4.0)]
)
def test_percentile(q: float, value: float) -> None:
    """Percentiles lie between the two nearest values, in whatever order they come."""
    assert percentile([4, 1, 3, 2], q) == value


def test_percentile_of_few() -> None:
    """One value is every percentile; of no value there is none."""
    assert percentile([7.0], 95) == percentile([7.0], 0) == 7.0
    assert percentile([], 50) is None
