"""A task made concrete for one world, and what plays it: its solutions, right and wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.verdict import PENALTY

Values = dict[str, Any]
"""The values of a case: plain data by name."""
Solution = Callable[[Any, "Case"], Awaitable[None]]
"""What a solution does with a `Pilot`."""


@dataclass(frozen=True, slots=True)
class Case:
    """A task made concrete by the world's state: the goal's text and the values for its check.

    `values` is plain data, so that a recorded episode can be judged again without playing. With `"infeasible": True`
    the task is impossible, and the correct ending is `infeasible`.
    """

    goal: str
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def infeasible(self) -> bool:
        """Whether the task is impossible, so that ending with `infeasible` is correct."""
        return self.values.get("infeasible") is True


def misread(case: Case, **changes: Any) -> Case:
    """Return the case with other values, as somebody careless understands it; for wrong solutions."""
    return Case(case.goal, {**case.values, **changes})


@dataclass(frozen=True, slots=True)
class Wrong:
    """A plausible wrong solution and why it has to fail: `dimension/severity`, or `milestone:NAME`.

    Attributes:
        score: The score that it has to reach, if declared.
    """

    name: str
    reason: str
    solution: Solution
    score: float | None = None


def wrong(reason: str, score: float | None = None) -> Callable[[Solution], Solution]:
    """Declare a plausible wrong solution of the file's task, and why it has to fail.

    `reason` is `dimension/severity` of the expected violation, or `milestone:NAME` of the expected missed milestone;
    `score` is the expected milestone score, if it is the same for every seed.

    Raises:
        ValueError: The reason is neither.
    """
    first, _, severity = reason.partition("/")
    if not first.startswith("milestone:") and severity not in PENALTY:
        near = did_you_mean(severity, PENALTY, f"'{first}/{{}}'")
        raise ValueError(
            f"{reason!r} is not a valid reason; expected 'milestone:NAME' or 'dimension/severity', with one of "
            f"{', '.join(PENALTY)}{near}"
        )

    def mark(solution: Solution) -> Solution:
        vars(solution)["fails_for"] = (reason, score)
        return solution

    return mark


def also(solution: Solution) -> Solution:
    """Declare a further, independent solution of the file's task, which has to succeed like the reference."""
    vars(solution)["solves_too"] = True
    return solution
