"""The floor: a run must be above agents that know nothing of its tasks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gate_records import MEASURED, attempt, recorded, runs

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import Baseline
from pytest_cuabench.gate.config import FloorDemands, Gate
from pytest_cuabench.gate.decision import Decision
from pytest_cuabench.gate.floor import above_floor
from pytest_cuabench.gate.judge import judge, judge_run
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run

PASS, FAIL, INCONCLUSIVE = Decision.PASS, Decision.FAIL, Decision.INCONCLUSIVE


def run_of(good: int, of: int = 20, agent: str = "claude") -> list[Attempt]:
    """Return a run in which the first tasks succeed."""
    return [attempt(f"t{n}", "success" if n < good else "failure", agent=agent) for n in range(of)]


def floor(good: int, of: int = 20, agent: str = "noop") -> Baseline:
    """Return a floor of one agent."""
    return runs(1, *run_of(good, of, agent), agent=agent)


@pytest.mark.parametrize(
    ("run", "noop", "decision"),
    [
        (20, 0, PASS),
        (10, 0, PASS),
        (0, 0, FAIL),
        (4, 4, FAIL),
        (2, 4, FAIL),
        (1, 0, INCONCLUSIVE),
        (20, 18, INCONCLUSIVE),
    ],
)
def test_a_run_and_its_floor(run: int, noop: int, decision: Decision) -> None:
    """Clearly above passes, not above at all fails, a little above is not decided."""
    (found,) = above_floor(recorded(*run_of(run)), floor(noop), FloorDemands())
    assert found.decision is decision, found.reason


def test_the_highest_floor_counts() -> None:
    """Each agent of the floor has a finding; being above one of two is not enough."""
    both = Baseline((*floor(0).evidence, *floor(19, agent="answer-spam").evidence))
    found = judge(recorded(*run_of(12)), Gate.model_validate({"floor": {}}), floor=both)
    assert {each.subject: each.decision for each in found.findings if each.check == "floor"} == {
        "noop": PASS,
        "answer-spam": FAIL,
    }
    assert found.decision is FAIL


@pytest.mark.parametrize("changed", ["task", "world"])
def test_only_the_same_tasks_are_compared(changed: str) -> None:
    """A task or a world that has changed since, or was not played, is no evidence; settings may differ."""
    other = replace(MEASURED, **{changed: "changed"})
    elsewhere = [each.with_values(fingerprint=other) for each in run_of(0, agent="noop")]
    (found,) = above_floor(recorded(*run_of(20)), runs(1, *elsewhere, agent="noop"), FloorDemands())
    assert found.decision is INCONCLUSIVE
    assert "was played on 0 tasks of this run" in found.reason
    slower = replace(MEASURED, settings={"cua_max_steps": "99"})
    budget = runs(
        1, *(each.with_values(fingerprint=slower) for each in run_of(0, agent="noop")), agent="noop"
    )
    (found,) = above_floor(recorded(*run_of(20)), budget, FloorDemands())
    assert found.decision is PASS


def test_an_agent_is_no_floor_of_its_own() -> None:
    """The run's own agent in the file is no floor."""
    (found,) = above_floor(recorded(*run_of(20, agent="noop")), floor(0), FloorDemands())
    assert found.decision is INCONCLUSIVE
    assert found.reason == "The floor holds no other agent; create it: cuabench floors SUITE."


def test_a_missing_floor(tmp_path: Path) -> None:
    """A gate that names a file that is not there says which command writes it."""
    run = Run(tmp_path / "run")
    run.append(attempt("a"))
    gate = Gate.model_validate({"floor": {}})
    with pytest.raises(
        SettingError, match=r"create it on main: cuabench floors SUITE --file cuabench-floors\.jsonl"
    ):
        judge_run(run, gate)
