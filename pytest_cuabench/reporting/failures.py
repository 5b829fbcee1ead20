"""Failure kinds: the six of the MedCUA-Bench paper (Appendix I), and how attempts are classified.

An outcome is the grade of an attempt; a failure kind describes how the agent behaved when it failed. Every graded
attempt without success has exactly one kind, the first that matches in the order of `Failure`. The paper does not
fix the two thresholds; they are settings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.record import Run, read_steps
from pytest_cuabench.settings import EARLY_ABORT, HEAVY_LOOP
from pytest_cuabench.task.action import ACTIONS
from pytest_cuabench.task.outcome import Outcome

_PASSIVE = frozenset(kind for kind, cls in ACTIONS.items() if cls.passive)
_BY_ITSELF = frozenset({"answer", "success", "failure", "infeasible"})
_GIVEN_UP = frozenset({"failure", "infeasible"})
_LONGEST_CYCLE = 3


class Failure(Enum):
    """Kinds of failure, in order of precedence; the values are label and description."""

    ZERO_ACTION = ("zero_action", "the agent never acted on the screen")
    EARLY_ABORT = ("early_abort", "the agent ended the episode after very few steps")
    HEAVY_LOOP = ("heavy_loop", "the agent repeated the same steps without changing any record")
    CHAT_GIVE_UP = ("chat_give_up", "the agent reported that it failed or that the task is impossible")
    EXPLORATION_TIMEOUT = ("exploration_timeout", "the agent used up its budget while still trying")
    OTHER = (
        "other",
        "any other failure: wrong result, wrong answer, harm, unparsable replies, a broken environment",
    )

    def __init__(self, label: str, words: str) -> None:
        self.label = label
        self.words = words


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Thresholds of early abort and heavy loop.

    Attributes:
        early_abort: Maximum steps of an early abort; signing in alone takes three.
        heavy_loop: Minimum rounds of one step, or of a cycle of up to three steps, that are a loop.
    """

    early_abort: int = EARLY_ABORT
    heavy_loop: int = HEAVY_LOOP

    def to_json(self) -> dict[str, int]:
        """Return plain data for `run.json`."""
        return asdict(self)

    @classmethod
    def of(cls, run: Run) -> Thresholds:
        """Return the thresholds that a run was recorded with."""
        known = run.about().get("failure_thresholds", {})
        return cls(
            **{name: known[name] for name in cls.__dataclass_fields__ if isinstance(known.get(name), int)}
        )


def failure_of(run: Run, attempt: Attempt, thresholds: Thresholds) -> Failure | None:
    """Return the failure kind of a recorded attempt; None if it succeeded or was not graded."""
    if not attempt.result.graded or attempt.result is Outcome.SUCCESS:
        return None
    folder = run.folder / (attempt.files.trajectory or "")
    recorded = attempt.files.trajectory is not None and (folder / "steps.jsonl").is_file()
    return classify(attempt, read_steps(folder) if recorded else [], thresholds)


def classify(attempt: Attempt, steps: Sequence[Mapping[str, Any]], thresholds: Thresholds) -> Failure:
    """Return the first kind that matches; without recorded steps, from the ledger's figures only."""
    if not attempt.counts.steps or (steps and not any(map(_acts, steps))):
        return Failure.ZERO_ACTION
    if attempt.end.ending in _BY_ITSELF and attempt.counts.steps <= thresholds.early_abort:
        return Failure.EARLY_ABORT
    if longest_loop(steps) >= thresholds.heavy_loop:
        return Failure.HEAVY_LOOP
    if attempt.end.ending in _GIVEN_UP:
        return Failure.CHAT_GIVE_UP
    return Failure.EXPLORATION_TIMEOUT if attempt.end.ending == "budget" else Failure.OTHER


def _acts(step: Mapping[str, Any]) -> bool:
    return any(action.get("kind") not in _PASSIVE for action in step["actions"])


def longest_loop(steps: Iterable[Mapping[str, Any]]) -> int:
    """Return the number of rounds of the longest loop, 1 where nothing is repeated.

    Steps that changed a record are never part of a loop (entering three equal rows is work), nor are replies
    without an action.
    """
    decisions = [_decision(number, step) for number, step in enumerate(steps)]
    return max((_rounds(decisions, length) for length in range(1, _LONGEST_CYCLE + 1)), default=1)


def _decision(number: int, step: Mapping[str, Any]) -> str:
    alone = step.get("wrote") or not step["actions"]
    return f"#{number}" if alone else json.dumps(step["actions"], sort_keys=True)


def _rounds(decisions: Sequence[str], length: int) -> int:
    """Return how often a cycle of this length repeats, in whole rounds."""
    longest = equal = 0
    for place in range(length, len(decisions)):
        equal = equal + 1 if decisions[place] == decisions[place - length] else 0
        longest = max(longest, equal)
    return longest // length + 1
