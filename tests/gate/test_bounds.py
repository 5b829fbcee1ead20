"""Bounds on groups: what fails, what passes, and what cannot be told."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from gate_records import attempt, plays, recorded

from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.thresholds import bounds, decide, on_task
from pytest_cuabench.ledger.stats import Estimate
from pytest_cuabench.task.usage import Usage

PASS, FAIL, UNKNOWN = Decision.PASS, Decision.FAIL, Decision.INCONCLUSIVE


def findings(records: Any, **demands: Any) -> list[Finding]:
    """Return what the bounds of a gate come to."""
    return list(bounds(records, Gate.model_validate(demands)))


def mixed(tasks: int, good: int, epochs: int = 3) -> Any:
    """Return a record of so many tasks, of which so many always succeed and the others never do."""
    every = [plays(f"t{task}", ("+" if task < good else "-") * epochs) for task in range(tasks)]
    return recorded(*(attempt for epochs in every for attempt in epochs))


@pytest.mark.parametrize("rule", ["estimate", "proven"])
@pytest.mark.parametrize(
    ("value", "low", "high", "estimate", "proven"),
    [
        (0.9, 0.85, 0.95, PASS, PASS),
        (0.85, 0.75, 0.95, PASS, UNKNOWN),
        (0.8, 0.7, 0.9, PASS, UNKNOWN),
        (0.75, 0.65, 0.85, UNKNOWN, UNKNOWN),
        (0.7, 0.6, 0.8, UNKNOWN, UNKNOWN),
        (0.7, 0.6, 0.79, FAIL, FAIL),
        (None, 0.0, 1.0, UNKNOWN, UNKNOWN),
    ],
)
def test_rules(
    value: float | None, low: float, high: float, estimate: Decision, proven: Decision, rule: str
) -> None:
    """Nobody fails without an interval beyond the bound; to pass it takes the estimate, or all of the interval."""
    found = Estimate(value, low, high, 10, 10)
    wanted = proven if rule == "proven" else estimate
    assert decide(found, 0.8, at_least=True, rule=rule) is wanted
    mirrored = Estimate(None if value is None else -value, -high, -low, 10, 10)
    assert decide(mirrored, -0.8, at_least=False, rule=rule) is wanted


def test_unknown_end() -> None:
    """A percentile whose upper end is unknown can pass by its estimate, and be proven by nothing."""
    found = Estimate(10.0, 8.0, inf, 20, 20)
    assert decide(found, 12.0, at_least=False, rule="estimate") is PASS
    assert decide(found, 12.0, at_least=False, rule="proven") is UNKNOWN
    assert decide(found, 7.0, at_least=False, rule="estimate") is FAIL


@pytest.mark.parametrize(("good", "wanted"), [(45, PASS), (38, UNKNOWN), (20, FAIL)])
def test_rate(good: int, wanted: Decision) -> None:
    """A rate is compared with its interval clustered by task, and the sentence has all figures."""
    (found,) = findings(mixed(50, good), rate=0.8)
    assert found.decision is wanted
    assert found.reason.startswith(f"all instances: success rate {2 * good}.0 % (95 %: ")
    assert found.reason.endswith("required at least 80.0 %; 150 episodes of 50 tasks.")
    assert found.figures["n"] == 150
    assert found.figures["tasks"] == 50


def test_left_out() -> None:
    """What was not graded is left out of the rate, and said."""
    records = recorded(*plays("a", "++!"), *plays("b", "+++"))
    (found,) = findings(records, rate=0.5, coverage=0.5)
    assert "success rate 100.0 %" in found.reason
    assert found.reason.endswith("5 episodes of 2 tasks, 1 not graded.")
    assert found.figures["left_out"] == 1


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("reward", "mean reward +0.50 (95 %: −0."),
        ("milestones", "mean milestone score 75.0 % (95 %: "),
        ("cost", "mean cost of an episode $0.10 (95 %: $0.10 to $0.10), required at most $1.00; "),
        ("total_cost", "cost of all attempts $0.60, required at most $1.00; 6 attempts of 2 tasks"),
        (
            "p95_seconds",
            "95th percentile of seconds 30.0 s (95 %: 30.0 s to unknown), required at most 1.0 s",
        ),
    ],
)
def test_measures(measure: str, words: str) -> None:
    """Each measure is taken from what was graded and shown in its own unit."""
    records = recorded(*plays("a", "+++"), *plays("b", "---"))
    (found,) = findings(records, **{measure: 1.0})
    assert words in found.reason


def test_seconds_on_task() -> None:
    """Time is the agent's: without back-off, resets and recording."""
    assert on_task(attempt("a")) == 30.0


def test_money_counts_every_attempt() -> None:
    """What attempts that broke cost is spent, but is no cost of a graded episode."""
    records = recorded(attempt("a", "provider_error"), attempt("a", number=2), attempt("b"))
    mean, total = findings(records, cost=0.2, total_cost=0.25)
    assert mean.figures["value"] == pytest.approx(0.1)
    assert (total.figures["value"], total.decision) == (pytest.approx(0.3), FAIL)


def test_unknown_price() -> None:
    """Where a price is not known, nothing is concluded on money."""
    records = recorded(attempt("a"), attempt("b", usage=Usage(cost=None)))
    for found in findings(records, cost=9.0, total_cost=9.0):
        assert found.decision is UNKNOWN
        assert found.reason.endswith("the cost of 1 of 2 attempts is unknown.")


def test_groups() -> None:
    """A group is judged by its own instances, bounds and rule."""
    easy = [attempt(f"e{n}", difficulty="easy") for n in range(20)]
    hard = [attempt(f"h{n}", "failure") for n in range(20)]
    groups = {"easy": {"where": "easy", "rate": 0.95}, "hard": {"where": "hard", "rate": 0.5}}
    found = {each.subject: each.decision for each in findings(recorded(*easy, *hard), groups=groups)}
    assert found == {"easy: rate": PASS, "hard: rate": FAIL}
    groups["easy"]["rule"] = "proven"
    first = findings(recorded(*easy, *hard), groups=groups)[0]
    assert first.decision is UNKNOWN


def test_empty_group() -> None:
    """A group that nothing belongs to is not known to be good."""
    (found,) = findings(mixed(3, 3), groups={"icu": {"where": "hrad", "rate": 0.5}})
    assert found.decision is UNKNOWN
    assert found.reason == "group icu: no instance matches where = 'hrad'."


def test_group_of_which_too_little_was_graded() -> None:
    """Below the coverage floor a group cannot fail by its figures; it is inconclusive."""
    records = recorded(*(a for n in range(20) for a in plays(f"t{n}", "--!")))
    coverage, rate = findings(records, groups={"all": {"where": "hard", "rate": 0.9}})
    assert coverage.decision is rate.decision is UNKNOWN
    assert coverage.reason == (
        "all: 40 of 60 were graded (66.7 %), not graded: 20 environment_error; a conclusion requires 95 %."
    )
    assert rate.reason.endswith("; but too few instances were graded for a failure.")


def test_nothing_graded() -> None:
    """Where nothing was graded there is nothing to compare."""
    (found,) = findings(recorded(attempt("a", "environment_error")), rate=0.0)
    assert (found.decision, found.reason) == (UNKNOWN, "all instances: rate: no instance was graded.")
