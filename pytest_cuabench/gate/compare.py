"""A run against the evidence of earlier ones: the suite as a whole, and each instance by itself.

**The suite.** For each task the difference of its success rate to the baseline's, then the mean over tasks with
Student's t (paired by task, G - 1 degrees of freedom). Its standard error is the larger of two: the spread of the
tasks' differences, and what binomial chance alone makes with rates moved towards one half by a success and a failure
(Agresti and Caffo, 2000), so that suites of solved tasks are not taken for certain.

    fail           the mean is lower by the margin or more, and lower at all with significance `alpha` (one-sided)
    pass           the loss is smaller than the margin with one-sided `confidence`: non-inferior
    inconclusive   everything between: play more epochs

**An instance.** It collapsed where all its plays failed although it was solid in the baseline. For any true success
rate p, s or more of n plays succeed and then all of e fail with the probability P(X >= s) (1 - p)^e; the largest over
all p bounds the false alarm without an assumption on p. Divided among the instances (Bonferroni), all of them
together alarm falsely with at most `collapse_alpha`, if plays of an instance are independent.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import sqrt
from statistics import fmean, stdev

from pytest_cuabench.fingerprint import Fingerprint, differences, same_question
from pytest_cuabench.gate.baseline import Baseline, Support, instance_of
from pytest_cuabench.gate.config import BaselineDemands
from pytest_cuabench.gate.decision import Decision, Finding
from pytest_cuabench.gate.recorded import Recorded, Task, some, task_of
from pytest_cuabench.ledger import Attempt
from pytest_cuabench.outcome import Outcome
from pytest_cuabench.reporting.words import many
from pytest_cuabench.stats import t_quantile, t_tail

_SUITE = "the suite"


@dataclass(frozen=True, slots=True)
class Pair:
    """One instance, now and in the baseline."""

    instance: str
    task: Task
    fingerprint: Fingerprint | None
    plays: int
    successes: int
    support: Support

    @property
    def difference(self) -> float:
        """The success rate now less that of the baseline."""
        return self.successes / self.plays - self.support.successes / self.support.plays

    @property
    def variance(self) -> float:
        """The variance of the difference by chance alone, never nothing."""
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
        """How probable a mean as low as this is where nothing changed."""
        return t_tail(self.mean / self.error, self.tasks - 1)


def compare(
    recorded: Recorded, baseline: Baseline, demands: BaselineDemands, floor: float
) -> Iterator[Finding]:
    """Yield what comparing comes to; `floor` is the share of instances that must be graded for a failure."""
    agent = demands.agent or next(iter(recorded.agents), "")
    every = pairs(recorded.graded(), baseline, agent, demands.window)
    admitted = [pair for pair in every if _admitted(pair, demands)]
    others = [pair for pair in every if not _admitted(pair, demands)]
    if not every:
        yield Finding("baseline", _SUITE, Decision.INCONCLUSIVE, "Nothing was graded that could be compared.")
        return
    if others:
        yield _collecting(admitted, others, baseline, agent, demands)
    if len(admitted) >= demands.share * len(every) and admitted:
        known = len(recorded.graded()) >= floor * len(recorded.expected())
        yield non_inferiority(admitted, demands, known)
    yield from collapse(admitted, demands)


def pairs(graded: Iterable[Attempt], baseline: Baseline, agent: str, window: int) -> list[Pair]:
    """Return each graded instance with what the baseline knows of it."""
    epochs: dict[str, list[Attempt]] = {}
    for attempt in graded:
        epochs.setdefault(instance_of(attempt), []).append(attempt)
    found = []
    for name, attempts in epochs.items():
        fingerprint = _common(attempts)
        support = baseline.support(agent, name, fingerprint, window) if fingerprint else Support()
        good = sum(attempt.result is Outcome.SUCCESS for attempt in attempts)
        found.append(Pair(name, task_of(attempts[0]), fingerprint, len(attempts), good, support))
    return found


def _common(attempts: list[Attempt]) -> Fingerprint | None:
    """Return the fingerprint of all plays of an instance; None where they have none, or differ."""
    found = [attempt.fingerprint for attempt in attempts]
    first = found[0]
    same = first and all(other and same_question(first, other) for other in found)
    return first if same else None


def non_inferiority(admitted: list[Pair], demands: BaselineDemands, known: bool = True) -> Finding:
    """Return whether the suite is worse than its baseline, not worse, or whether that cannot be told."""
    if len({pair.task for pair in admitted}) < 2:
        reason = "The suite cannot be compared with its baseline: that takes two tasks or more."
        return Finding("non_inferiority", _SUITE, Decision.INCONCLUSIVE, reason)
    found = mean_difference(admitted)
    lower, chance = found.lower(demands.confidence), found.chance_of_loss
    if found.mean <= -demands.margin and chance <= demands.alpha:
        decision = Decision.FAIL if known else Decision.INCONCLUSIVE
        words = f"The suite is worse than the baseline by more than the margin, and not by chance (p = {chance:.2g})"
        words += "" if known else ", but too little was graded to conclude that"
    elif lower > -demands.margin:
        decision, words = Decision.PASS, "The suite is not worse than the baseline by the margin"
    else:
        decision = Decision.INCONCLUSIVE
        words = "Whether the suite is worse than the baseline cannot be told; more epochs (--cua-epochs) would help"
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
    """Return the mean over tasks of the difference to the baseline, with its standard error.

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
    """Yield the instances that collapsed, or that none did and how many could have been noticed."""
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
            f"{support.successes} of {support.plays} did (a false alarm has a chance of at most {_alarm(pair):.1g})."
        )
        figures = {"plays": pair.plays, "baseline_plays": support.plays, "chance": _alarm(pair)}
        yield Finding("collapse", pair.instance, Decision.FAIL, reason, figures)
    if not fallen:
        reason = (
            f"No instance collapsed; of {len(admitted)} compared, {len(solid)} are solid in the baseline and "
            f"{len(able)} were played often enough for a collapse to be told from chance."
        )
        yield Finding("collapse", "all instances", Decision.PASS, reason, {"able": len(able)})


