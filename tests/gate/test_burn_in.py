"""The gate, burnt in: a small and seeded part of `scripts/burn-in`, which a broken gate would not survive."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_cuabench.gate.decision import Decision

SCRIPTS = Path(__file__).parents[2] / "scripts"
PASS, FAIL, UNKNOWN = Decision.PASS, Decision.FAIL, Decision.INCONCLUSIVE


@pytest.fixture(scope="module")
def burn_in() -> Any:
    """The script as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(SCRIPTS)
        return import_module("burn_in")


def test_losses_are_as_large_as_they_say(burn_in: Any) -> None:
    """Both kinds of loss lower the mean rate by just their size, and no rate below nothing."""
    chance = np.random.default_rng(1)
    rates = burn_in.Setting().rates(chance)
    for lose in burn_in.LOSSES.values():
        worse = lose(rates, 0.15, chance)
        assert rates.mean() - worse.mean() == pytest.approx(0.15)
        assert worse.min() >= 0
        assert (worse <= rates + 1e-12).all()


@pytest.mark.slow
def test_defaults(burn_in: Any) -> None:
    """With 100 tasks and 3 epochs unchanged agents hardly ever fail and mostly pass; a loss of 15 points is found."""
    counts = burn_in.compared(burn_in.Setting(), 40, effects=(0.0, 0.15))
    same = counts.pop(("none", 0.0))
    assert same[FAIL] <= 2  # at 1 % more than that has a chance of 0.7 %
    assert same[PASS] >= 28
    assert len(counts) == 2
    for found in counts.values():
        assert found[FAIL] >= 36
        assert found[PASS] == 0


def test_collapse(burn_in: Any) -> None:
    """One task that fails from now on is named, and no other."""
    assert burn_in.collapsed(burn_in.Setting(runs=20), 5, 1.0) == (5, 0)


@pytest.mark.parametrize(("bound", "rule", "wanted"), [(0.5, "proven", PASS), (0.9, "estimate", FAIL)])
def test_bounds(burn_in: Any, bound: float, rule: str, wanted: Decision) -> None:
    """Bounds far from the true rate are decided, and rightly."""
    assert burn_in.bounded(burn_in.Setting(), 10, bound, rule) == {wanted: 10}


def test_small_runs_are_inconclusive(burn_in: Any) -> None:
    """Ten tasks played once can hardly fail, nor pass."""
    counts = burn_in.compared(burn_in.Setting(tasks=10, epochs=1), 20, effects=(0.0,))["none", 0.0]
    assert counts[FAIL] <= 1
    assert counts[UNKNOWN] >= 14
