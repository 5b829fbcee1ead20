"""Comparison of a run with the evidence of earlier runs: the suite as a whole, and each instance.

**The suite.** For each task the difference of its success rate to the baseline's, then the mean over tasks with
Student's t (paired by task, G - 1 degrees of freedom). Its standard error is the larger of two: the spread of the
tasks' differences, and the binomial error with rates moved towards one half by a success and a failure
(Agresti and Caffo, 2000), so that suites of solved tasks keep some uncertainty.

    fail           the mean is lower by the margin or more, and lower at all with significance `alpha` (one-sided)
    pass           the loss is smaller than the margin with one-sided `confidence`: non-inferior
    inconclusive   otherwise: play more epochs

**An instance.** It collapsed where all its plays failed although it was solid in the baseline. For any true success
rate p, s or more of n plays succeed and then all of e fail with the probability P(X >= s) (1 - p)^e; the largest over
all p bounds the false alarm without an assumption on p. With a Bonferroni correction the probability of any false
alarm is at most `collapse_alpha`, if plays of an instance are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, stdev

from pytest_cuabench.gate.baseline import Baseline, Support, instance_of
from pytest_cuabench.gate.config import BaselineDemands
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded, Task, some, task_of
from pytest_cuabench.ledger.attempt import Attempt
from pytest_cuabench.ledger.distributions import at_least, greatest, t_quantile, t_tail
from pytest_cuabench.ledger.fingerprint import Fingerprint, differences, same_question
from pytest_cuabench.task.outcome import Outcome
from pytest_cuabench.task.text import many

_SUITE = "the suite"


@dataclass(frozen=True, slots=True)
class Pair:
    """One instance in the run and in the baseline."""

    instance: str
    task: Task
    fingerprint: Fingerprint | None
    plays: int
    successes: int
    support: Support

    @property
    def difference(self) -> float:
        """The success rate of the run minus that of the baseline."""
        return self.successes / self.plays - self.support.successes / self.support.plays

    @property
    def variance(self) -> float:
        """The binomial variance of the difference, always above 0."""
        n, old = self.plays, self.support.plays
        rate = (self.successes + self.support.successes + 1) / (n + old + 2)
        return rate * (1 - rate) * (1 / n + 1 / old)


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference over tasks."""

    mean: float
    error: float
    tasks: int

    def lower(self, confidence: float) -> float:
        """Return the one-sided lower bound."""
        return self.mean - t_quantile(confidence, self.tasks - 1) * self.error

    @property
    def chance_of_loss(self) -> float:
        """The p-value of a mean as low as this if nothing changed."""
        return t_tail(self.mean / self.error, self.tasks - 1)


def compare(
    recorded: Recorded, baseline: Baseline, demands: BaselineDemands, floor: float
) -> Iterator[Finding]:
    """Yield the findings of the comparison; `floor` is the share of graded instances needed for a failure."""
    agent = demands.agent or next(iter(recorded.agents), "")
    every = pairs(recorded.graded(), baseline, agent, demands.window)
    admitted = [pair for pair in every if _admitted(pair, demands)]
    others = [pair for pair in every if not _admitted(pair, demands)]
    if not every:
        yield Finding(
            "baseline", _SUITE, Decision.INCONCLUSIVE, "No graded instance can be compared with the baseline."
        )
        return
    if others:
        yield _collecting(admitted, others, baseline, agent, demands)
    if len(admitted) >= demands.share * len(every) and admitted:
        known = len(recorded.graded()) >= floor * len(recorded.expected())
        yield non_inferiority(admitted, demands, known)
    yield from collapse(admitted, demands)


def pairs(graded: Iterable[Attempt], baseline: Baseline, agent: str, window: int) -> list[Pair]:
    """Return each graded instance with its evidence in the baseline."""
    epochs: dict[str, list[Attempt]] = {}
    for attempt in graded:
        epochs.setdefault(instance_of(attempt), []).append(attempt)
    found = []
    for name, attempts in epochs.items():
        fingerprint = _common(attempts)
        support = baseline.support(agent, name, fingerprint, window) if fingerprint else Support()
        good = sum(attempt.result is Outcome.SUCCESS for attempt in attempts)
        found.append(Pair(name, task_of(attempts[0].item), fingerprint, len(attempts), good, support))
    return found


def _common(attempts: list[Attempt]) -> Fingerprint | None:
    """Return the common fingerprint of an instance's plays; None where they have none, or differ."""
    found = [attempt.conditions.fingerprint for attempt in attempts]
    first = found[0]
    same = first and all(other and same_question(first, other) for other in found)
    return first if same else None


