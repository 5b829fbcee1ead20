"""The figures of reports, compared with published values."""

from __future__ import annotations

import math
from itertools import combinations, product
from statistics import mean

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from pytest_cuabench.ledger.distributions import at_least, incomplete_beta, t_quantile, t_tail
from pytest_cuabench.ledger.stats import (
    clopper_pearson,
    clustered_mean,
    clustered_percentile,
    clustered_share,
    pass_at_k,
    pass_hat_k,
    percentile,
    repeated,
    standard_error,
    upper_bound,
    wilson,
)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [  # Newcombe, 1998, table I: method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(successes: int, n: int, low: float, high: float) -> None:
    """The interval is the one of the literature."""
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_of_nothing() -> None:
    """When nothing was counted, nothing is known."""
    assert wilson(0, 0) == (0.0, 1.0)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate(counted: tuple[int, int]) -> None:
    """The interval lies within 0 and 1, holds the rate, and mirrors that of the failures."""
    successes, n = counted
    low, high = wilson(successes, n)
    assert 0 <= low <= successes / n + 1e-12
    assert successes / n - 1e-12 <= high <= 1
    assert wilson(n - successes, n) == pytest.approx((1 - high, 1 - low))


def test_wilson_narrows_with_less_confidence() -> None:
    """Less confidence is a narrower interval."""
    wide, narrow = wilson(5, 10, 0.99), wilson(5, 10, 0.5)
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


@pytest.mark.parametrize(
    ("q", "value"), [(0, 1.0), (25, 1.75), (50, 2.5), (75, 3.25), (95, pytest.approx(3.85)), (100, 4.0)]
)
def test_percentile(q: float, value: float) -> None:
    """Percentiles lie between the two nearest values, in whatever order they come."""
    assert percentile([4, 1, 3, 2], q) == value


def test_percentile_of_few() -> None:
    """One value is every percentile; of no value there is none."""
    assert percentile([7.0], 95) == percentile([7.0], 0) == 7.0
    assert percentile([], 50) is None


@pytest.mark.parametrize(
    ("successes", "n"), [(0, 1), (0, 30), (3, 3), (1, 10), (7, 10), (29, 30), (412, 1000)]
)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_clopper_pearson(successes: int, n: int, confidence: float) -> None:
    """The exact interval is scipy's, and so is the one-sided bound."""
    peer = scipy.stats.binomtest(successes, n).proportion_ci(confidence, "exact")
    assert clopper_pearson(successes, n, confidence) == pytest.approx((peer.low, peer.high))
    one_sided = scipy.stats.binomtest(successes, n, alternative="less").proportion_ci(confidence, "exact")
    assert upper_bound(successes, n, confidence) == pytest.approx(one_sided.high)


def test_rule_of_three() -> None:
    """Nothing seen in n tries bounds a rate by nearly 3 / n; nothing tried bounds nothing."""
    assert upper_bound(0, 300) == pytest.approx(1 - 0.05 ** (1 / 300))
    assert upper_bound(0, 300) == pytest.approx(3 / 300, rel=0.01)
    assert upper_bound(0, 0) == 1.0


@pytest.mark.parametrize("n", [1, 2, 5, 6])
def test_k_of_n_by_counting(n: int) -> None:
    """pass@k and pass^k are the shares of all choices of k tries with any success, and with nothing else."""
    for successes in range(n + 1):
        tries = [True] * successes + [False] * (n - successes)
        for k in range(1, n + 1):
            chosen = list(combinations(tries, k))
            assert pass_at_k(n, successes, k) == pytest.approx(sum(map(any, chosen)) / len(chosen))
            assert pass_hat_k(n, successes, k) == pytest.approx(sum(map(all, chosen)) / len(chosen))


@pytest.mark.parametrize(("n", "successes", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 1), (3, -1, 1)])
def test_k_of_n_impossible(n: int, successes: int, k: int) -> None:
    """More tries than were made cannot be estimated."""
    with pytest.raises(ValueError, match="of n ="):
        pass_at_k(n, successes, k)
    with pytest.raises(ValueError, match="of n ="):
        pass_hat_k(n, successes, k)


