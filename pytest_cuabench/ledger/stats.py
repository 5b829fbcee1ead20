"""Statistics of repeated runs. Every estimate has its number of values, of tasks and of excluded values.

Episodes of one task resemble each other, so that a hundred tasks played three times are not three hundred
independent trials. Means are therefore clustered by task: cluster-robust standard error with the correction
G / (G - 1) and t quantiles of G - 1 degrees of freedom (Cameron and Miller, A Practitioner's Guide to
Cluster-Robust Inference, 2015; Miller, Adding Error Bars to Evals, 2024). No bootstrap: with few tasks it is not
better than t, and it would need a seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb, inf, isinf, sqrt
from statistics import NormalDist, fmean
from typing import Any

from pytest_cuabench.ledger.distributions import incomplete_beta_inverse, t_quantile

CONFIDENCE = 0.95
_NOTHING = 1e-12  # smaller standard errors are rounding errors
Groups = Mapping[Any, Sequence[float]]  # values by task


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its uncertainty.

    Attributes:
        value: The estimate, None without values.
        low: Lower end of the two-sided interval; -inf or the smallest possible value where it is unknown.
        high: Upper end.
        n: Number of values.
        tasks: Number of tasks that the values belong to.
        left_out: Number of excluded values: ungraded episodes, instances with too few plays.
    """

    value: float | None
    low: float
    high: float
    n: int
    tasks: int
    confidence: float = CONFIDENCE
    left_out: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return plain data; an unknown end of the interval is null."""
        ends = {name: None if isinf(end) else round(end, 6) for name, end in self._ends()}
        value = None if self.value is None else round(self.value, 6)
        counts = {name: getattr(self, name) for name in ("n", "tasks", "confidence", "left_out")}
        return {"value": value, **ends, **counts}

    def _ends(self) -> tuple[tuple[str, float], tuple[str, float]]:
        return ("low", self.low), ("high", self.high)


# Counting


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the Wilson score interval of a rate, (0, 1) for n = 0 (Wilson, 1927)."""
    return _wilson(successes / n, n, NormalDist().inv_cdf((1 + confidence) / 2)) if n else (0.0, 1.0)