def non_inferiority(admitted: list[Pair], demands: BaselineDemands, known: bool = True) -> Finding:
    """Return the finding whether the suite is worse than its baseline, not worse, or undecided."""
    if len({pair.task for pair in admitted}) < 2:
        reason = "Cannot compare the suite with its baseline: fewer than two tasks have enough evidence."
        return Finding("non_inferiority", _SUITE, Decision.INCONCLUSIVE, reason)
    found = mean_difference(admitted)
    lower, chance = found.lower(demands.confidence), found.chance_of_loss
    if found.mean <= -demands.margin and chance <= demands.alpha:
        decision = Decision.FAIL if known else Decision.INCONCLUSIVE
        words = (
            f"The suite is worse than the baseline by more than the margin, significantly (p = {chance:.2g})"
        )
        words += "" if known else ", but too few instances were graded for a failure"
    elif lower > -demands.margin:
        decision, words = Decision.PASS, "The suite is not worse than the baseline by the margin"
    else:
        decision = Decision.INCONCLUSIVE
        words = "Cannot decide whether the suite is worse than the baseline; play more epochs (--cua-epochs)"
    reason = (
        f"{words}: success rate {_points(found.mean)} points on {many(found.tasks, 'task')}, at least {_points(lower)} "
        f"({demands.confidence * 100:g} %, one-sided); margin {demands.margin * 100:g} points."
    )
    figures = {
        "difference": round(found.mean, 6),
        "lower": round(lower, 6),
        "p": float(f"{chance:.3g}"),
        "tasks": found.tasks,
        "instances": len(admitted),
    }
    return Finding("non_inferiority", _SUITE, decision, reason, figures)


def mean_difference(admitted: Iterable[Pair]) -> Difference:
    """Return the mean difference to the baseline over tasks, with its standard error.

    Raises:
        statistics.StatisticsError: There are fewer than two tasks.
    """
    tasks: dict[Task, list[Pair]] = {}
    for pair in admitted:
        tasks.setdefault(pair.task, []).append(pair)
    means = [fmean(pair.difference for pair in group) for group in tasks.values()]
    spread = stdev(means) / sqrt(len(means))
    chance = sum(sum(pair.variance for pair in group) / len(group) ** 2 for group in tasks.values())
    return Difference(fmean(means), max(spread, sqrt(chance) / len(means)), len(means))


def collapse(admitted: list[Pair], demands: BaselineDemands) -> Iterator[Finding]:
    """Yield a finding per collapsed instance, or one that none did and how many could have been detected."""
    if not admitted:
        return
    limit = demands.collapse_alpha / len(admitted)
    solid = [pair for pair in admitted if pair.support.successes >= demands.solid * pair.support.plays]
    able = [pair for pair in solid if _alarm(pair) <= limit]
    fallen = [pair for pair in able if not pair.successes]
    for pair in fallen:
        support = pair.support
        reason = (
            f"{pair.instance} collapsed: none of {many(pair.plays, 'play')} succeeded, and in the baseline "
            f"{support.successes} of {support.plays} did (probability of a false alarm at most {_alarm(pair):.1g})."
        )
        figures = {"plays": pair.plays, "baseline_plays": support.plays, "chance": _alarm(pair)}
        yield Finding("collapse", pair.instance, Decision.FAIL, reason, figures)
    if not fallen:
        reason = (
            f"No instance collapsed; of {len(admitted)} compared, {len(solid)} are solid in the baseline and "
            f"{len(able)} were played often enough to detect a collapse."
        )
        yield Finding("collapse", "all instances", Decision.PASS, reason, {"able": len(able)})


def false_alarm(plays: int, successes: int, now: int) -> float:
    """Return the largest probability, over all true rates, of `successes` or more and then `now` failures."""
    return _false_alarm(plays, successes, now)


@cache
def _false_alarm(plays: int, successes: int, now: int) -> float:
    def chance(rate: float) -> float:
        return at_least(successes, plays, rate) * (1 - rate) ** now

    # The logarithm of each factor is concave in the rate, so there is a single maximum.
    return max(chance(0.0), greatest(chance, 0.0, 1.0))


def _alarm(pair: Pair) -> float:
    """Return the false-alarm bound of a pair if all its plays failed."""
    return false_alarm(pair.support.plays, pair.support.successes, pair.plays)


def _admitted(pair: Pair, demands: BaselineDemands) -> bool:
    return pair.support.runs >= demands.min_runs and pair.support.plays >= demands.min_plays


def _collecting(
    admitted: list[Pair], others: list[Pair], baseline: Baseline, agent: str, demands: BaselineDemands
) -> Finding:
    """Return the finding on missing evidence, with the changes that invalidated older evidence."""
    every = len(admitted) + len(others)
    enough = len(admitted) >= demands.share * every
    runs = min(pair.support.runs for pair in others)
    words = (
        f"{len(admitted)} of {every} instances have enough evidence in the baseline of {agent}; the others have "
        f"at least {runs} of {demands.min_runs} runs at their fingerprint"
    )
    if changed := _changed(others, baseline, agent):
        words += f" ({some(f'{count} instances: {what}' for what, count in changed.items())})"
    words += "." if enough else "; the suite is not compared until then."
    allowed = enough or demands.collecting == "pass"
    decision = Decision.PASS if allowed else Decision.INCONCLUSIVE
    return Finding("baseline", _SUITE, decision, words, {"admitted": len(admitted), "instances": every})


def _changed(others: Iterable[Pair], baseline: Baseline, agent: str) -> Mapping[str, int]:
    """Count the instances that differ from their newest evidence, by difference."""
    counts: dict[str, int] = {}
    for pair in others:
        newest = baseline.newest(agent, pair.instance)
        if pair.fingerprint is None:
            what = "no fingerprint, or several, recorded"
        elif newest:
            what = "; ".join(differences(newest, pair.fingerprint))
        else:
            continue
        if what:
            counts[what] = counts.get(what, 0) + 1
    return counts


def _points(share: float) -> str:
    return f"{share * 100:+.1f}".replace("-", "−")