def test_unbiased() -> None:
    """Over all ways in which five tries can go, pass@3 and pass^3 are on average what they are for the true rate."""
    rate, n, k = 0.3, 5, 3
    weights = {c: math.comb(n, c) * rate**c * (1 - rate) ** (n - c) for c in range(n + 1)}
    assert sum(w * pass_at_k(n, c, k) for c, w in weights.items()) == pytest.approx(1 - (1 - rate) ** k)
    assert sum(w * pass_hat_k(n, c, k) for c, w in weights.items()) == pytest.approx(rate**k)


def test_mean_of_single_values() -> None:
    """With one value a task, the interval is Student's."""
    values = [3.0, 4.5, 1.25, 7.0, 2.0]
    found = clustered_mean({task: [value] for task, value in enumerate(values)})
    peer = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((peer.low, peer.high))
    assert (found.n, found.tasks) == (5, 5)


def test_mean_of_equal_tasks() -> None:
    """With as many values in each task, the interval is Student's on the tasks' means."""
    groups = {"a": [1.0, 0.0, 1.0], "b": [0.0, 0.0, 1.0], "c": [1.0, 1.0, 1.0], "d": [0.0, 1.0, 1.0]}
    found = clustered_mean(groups, 0.9)
    peer = scipy.stats.ttest_1samp([mean(values) for values in groups.values()], 0).confidence_interval(0.9)
    assert (found.low, found.high) == pytest.approx((peer.low, peer.high))
    assert (found.n, found.tasks) == (12, 4)


def test_standard_error_of_unequal_tasks() -> None:
    """With tasks of different sizes it is the sandwich estimate of a regression on nothing but a constant."""
    groups = {"a": [1.0, 0.0], "b": [0.0], "c": [1.0, 1.0, 1.0, 0.0], "d": []}
    values = np.concatenate(list(groups.values()))
    residuals = values - values.mean()
    design = np.ones((7, 1))
    bread = np.linalg.inv(design.T @ design)
    scores = [residuals[:2].sum(), residuals[2:3].sum(), residuals[3:].sum()]
    meat = np.array([[sum(score**2 for score in scores)]])
    sandwich = 3 / 2 * bread @ meat @ bread
    assert standard_error(groups) == pytest.approx(math.sqrt(sandwich[0, 0]))


def test_clustering_widens() -> None:
    """Three equal values of a task are hardly more than one, and an interval that knows it is wider."""
    tasks = {task: [float(task % 3 > 0)] * 3 for task in range(30)}
    clustered = clustered_share(tasks)
    naive = wilson(60, 90)
    assert clustered.high - clustered.low > 1.6 * (naive[1] - naive[0])


def test_share_of_single_values() -> None:
    """With one value a task and many tasks, a clustered share is a Wilson interval."""
    found = clustered_share({task: [float(task < 800)] for task in range(1000)})
    assert (found.low, found.high) == pytest.approx(wilson(800, 1000), abs=5e-4)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_share_without_spread(value: float) -> None:
    """All or nothing in ten tasks is no certainty: each task counts once, and the ends stay within 0 and 1."""
    found = clustered_share({task: [value] * 5 for task in range(10)})
    assert found.value == value
    assert found.high - found.low == pytest.approx(0.338, abs=0.001)  # of 10 trials, with t for z
    assert {found.low, found.high} & {value}


def test_share_between_other_ends() -> None:
    """A reward of -1 to 1 has the interval of the share that it is of the way."""
    rates = {task: [float(task % 4 > 0), float(task % 5 > 0)] for task in range(20)}
    rewards = {task: [2 * value - 1 for value in values] for task, values in rates.items()}
    rate, reward = clustered_share(rates), clustered_share(rewards, low=-1.0)
    ends = (reward.value, reward.low, reward.high)
    assert ends == pytest.approx((2 * rate.value - 1, 2 * rate.low - 1, 2 * rate.high - 1))


@pytest.mark.parametrize("groups", [{}, {"a": []}])
def test_nothing_is_known_of_nothing(groups: dict[str, list[float]]) -> None:
    """Without values there is no estimate."""
    share, average = clustered_share(groups), clustered_mean(groups)
    assert (share.value, share.low, share.high, share.n) == (None, 0.0, 1.0, 0)
    assert (average.value, average.low, average.high) == (None, -math.inf, math.inf)
    assert average.to_json() | {"value": None, "low": None, "high": None} == average.to_json()


