"""What calls cost: a profile's own prices, those of genai-prices, and what nobody knows."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_cuabench.agents.models.money import Prices, Tariff
from pytest_cuabench.task.usage import Usage

OWN = Prices(input=2.0, output=10.0, cached=0.2, written=2.5)
CLAUDE = Tariff("claude-sonnet-4-5", "anthropic")
counts = st.integers(0, 500_000)


def test_own_prices() -> None:
    """Input, what a cache gave, what was written to it, and output each have their price."""
    tariff = Tariff("mine", None, OWN)
    assert tariff.cost(1_000_000, 0) == 2.0
    assert tariff.cost(1_000_000, 100_000, cached=500_000, written=200_000) == pytest.approx(
        0.3 * 2 + 0.5 * 0.2 + 0.2 * 2.5 + 1.0
    )
    assert tariff.usage(10, 5, 3) == Usage(10, 5, 3, tariff.cost(10, 5, 3))


def test_own_prices_without_a_cache() -> None:
    """Where no price of the cache is said, it is that of input."""
    assert Tariff("mine", None, Prices(input=3, output=0)).cost(1_000_000, 0, cached=900_000) == 3.0


def test_own_prices_win() -> None:
    """A profile knows better than the tables."""
    assert Tariff("claude-sonnet-4-5", "anthropic", Prices(input=0, output=0)).cost(1000, 1000) == 0.0


def test_known_price() -> None:
    """Prices of well-known models are known, and reading from a cache is cheaper than writing to it."""
    plain, read, written = (CLAUDE.cost(10_000, 100, *cache) for cache in ((), (9000,), (0, 9000)))
    assert plain is not None
    assert read is not None
    assert written is not None
    assert 0 < read < plain < written


@pytest.mark.parametrize(
    "tariff",
    [
        Tariff("nobody-heard-of-it", "anthropic"),
        Tariff("claude-sonnet-4-5", "nobody"),
        Tariff("claude-sonnet-4-5", None),
    ],
)
def test_an_unknown_price_is_unknown(tariff: Tariff) -> None:
    """What nobody knows is None, never nothing, and makes every sum unknown."""
    assert tariff.cost(1000, 10) is None
    assert tariff.worst(1000, 10) is None
    assert not tariff.known
    assert tariff.usage(1000, 10) == Usage(1000, 10, 0, None)
    assert (Usage(cost=1.0) + tariff.usage(1, 1)).cost is None


def test_no_price_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without genai-prices a price is unknown, and nothing breaks."""
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert CLAUDE.cost(1000, 10) is None


def test_counts_that_contradict_each_other() -> None:
    """A server that claims to have cached more than it was sent makes the cost unknown, or never negative."""
    assert CLAUDE.cost(10, 1, cached=20) is None
    assert Tariff("mine", None, OWN).cost(10, 0, cached=20, written=20) == pytest.approx(10 * 0.2 / 1e6)


@given(counts, counts, counts, counts)
def test_the_worst_case_is_the_worst(tokens_in: int, tokens_out: int, cached: int, written: int) -> None:
    """However a call is billed, it costs no more than its worst case."""
    cached = min(cached, tokens_in)
    written = min(written, tokens_in - cached)
    for tariff in (Tariff("mine", None, OWN), CLAUDE, Tariff("gpt-5", "openai")):
        cost, worst = tariff.cost(tokens_in, tokens_out, cached, written), tariff.worst(tokens_in, tokens_out)
        assert cost is not None
        assert worst is not None
        assert 0 <= cost <= worst + 1e-12


@pytest.mark.parametrize(
    "wrong",
    [{"input": -1, "output": 1}, {"input": 1}, {"input": float("nan"), "output": 1}, {"in": 1, "output": 1}],
)
def test_wrong_prices(wrong: dict[str, float]) -> None:
    """A negative, missing, endless or misspelled price is refused."""
    with pytest.raises(ValidationError):
        Prices(**wrong)