def false_alarm(plays: int, successes: int, now: int) -> float:
    """Return the largest chance, over all true rates, of so many successes or more and then `now` failures."""
    return _false_alarm(plays, successes, now)


@cache
def _false_alarm(plays: int, successes: int, now: int) -> float:
    from scipy.optimize import minimize_scalar
    from scipy.special import bdtrc

    def chance(rate: float) -> float:
        solid = 1.0 if successes == 0 else float(bdtrc(successes - 1, plays, rate))
        return solid * (1 - rate) ** now

    # The logarithm of each factor is concave in the rate, so there is one maximum.
    found = minimize_scalar(
        lambda rate: -chance(rate), bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-9}
    )
    return max(chance(0.0), -float(found.fun))


def _alarm(pair: Pair) -> float:
    """Return the false-alarm bound of a pair, had all its plays failed."""
    return false_alarm(pair.support.plays, pair.support.successes, pair.plays)


def _admitted(pair: Pair, demands: BaselineDemands) -> bool:
    return pair.support.runs >= demands.min_runs and pair.support.plays >= demands.min_plays


def _collecting(
    admitted: list[Pair], others: list[Pair], baseline: Baseline, agent: str, demands: BaselineDemands
) -> Finding:
    """Say how far the baseline is, and what made its older evidence worthless."""
    every = len(admitted) + len(others)
    enough = len(admitted) >= demands.share * every
    runs = min(pair.support.runs for pair in others)
    words = (
        f"Of {every} instances {len(admitted)} have enough evidence in the baseline of {agent}; the others have "
        f"{runs} runs or more of {demands.min_runs} at their fingerprint"
    )
    if changed := _changed(others, baseline, agent):
        words += f" ({some(f'{count} instances: {what}' for what, count in changed.items())})"
    words += "." if enough else "; the suite is not compared until then."
    allowed = enough or demands.collecting == "pass"
    decision = Decision.PASS if allowed else Decision.INCONCLUSIVE
    return Finding("baseline", _SUITE, decision, words, {"admitted": len(admitted), "instances": every})


def _changed(others: Iterable[Pair], baseline: Baseline, agent: str) -> Mapping[str, int]:
    """Return how many instances differ from their newest evidence, and in what."""
    counts: dict[str, int] = {}
    for pair in others:
        newest = baseline.newest(agent, pair.instance)
        if pair.fingerprint is None:
            what = "no fingerprint, or several, was recorded"
        elif newest:
            what = "; ".join(differences(newest, pair.fingerprint))
        else:
            continue
        if what:
            counts[what] = counts.get(what, 0) + 1
    return counts


def _points(share: float) -> str:
    return f"{share * 100:+.1f}".replace("-", "−")