def clopper_pearson(successes: int, n: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the exact interval of a rate, whose coverage is at least `confidence` (Clopper and Pearson, 1934).

    For counts too small for an approximation.
    """
    return _exact(successes, n, (1 - confidence) / 2)


def upper_bound(successes: int, n: int, confidence: float = CONFIDENCE) -> float:
    """Return the exact one-sided upper bound of a rate: about 3 / n for no success in n."""
    return _exact(successes, n, 1 - confidence)[1]


def pass_at_k(n: int, successes: int, k: int) -> float:
    """Return the probability that at least one of k of n tries succeeds, without bias (Chen et al., 2021)."""
    return 1 - pass_hat_k(n, n - successes, k)


def pass_hat_k(n: int, successes: int, k: int) -> float:
    """Return the probability that all k of n tries succeed, without bias (Yao et al., tau-bench, 2024).

    Raises:
        ValueError: There are fewer than k tries, or more successes than tries.
    """
    if not 1 <= k <= n or not 0 <= successes <= n:
        raise ValueError(f"k = {k} of n = {n} with {successes} successes")
    return comb(successes, k) / comb(n, k)


def percentile(values: Iterable[float], q: float) -> float | None:
    """Return the q-th percentile (0 to 100) by linear interpolation, None when there is no value."""
    ordered = sorted(values)
    if not ordered:
        return None
    place = (len(ordered) - 1) * q / 100
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


# Clustered by task


def clustered_mean(groups: Groups, confidence: float = CONFIDENCE) -> Estimate:
    """Return the mean of all values with a t interval; for a single task the mean only."""
    values, tasks = _flat(groups)
    if not values:
        return Estimate(None, -inf, inf, 0, 0, confidence)
    mean, half = fmean(values), inf
    if tasks > 1:
        half = t_quantile((1 + confidence) / 2, tasks - 1) * standard_error(groups)
    return Estimate(mean, mean - half, mean + half, len(values), tasks, confidence)


def clustered_share(
    groups: Groups, confidence: float = CONFIDENCE, low: float = 0.0, high: float = 1.0
) -> Estimate:
    """Return the mean of values between `low` and `high`: rates, scores, rewards.

    A Wilson interval with t quantiles for the effective sample size of a clustered sample with this
    standard error; it stays within the ends and does not shrink to zero near them (Korn and Graubard,
    1998; Franco et al., Comparative Study of Confidence Intervals for Proportions in Complex Sample Surveys, 2019).
    Where all values are equal, the standard error is unusable: each task then counts once.
    """
    values, tasks = _flat(groups)
    if not values:
        return Estimate(None, low, high, 0, 0, confidence)
    mean, span = fmean(values), high - low
    if tasks < 2:
        return Estimate(mean, low, high, len(values), tasks, confidence)
    share = (mean - low) / span
    error = standard_error(groups) / span
    worth = share * (1 - share) / error**2 if error > _NOTHING else float(tasks)
    if {*values} <= {low, high}:
        worth = min(worth, len(values))  # at most the sample size
    below, above = _wilson(share, worth, t_quantile((1 + confidence) / 2, tasks - 1))
    return Estimate(mean, low + span * below, low + span * above, len(values), tasks, confidence)


def clustered_percentile(groups: Groups, q: float, confidence: float = CONFIDENCE) -> Estimate:
    """Return the q-th percentile with the interval of Woodruff (1952).

    The upper end is infinite where there are too few values to bound it.
    """
    values, tasks = _flat(groups)
    middle = percentile(values, q)
    if middle is None:
        return Estimate(None, -inf, inf, 0, 0, confidence)
    # The share is q by construction, even with ties; only its uncertainty is estimated.
    below = {task: [float(value <= middle) for value in found] for task, found in groups.items()}
    # At least the error of independent values: few tasks may agree by chance.
    error = max(standard_error(below) if tasks > 1 else inf, sqrt(q / 100 * (1 - q / 100) / len(values)))
    half = t_quantile((1 + confidence) / 2, tasks - 1) * error if tasks > 1 else inf
    low, high = (_value_at(values, q / 100 + sign * half) for sign in (-1, 1))
    return Estimate(middle, low, high, len(values), tasks, confidence)


def standard_error(groups: Groups) -> float:
    """Return the cluster-robust standard error of the mean of all values.

    Raises:
        ValueError: There are fewer than two tasks.
    """
    values, tasks = _flat(groups)
    if tasks < 2:
        raise ValueError("a standard error needs two tasks or more")
    mean = fmean(values)
    squares = sum(sum(value - mean for value in found) ** 2 for found in groups.values())
    return sqrt(tasks / (tasks - 1) * squares) / len(values)


# Repeated plays of one instance


def repeated(counts: Mapping[Any, Iterable[tuple[int, int]]], k: int, *, all_of: bool) -> Estimate:
    """Return pass^k (`all_of`) or pass@k: the mean over instances, clustered by task.

    `counts` holds the graded plays and successes of each instance, by task; an instance with fewer than k graded
    plays is excluded.
    """
    single = pass_hat_k if all_of else pass_at_k
    groups = {
        task: [single(n, successes, k) for n, successes in found if n >= k] for task, found in counts.items()
    }
    left_out = sum(n < k for found in counts.values() for n, _ in found)
    return replace(clustered_share(groups), left_out=left_out)


# Inside


def _wilson(rate: float, n: float, z: float) -> tuple[float, float]:
    middle = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
    # Rounding puts the upper end of a rate of 1 just below 1.
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def _exact(successes: int, n: int, tail: float) -> tuple[float, float]:
    low = incomplete_beta_inverse(successes, n - successes + 1, tail) if successes else 0.0
    high = incomplete_beta_inverse(successes + 1, n - successes, 1 - tail) if successes < n else 1.0
    return low, high


def _flat(groups: Groups) -> tuple[list[float], int]:
    """Return all values, and the number of tasks with values."""
    return [value for found in groups.values() for value in found], sum(map(bool, groups.values()))


def _value_at(values: Sequence[float], share: float) -> float:
    """Return the value at this share of the sorted values; infinite beyond the ends."""
    if share > 1 - 0.5 / len(values):
        return inf
    return min(values) if share <= 0 else percentile(values, 100 * share) or 0.0
