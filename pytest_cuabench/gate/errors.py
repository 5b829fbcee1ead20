"""Bounds on the share of attempts in which the environment breaks, absolute or relative to the baseline.

Attempts with a broken environment are excluded from all rates unless it broke every time, so an agent that breaks it
wherever it would fail has good rates. Here every such attempt counts, including retried ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.errors import SettingError
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded, clustered
from pytest_cuabench.ledger.record import Attempt
from pytest_cuabench.reporting.stats import Estimate, clustered_share
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import many

if TYPE_CHECKING:
    from pytest_cuabench.gate.baseline import Baseline
    from pytest_cuabench.gate.config import Gate

_Share = Annotated[float, Field(strict=True, ge=0, le=1, allow_inf_nan=False)]


class ErrorBounds(BaseModel):
    """Bounds on the share of attempts in which the environment broke.

    Attributes:
        environment: Maximum share of all attempts.
        margin: Maximum increase over the share in the baseline.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    environment: _Share | None = None
    margin: _Share | None = None


def check_bounds(gate: Gate, place: str) -> None:
    """Reject error bounds without effect.

    Raises:
        SettingError: There is no bound, or a margin without a baseline.
    """
    if gate.errors is None:
        return
    if gate.errors.environment is None and gate.errors.margin is None:
        raise SettingError(f"{place}: errors has no bound; add environment = 0.02 or margin = 0.02")
    if gate.errors.margin is not None and gate.baseline is None:
        raise SettingError(
            f"{place}: errors.margin needs a baseline; add [baseline], or use errors.environment"
        )


def broke(attempt: Attempt) -> bool:
    """Whether the environment broke in an attempt, whatever its outcome."""
    return attempt.result is Outcome.ENVIRONMENT_ERROR or attempt.broke is not None


def error_bounds(recorded: Recorded, gate: Gate, baseline: Baseline | None) -> Iterator[Finding]:
    """Yield the findings of the error bounds."""
    bounds = gate.errors
    if bounds is None:
        return
    if not recorded.all:
        yield Finding(
            "errors", "environment", Decision.INCONCLUSIVE, "Environment errors: no instance was played."
        )
        return
    found = clustered_share(clustered(recorded.all, lambda each: float(broke(each))), gate.confidence)
    if bounds.environment is not None:
        yield _finding(found, bounds.environment, gate, "")
    if bounds.margin is not None and gate.baseline and baseline:
        agent = gate.baseline.agent or next(iter(recorded.agents), "")
        errors, attempts = baseline.errors(agent, gate.baseline.window)
        if attempts:
            bound = min(1.0, errors / attempts + bounds.margin)
            yield _finding(found, bound, gate, f", which is {bounds.margin:.1%} more than in the baseline")
        else:
            reason = f"Environment errors: the baseline has no error counts for {agent}."
            decision = Decision.PASS if gate.baseline.collecting == "pass" else Decision.INCONCLUSIVE
            yield Finding("errors", "environment, baseline", decision, reason)


def _finding(found: Estimate, bound: float, gate: Gate, why: str) -> Finding:
    from pytest_cuabench.gate.thresholds import decide

    assert found.value is not None
    rule = gate.rule or "estimate"
    reason = (
        (
            f"The environment broke in {found.value:.1%} of {many(found.n, 'attempt')} "
            f"({found.confidence * 100:g} %: {found.low:.1%} to {found.high:.1%}), required at most {bound:.1%}{why}."
        )
        .replace("%", " %")
        .replace("  %", " %")
    )
    decision = decide(found, bound, at_least=False, rule=rule)
    subject = "environment, baseline" if why else "environment"
    return Finding("errors", subject, decision, reason, {**found.to_json(), "bound": bound, "rule": rule})
