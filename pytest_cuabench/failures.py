"""How attempts fail, in the six kinds that the MedCUA-Bench paper tells apart (Appendix I).

The kinds answer another question than outcomes do: an outcome says what an attempt is worth, a kind what the agent
was doing when it came to nothing. Every graded attempt that is no success has exactly one kind, the first that
fits in the order of `Failure`. The two thresholds are ours, and settings.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from pytest_cuabench.ledger import Attempt, Run, read_steps
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.settings import EARLY_ABORT, HEAVY_LOOP

# What an agent may do without touching anything: it looks, waits, talks or ends.
_PASSIVE = frozenset({"answer", "call_user", "cursor_position", "screenshot", "terminate", "wait", "zoom"})
_BY_ITSELF = frozenset({"answer", "success", "failure", "infeasible"})
_GIVEN_UP = frozenset({"failure", "infeasible"})
_LONGEST_CYCLE = 3


class Failure(Enum):
    """Label, words; the order is that of precedence."""

    ZERO_ACTION = ("zero_action", "nothing was ever done on the screen")
    EARLY_ABORT = ("early_abort", "the agent ended by itself after very few decisions")
    HEAVY_LOOP = ("heavy_loop", "the same decisions were repeated without any effect on the record")
    CHAT_GIVE_UP = ("chat_give_up", "the agent said that it failed, or that it cannot be done")
    EXPLORATION_TIMEOUT = ("exploration_timeout", "the budget ran out while the agent was still trying")
    OTHER = ("other", "none of these: wrong result, wrong answer, harm, unreadable replies")

    def __init__(self, label: str, words: str) -> None:
        self.label = label
        self.words = words


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Where the kinds begin.

    Attributes:
        early_abort: Up to so many decisions, an end by the agent itself is early; signing in alone takes three.
        heavy_loop: So many rounds of one decision, or of a cycle of up to three, are a loop.
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
        return cls(**{name: known[name] for name in cls.__dataclass_fields__ if name in known})


def failure_of(run: Run, attempt: Attempt, thresholds: Thresholds) -> Failure | None:
    """Return how a recorded attempt failed; None where it did not, or was not graded."""
    if not attempt.result.graded or attempt.result is Outcome.SUCCESS:
        return None
    folder = run.folder / (attempt.trajectory or "")
    recorded = attempt.trajectory is not None and (folder / "steps.jsonl").is_file()
    return classify(attempt, read_steps(folder) if recorded else [], thresholds)


def classify(attempt: Attempt, steps: Sequence[Mapping[str, Any]], thresholds: Thresholds) -> Failure:
    """Return the first kind that fits; without recorded steps the ledger's own figures have to do."""
    if not attempt.steps or (steps and not any(map(_acts, steps))):
        return Failure.ZERO_ACTION
    if attempt.ending in _BY_ITSELF and attempt.steps <= thresholds.early_abort:
        return Failure.EARLY_ABORT
    if longest_loop(steps) >= thresholds.heavy_loop:
        return Failure.HEAVY_LOOP
    if attempt.ending in _GIVEN_UP:
        return Failure.CHAT_GIVE_UP
    return Failure.EXPLORATION_TIMEOUT if attempt.ending == "budget" else Failure.OTHER


def _acts(step: Mapping[str, Any]) -> bool:
    return any(action.get("kind") not in _PASSIVE for action in step["actions"])


def longest_loop(steps: Iterable[Mapping[str, Any]]) -> int:
    """Return how many rounds the longest loop has, 1 where nothing is repeated.

    A decision that wrote to the record is never part of one: entering three equal rows is work. Nor is a reply
    without an action.
    """
    decisions = [_decision(number, step) for number, step in enumerate(steps)]
    return max((_rounds(decisions, length) for length in range(1, _LONGEST_CYCLE + 1)), default=1)


def _decision(number: int, step: Mapping[str, Any]) -> str:
    alone = step.get("wrote") or not step["actions"]
    return f"#{number}" if alone else json.dumps(step["actions"], sort_keys=True)


def _rounds(decisions: Sequence[str], length: int) -> int:
    """Return how often a cycle of this length follows itself, counting whole rounds only."""
    longest = equal = 0
    for place in range(length, len(decisions)):
        equal = equal + 1 if decisions[place] == decisions[place - length] else 0
        longest = max(longest, equal)
    return longest // length + 1
