"""Outcomes of attempts: whether each is graded, and whether it is retried.

Ungraded attempts are infrastructure failures, or a person interfered: they are excluded from all rates, show as a
pytest error, and never count for or against an agent.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Literal

from pytest_cuabench.errors import (
    Aborted,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    HumanHelp,
    ProviderFailure,
    RecordFailure,
)
from pytest_cuabench.task.verdict import Verdict

Tone = Literal["success", "failure", "violation", "budget", "other", "ungraded"]
BROKEN = "broke"  # `Evidence.ending` of an attempt that an error ended


class Outcome(Enum):
    """Outcomes: the one table of what depends on how an attempt ended.

    Attributes:
        label: The name in records.
        graded: Whether it counts in rates.
        retried: Whether another attempt may help.
        tone: Colour and sign in the reports.
        words: What happened.
        error: What pytest raises for an attempt that is not graded; None for one that pytest did not play.
    """

    SUCCESS = ("success", True, False, "success", "the task is done and nothing else was changed")
    FAILURE = ("failure", True, False, "failure", "the task is not done")
    VIOLATION = ("violation", True, False, "violation", "the agent did harm")
    BUDGET_EXHAUSTED = (
        "budget_exhausted", True, False, "budget", "the budget of steps, seconds, dollars or context ran out"
    )  # fmt: skip
    GAVE_UP = (
        "gave_up",
        True,
        False,
        "other",
        "the agent reported that it failed, or ended by its own fault",
    )
    INFEASIBLE_DECLARED = (
        "infeasible_declared", True, False, "other", "the agent reported that the task is impossible"
    )  # fmt: skip
    FORMAT_LOCKOUT = ("format_lockout", True, False, "other", "the agent's replies could not be parsed")
    BROKE_ENVIRONMENT = (
        "broke_environment", True, False, "other", "the agent broke the environment, which works without it"
    )  # fmt: skip
    ENVIRONMENT_ERROR = (
        "environment_error", False, True, "ungraded", "the environment failed (infrastructure failure)",
        EnvironmentFailure,
    )  # fmt: skip
    PROVIDER_ERROR = (
        "provider_error", False, True, "ungraded",
        "what the agent needs failed, such as its model's server (infrastructure failure)", ProviderFailure,
    )  # fmt: skip
    CHECKER_ERROR = (
        "checker_error", False, False, "ungraded", "the task could not be set up or judged", CheckerFailure
    )  # fmt: skip
    CANCELLED = (
        "cancelled", False, False, "ungraded",
        "the run was stopped, a person aborted it, or it reached its spending limit or a full disk", BudgetSpent,
    )  # fmt: skip
    HUMAN_HELP = (
        "human_help", False, False, "ungraded", "a person took over, so it says nothing of the agent", HumanHelp
    )  # fmt: skip
    IMPORTED = (
        "imported", False, False, "ungraded", "another program recorded it; it was not played or judged here"
    )  # fmt: skip

    def __init__(
        self,
        label: str,
        graded: bool,
        retried: bool,
        tone: Tone,
        words: str,
        error: type[CuabenchError] | None = None,
    ) -> None:
        self.label = label
        self.graded = graded
        self.retried = retried
        self.tone = tone
        self.words = words
        self.error = error

    @classmethod
    def table(cls) -> dict[str, dict[str, Any]]:
        """Return what the pages of reports know of outcomes, by label."""
        return {each.label: {"graded": each.graded, "tone": each.tone, "words": each.words} for each in cls}

    @classmethod
    def of(cls, label: str) -> Outcome:
        """Return the outcome with this label."""
        return _BY_LABEL[label]

    @classmethod
    def of_verdict(cls, verdict: Verdict, ending: str) -> Outcome:
        """Return the graded outcome; harm takes precedence."""
        if verdict.violations:
            return cls.VIOLATION
        if verdict.success:
            return cls.SUCCESS
        by_ending = {
            "budget": cls.BUDGET_EXHAUSTED,
            "failure": cls.GAVE_UP,
            "infeasible": cls.INFEASIBLE_DECLARED,
            "lockout": cls.FORMAT_LOCKOUT,
            BROKEN: cls.BROKE_ENVIRONMENT,
        }
        return by_ending.get(ending, cls.FAILURE)

    @classmethod
    def of_error(cls, error: CuabenchError) -> Outcome:
        """Return the outcome of an attempt that ended with an error, without harm before."""
        if isinstance(error, RecordFailure | Aborted):
            return cls.CANCELLED
        return next(
            (each for each in cls if each.error and isinstance(error, each.error)), cls.PROVIDER_ERROR
        )


_BY_LABEL = {outcome.label: outcome for outcome in Outcome}
