"""Bounds on the share of attempts in which the environment breaks, absolute or relative to the baseline.

Attempts with a broken environment are excluded from all rates unless it broke every time, so an agent that breaks it
wherever it would fail has good rates. Here every such attempt counts, including retried ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_cuabench.gate.baseline import Baseline
from pytest_cuabench.gate.config import Gate
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded, broke, clustered
from pytest_cuabench.gate.thresholds import decide
from pytest_cuabench.ledger.stats import Estimate, clustered_share
from pytest_cuabench.task.text import many


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
