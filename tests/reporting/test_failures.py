"""How failed attempts are told apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.ledger.attempt import Attempt, PlayCounts
from pytest_cuabench.ledger.plan import Planned
from pytest_cuabench.ledger.record import Run
from pytest_cuabench.reporting.failures import Failure, Thresholds, classify, failure_of, longest_loop

LIMITS = Thresholds()
FAILED = Attempt(
    Planned("a/b-intent", "s", "a", "b", "d", "easy", "intent", 0, 0),
    1,
    "agent",
    "failure",
    counts=PlayCounts(steps=12),
)
CLICK, OTHER, LOOK = {"kind": "click", "x": 1, "y": 2}, {"kind": "click", "x": 9, "y": 9}, {"kind": "wait"}


def steps(*actions: dict[str, Any] | None, wrote: bool = False) -> list[dict[str, Any]]:
    """Return recorded steps of one action each; None is a reply that could not be read."""
    return [{"actions": [action] if action else [], "wrote": wrote} for action in actions]


def moving(count: int) -> list[dict[str, Any]]:
    """Return steps that never repeat."""
    return steps(*({"kind": "click", "x": place, "y": 0} for place in range(count)))


@pytest.mark.parametrize(
    ("changes", "played", "kind"),
    [
        ({"steps": 0}, [], Failure.ZERO_ACTION),
        ({"steps": 2, "ending": "failure"}, steps(LOOK, {"kind": "terminate"}), Failure.ZERO_ACTION),
        ({"steps": 5, "ending": "lockout"}, steps(*[None] * 5), Failure.ZERO_ACTION),
        ({"steps": 3, "ending": "answer"}, moving(3), Failure.EARLY_ABORT),
        ({"steps": 3, "ending": "failure"}, moving(3), Failure.EARLY_ABORT),
        ({"steps": 3, "ending": "budget"}, moving(3), Failure.EXPLORATION_TIMEOUT),
        ({"steps": 3, "ending": "violation"}, moving(3), Failure.OTHER),
        ({"ending": "budget"}, steps(*[CLICK] * 12), Failure.HEAVY_LOOP),
        ({"ending": "failure"}, steps(*[CLICK] * 5, OTHER), Failure.HEAVY_LOOP),
        ({"ending": "failure"}, moving(12), Failure.CHAT_GIVE_UP),
        ({"ending": "infeasible"}, moving(12), Failure.CHAT_GIVE_UP),
        ({"ending": "budget"}, moving(12), Failure.EXPLORATION_TIMEOUT),
        ({"ending": "answer"}, moving(12), Failure.OTHER),
        ({"ending": "success"}, moving(12), Failure.OTHER),
        ({"ending": "budget"}, [], Failure.EXPLORATION_TIMEOUT),
    ],
)
def test_the_first_kind_that_fits_is_taken(changes, played, kind) -> None:
    """Every failed attempt has exactly one kind, by how it was played and how it ended."""
    assert classify(FAILED.with_values(**changes), played, LIMITS) is kind


@pytest.mark.parametrize(
    ("played", "rounds"),
    [
        ([], 1),
        (moving(6), 1),
        (steps(CLICK, CLICK), 2),
        (steps(OTHER, *[CLICK] * 4, OTHER), 4),
        (steps(*[CLICK, OTHER] * 4), 4),
        (steps(*[CLICK, OTHER, LOOK] * 3, CLICK), 3),
        (steps(*[None] * 6), 1),
        (steps(*[CLICK] * 6, wrote=True), 1),
    ],
)
def test_loops_are_counted_in_whole_rounds(played, rounds) -> None:
    """One decision or a cycle of up to three; what wrote to the record, or said nothing, is no loop."""
    assert longest_loop(played) == rounds


def test_thresholds_move_the_borders() -> None:
    """Both are settings, and a run keeps those it was played with."""
    assert (
        classify(FAILED.with_values(steps=4, ending="answer"), moving(4), Thresholds(4, 5))
        is Failure.EARLY_ABORT
    )
    assert classify(FAILED.with_values(ending="budget"), steps(*[CLICK] * 5), Thresholds(3, 6)) is (
        Failure.EXPLORATION_TIMEOUT
    )


def test_a_run_remembers_its_thresholds(tmp_path: Path) -> None:
    """A report that is written again tells the same; an older run has the defaults."""
    run = Run(tmp_path / "run")
    assert Thresholds.of(run) == LIMITS
    run.create({"failure_thresholds": Thresholds(2, 9).to_json()})
    assert Thresholds.of(run) == Thresholds(2, 9)


def test_only_graded_failures_have_a_kind(tmp_path: Path) -> None:
    """A success and what broke for no fault of the agent are left out; steps are read from the trajectory."""
    run = Run(tmp_path)
    assert failure_of(run, FAILED.with_values(outcome="success"), LIMITS) is None
    assert failure_of(run, FAILED.with_values(outcome="provider_error"), LIMITS) is None
    (tmp_path / "t").mkdir()
    lines = "\n".join(json.dumps(step) for step in steps(*[CLICK] * 12))
    (tmp_path / "t" / "steps.jsonl").write_text(lines)
    assert failure_of(run, FAILED.with_values(trajectory="t", ending="budget"), LIMITS) is Failure.HEAVY_LOOP
    assert failure_of(run, FAILED.with_values(trajectory="gone", ending="budget"), LIMITS) is (
        Failure.EXPLORATION_TIMEOUT
    )
