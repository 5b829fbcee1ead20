"""How often the environment may break: every attempt counts, the replayed ones as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from gate_records import attempt, recorded

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.baseline import Baseline, Evidence, append_evidence
from pytest_cuabench.gate.breakage import error_bounds
from pytest_cuabench.gate.config import Gate, read_gate
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.judge import judge
from pytest_cuabench.ledger.attempt import Attempt, Broke

BROKE = Broke(3, {"kind": "key", "keys": ["F5"]}, "the page crashed", True)


def night(broken: int, of: int = 100, agent: str = "claude") -> list[Attempt]:
    """Return the attempts of a run in which each instance that broke was replayed, and then passed."""
    first = [attempt(f"t{n}", "environment_error", agent=agent) for n in range(broken)]
    last = (attempt(f"t{n}", number=2 if n < broken else 1, agent=agent) for n in range(of - broken))
    return [*first, *last]


def findings(attempts: list[Attempt], known: Baseline | None = None, **gate: Any) -> list[Finding]:
    """Return what the bounds on errors say of some attempts."""
    return list(error_bounds(recorded(*attempts), Gate.model_validate(gate), known))


@pytest.mark.parametrize(
    ("broken", "decision"),
    [(0, Decision.PASS), (2, Decision.PASS), (4, Decision.INCONCLUSIVE), (20, Decision.FAIL)],
)
def test_a_share(broken: int, decision: Decision) -> None:
    """A share on or below the bound passes; one whose whole interval is above it fails."""
    (found,) = findings(night(broken), errors={"environment": 0.02})
    assert found.decision is decision
    assert found.figures["bound"] == 0.02
    assert f"broke in {broken}.0 % of 100 attempts" in found.reason


def test_replayed_attempts_count() -> None:
    """An agent that breaks the environment wherever it fails, and passes on replay, has a rate of 1 and fails."""
    gate = Gate.model_validate({"rate": 1.0, "errors": {"environment": 0.05}})
    found = {each.check: each.decision for each in judge(recorded(*night(30)), gate).findings}
    assert (found["bound"], found["errors"]) == (Decision.PASS, Decision.FAIL)


@pytest.mark.parametrize("outcome", ["broke_environment", "violation", "environment_error"])
def test_every_outcome_in_which_it_broke_counts(outcome: str) -> None:
    """What broke counts whatever the attempt was graded as."""
    (found,) = findings([attempt("a", outcome, broke=BROKE), attempt("b")], errors={"environment": 0.9})
    assert found.figures["value"] == 0.5


def baseline_of(file: Path, broken: int, runs: int = 3, agent: str = "claude") -> Baseline:
    """Return a baseline as it comes back from its file."""
    for number in range(runs):
        attempts = night(broken, agent=agent)
        append_evidence(file, Evidence.of(f"n{number}", str(number), agent, attempts, attempts))
    return Baseline.read(file)


@pytest.mark.parametrize(
    ("broken", "decision"),
    [(1, Decision.PASS), (5, Decision.PASS), (8, Decision.INCONCLUSIVE), (30, Decision.FAIL)],
)
def test_no_more_than_before(tmp_path: Path, broken: int, decision: Decision) -> None:
    """A share of the baseline and a margin make the bound."""
    baseline = baseline_of(tmp_path / "baseline.jsonl", 3)
    (found,) = findings(night(broken), baseline, errors={"margin": 0.02}, baseline={})
    assert found.decision is decision
    assert found.figures["bound"] == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("collecting", "decision"), [("inconclusive", Decision.INCONCLUSIVE), ("pass", Decision.PASS)]
)
def test_a_baseline_that_does_not_know(tmp_path: Path, collecting: str, decision: Decision) -> None:
    """A baseline of another agent, or of an older version, says nothing of errors."""
    old = Baseline((Evidence.of("n", "0", "claude", night(0)),))
    other = baseline_of(tmp_path / "baseline.jsonl", 3, agent="another")
    for baseline in (old, other):
        demands = {"errors": {"margin": 0.02}, "baseline": {"collecting": collecting}}
        (found,) = findings(night(1), baseline, **demands)
        assert found.decision is decision


def test_nothing_played() -> None:
    """Of an empty run nothing is known."""
    (found,) = findings([], errors={"environment": 0.02})
    assert found.decision is Decision.INCONCLUSIVE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[errors]", "errors has no bound; add environment = 0.02"),
        ("[errors]\nmargin = 0.1", "errors.margin needs a baseline"),
        ("[errors]\nenvironment = 2.0", "errors.environment"),
        ("[errors]\nprovider = 0.1", "errors.provider"),
    ],
)
def test_bounds_that_make_no_sense(tmp_path: Path, text: str, words: str) -> None:
    """A bound that bounds nothing, or is out of range, is refused with the key's name."""
    file = tmp_path / "gate.toml"
    file.write_text(text)
    with pytest.raises(SettingError, match=words):
        read_gate(file)


def test_a_gate_of_errors_alone(tmp_path: Path) -> None:
    """It demands something."""
    file = tmp_path / "gate.toml"
    file.write_text("[errors]\nenvironment = 0.02")
    assert read_gate(file).errors is not None
