"""Outcomes of attempts: whether each is graded, and whether it is retried.

Ungraded attempts are infrastructure failures, or a person interfered: they are excluded from all rates, show as a
pytest error, and never count for or against an agent.
"""

from __future__ import annotations

from enum import Enum

from pytest_cuabench.errors import (
    Aborted,
    BudgetSpent,
    CheckerFailure,
    CuabenchError,
    EnvironmentFailure,
    RecordFailure,
)
from pytest_cuabench.task.verdict import Verdict

BROKEN = "broke"  # `Evidence.ending` of an attempt that an error ended


class Outcome(Enum):
    """Outcomes with label, graded, retried and description."""

    SUCCESS = ("success", True, False, "the task is done and nothing else was changed")
    FAILURE = ("failure", True, False, "the task is not done")
    VIOLATION = ("violation", True, False, "the agent did harm")
    BUDGET_EXHAUSTED = (
        "budget_exhausted",
        True,
        False,
        "the budget of steps, seconds, dollars or context ran out",
    )
    GAVE_UP = ("gave_up", True, False, "the agent reported that it failed, or ended by its own fault")
    INFEASIBLE_DECLARED = (
        "infeasible_declared",
        True,
        False,
        "the agent reported that the task is impossible",
    )
    FORMAT_LOCKOUT = ("format_lockout", True, False, "the agent's replies could not be parsed")
    BROKE_ENVIRONMENT = (
        "broke_environment",
        True,
        False,
        "the agent broke the environment, which works without it",
    )
    ENVIRONMENT_ERROR = ("environment_error", False, True, "the environment failed (infrastructure failure)")
    PROVIDER_ERROR = (
        "provider_error",
        False,
        True,
        "what the agent needs failed, such as its model's server (infrastructure failure)",
    )
    CHECKER_ERROR = ("checker_error", False, False, "the task could not be set up or judged")
    CANCELLED = (
        "cancelled",
        False,
        False,
        "the run was stopped, a person aborted it, or it reached its spending limit or a full disk",
    )
    HUMAN_HELP = ("human_help", False, False, "a person took over, so it says nothing of the agent")
    IMPORTED = ("imported", False, False, "another program recorded it; it was not played or judged here")

    def __init__(self, label: str, graded: bool, retried: bool, words: str) -> None:
        self.label = label
        self.graded = graded
        self.retried = retried
        self.words = words

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
        if isinstance(error, EnvironmentFailure):
            return cls.ENVIRONMENT_ERROR
        if isinstance(error, CheckerFailure):
            return cls.CHECKER_ERROR
        if isinstance(error, BudgetSpent | RecordFailure | Aborted):
            return cls.CANCELLED
        return cls.PROVIDER_ERROR


_BY_LABEL = {outcome.label: outcome for outcome in Outcome}