def test_one_task_tells_of_itself_only() -> None:
    """However often one task is played, nothing is known of others."""
    found = clustered_share({"a": [1.0, 0.0, 1.0]})
    assert (found.low, found.high, found.tasks) == (0.0, 1.0, 1)
    assert clustered_mean({"a": [1.0, 0.0]}).high == math.inf
    with pytest.raises(ValueError, match="two tasks"):
        standard_error({"a": [1.0, 0.0]})


def test_coverage_of_clustered_shares() -> None:
    """Of intervals for repeated plays of tasks of differing difficulty, about as many hold the truth as they say."""
    chance = np.random.default_rng(20)
    held = 0
    for _ in range(600):
        rates = chance.beta(2.4, 0.6, size=40)
        found = clustered_share({task: list(chance.random(3) < rate) for task, rate in enumerate(rates)})
        held += found.low <= 0.8 <= found.high
    assert 0.93 <= held / 600 <= 0.98


def test_percentile_interval() -> None:
    """The interval of a percentile covers as it says; where there are too few values it has no upper end."""
    chance = np.random.default_rng(21)
    truth, held = math.log(20), 0
    for _ in range(400):
        found = clustered_percentile({task: list(chance.exponential(size=1)) for task in range(400)}, 95)
        held += found.low <= truth <= found.high
    assert 0.92 <= held / 400 <= 0.98
    few = clustered_percentile({task: [float(task)] for task in range(30)}, 95)
    assert (few.value, few.high) == (pytest.approx(27.55), math.inf)
    assert few.low < 27.55


def test_percentile_clusters() -> None:
    """Equal values of a task are no further evidence on a percentile."""
    single = {task: [float(task)] for task in range(200)}
    thrice = {task: values * 3 for task, values in single.items()}
    narrow, same = clustered_percentile(single, 50), clustered_percentile(thrice, 50)
    assert same.high - same.low == pytest.approx(narrow.high - narrow.low, rel=0.05)


def test_repeated() -> None:
    """pass@k and pass^k are means over instances; one that was graded too seldom is left out and counted."""
    counts = {"a": [(3, 3), (3, 0)], "b": [(3, 2), (1, 1)]}
    at, hat = repeated(counts, 2, all_of=False), repeated(counts, 2, all_of=True)
    assert at.value == pytest.approx((1 + 0 + 1) / 3)
    assert hat.value == pytest.approx((1 + 0 + 1 / 3) / 3)
    assert (at.n, at.tasks, at.left_out) == (3, 2, 1)
    assert repeated(counts, 4, all_of=True).value is None


def test_student() -> None:
    """Quantiles and tails are Student's."""
    assert t_quantile(0.975, 9) == pytest.approx(2.262157)
    assert t_tail(t_quantile(0.01, 12), 12) == pytest.approx(0.01)


@pytest.mark.parametrize("degrees", [1, 2, 7, 40, 500, 10_000])
@pytest.mark.parametrize("p", [0.001, 0.05, 0.5, 0.9, 0.975, 0.9999])
def test_student_beside_scipy(p: float, degrees: int) -> None:
    """Quantiles and tails are SciPy's to nine digits."""
    quantile = scipy.special.stdtrit(degrees, p)
    assert t_quantile(p, degrees) == pytest.approx(quantile, rel=1e-9, abs=1e-12)
    assert t_tail(quantile, degrees) == pytest.approx(p, rel=1e-9)


@given(st.floats(0.5, 2000), st.floats(0.5, 2000), st.floats(0, 1))
def test_incomplete_beta_beside_scipy(a: float, b: float, x: float) -> None:
    """The incomplete beta function is SciPy's, at its ends too."""
    assert incomplete_beta(a, b, x) == pytest.approx(scipy.special.betainc(a, b, x), rel=1e-7, abs=1e-10)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0, 1))
def test_at_least_beside_scipy(counted: tuple[int, int], rate: float) -> None:
    """The binomial tail is SciPy's."""
    successes, n = counted
    assert at_least(successes, n, rate) == pytest.approx(
        scipy.stats.binom.sf(successes - 1, n, rate), abs=1e-10
    )


def test_an_interval_holds_its_rate() -> None:
    """Rounding leaves no rate outside of its own interval, at the ends neither, however many tasks there are."""
    for tasks, value in product(range(2, 200), (0.0, 1.0)):
        found = clustered_share({("s", "a", str(n)): [value] for n in range(tasks)})
        assert found.low <= value <= found.high, tasks
