"""Bounds on groups of instances, compared with intervals clustered by task.

    fail           the whole interval lies on the wrong side of the bound
    pass           rule "estimate": the estimate itself is on the right side, or on the bound
                   rule "proven": the whole interval is
    inconclusive   otherwise

Under either rule a failure needs evidence. Under "estimate", the default, the run's own figure has to meet the bound;
set the bound with a reserve below the agent's usual figure. "proven" is stricter; on small groups it is rarely
conclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pytest_cuabench.gate.config import AT_LEAST, Demands, Gate
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Chosen, Recorded, clustered, task_of
from pytest_cuabench.gate.requirements import coverage
from pytest_cuabench.gate.selection import Where
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.stats import Estimate, clustered_mean, clustered_percentile, clustered_share
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import dollars, many

SUITE = "all instances"
_WORDS = {
    "rate": "success rate",
    "reward": "mean reward",
    "milestones": "mean milestone score",
    "cost": "mean cost of an episode",
    "total_cost": "cost of all attempts",
    "p95_seconds": "95th percentile of seconds",
}


def bounds(recorded: Recorded, gate: Gate) -> Iterator[Finding]:
    """Yield the findings of the bounds of the gate and its groups."""
    yield from _group(recorded, SUITE, gate, gate, lambda instance: True)
    for name, group in gate.groups.items():
        chosen = Where.compile(group.where)
        if not recorded.expected(chosen):
            reason = f"group {name}: no instance matches where = {group.where!r}."
            yield Finding("bound", name, Decision.INCONCLUSIVE, reason)
            continue
        lacking = coverage(recorded, gate.coverage, name, chosen)
        if lacking.decision is not Decision.PASS:
            yield lacking
        yield from _group(recorded, name, group, gate, chosen)


def _group(recorded: Recorded, name: str, demands: Demands, gate: Gate, chosen: Chosen) -> Iterator[Finding]:
    known = coverage(recorded, gate.coverage, name, chosen).decision is Decision.PASS
    for measure, bound in demands.bounds():
        finding = _finding(
            recorded, name, measure, bound, demands.rule or gate.rule or "estimate", gate, chosen
        )
        # A sum that is exceeded does not shrink with the instances that are missing.
        if finding.decision is Decision.FAIL and not known and measure != "total_cost":
            reason = f"{finding.reason.removesuffix('.')}; but too few instances were graded for a failure."
            finding = Finding("bound", finding.subject, Decision.INCONCLUSIVE, reason, finding.figures)
        yield finding


def _finding(
    recorded: Recorded, name: str, measure: str, bound: float, rule: str, gate: Gate, chosen: Chosen
) -> Finding:
    subject = f"{name}: {measure}"
    graded = recorded.graded(chosen)
    if problem := _unknown(measure, recorded.within(chosen), graded):
        return Finding("bound", subject, Decision.INCONCLUSIVE, f"{subject}: {problem}.")
    estimate = _estimate(measure, recorded.within(chosen), graded, gate.confidence)
    decision = decide(estimate, bound, at_least=measure in AT_LEAST, rule=rule)
    if measure != "total_cost":  # total_cost counts all attempts
        estimate = replace(estimate, left_out=len(recorded.expected(chosen)) - len(graded))
    figures = {**estimate.to_json(), "bound": bound, "rule": rule}
    return Finding("bound", subject, decision, _sentence(name, measure, bound, estimate), figures)


def decide(estimate: Estimate, bound: float, *, at_least: bool, rule: str) -> Decision:
    """Compare an estimate with a bound."""
    if estimate.value is None:
        return Decision.INCONCLUSIVE
    sign = 1 if at_least else -1
    value, bound = sign * estimate.value, sign * bound
    low, high = sorted((sign * estimate.low, sign * estimate.high))
    if high < bound:
        return Decision.FAIL
    reached = low if rule == "proven" else value
    return Decision.PASS if reached >= bound else Decision.INCONCLUSIVE


def _unknown(measure: str, attempts: Sequence[Attempt], graded: Sequence[Attempt]) -> str | None:
    """Return why a measure is unknown; None if it is known."""
    if not graded:
        return "no instance was graded"
    priced = {"cost": graded, "total_cost": attempts}.get(measure, ())
    unpriced = sum(attempt.cost.usage.cost is None for attempt in priced)
    return f"the cost of {unpriced} of {len(priced)} attempts is unknown" if unpriced else None


def _estimate(
    measure: str, attempts: Sequence[Attempt], graded: Sequence[Attempt], confidence: float
) -> Estimate:
    match measure:
        case "rate":
            groups = clustered(graded, lambda attempt: float(attempt.result is Outcome.SUCCESS))
            return clustered_share(groups, confidence)
        case "reward":
            rewards = clustered(graded, lambda attempt: attempt.verdict.reward if attempt.verdict else 0.0)
            return clustered_share(rewards, confidence, low=-1.0)
        case "milestones":
            scores = clustered(graded, lambda attempt: attempt.verdict.score if attempt.verdict else 0.0)
            return clustered_share(scores, confidence)
        case "cost":
            return clustered_mean(
                clustered(graded, lambda attempt: attempt.cost.usage.cost or 0.0), confidence
            )
        case "total_cost":
            total = sum(attempt.cost.usage.cost or 0.0 for attempt in attempts)
            tasks = len({task_of(attempt.item) for attempt in attempts})
            return Estimate(total, total, total, len(attempts), tasks, confidence)
    return clustered_percentile(clustered(graded, on_task), 95, confidence)


def on_task(attempt: Attempt) -> float:
    """Return an episode's seconds of agent and world, without back-off, resets and recording."""
    seconds = attempt.cost.seconds
    return seconds.world + seconds.model - seconds.waited


def _sentence(name: str, measure: str, bound: float, estimate: Estimate) -> str:
    assert estimate.value is not None
    side = "at least" if measure in AT_LEAST else "at most"
    value, low, high = (_shown(measure, figure) for figure in (estimate.value, estimate.low, estimate.high))
    interval = "" if estimate.low == estimate.high else f" ({estimate.confidence * 100:g} %: {low} to {high})"
    kind = "attempt" if measure == "total_cost" else "episode"
    counted = f"{many(estimate.n, kind)} of {many(estimate.tasks, 'task')}"
    counted += f", {estimate.left_out} not graded" if estimate.left_out else ""
    return (
        f"{name}: {_WORDS[measure]} {value}{interval}, required {side} {_shown(measure, bound)}; {counted}."
    )


def _shown(measure: str, value: float) -> str:
    if value in (float("inf"), float("-inf")):
        return "unknown"
    match measure:
        case "rate" | "milestones":
            return f"{value * 100:.1f} %"
        case "reward":
            return f"{value:+.2f}".replace("-", "−")
        case "p95_seconds":
            return f"{value:.1f} s"
    return dollars(round(value, 6))  # no interval if its ends are equal after rounding
