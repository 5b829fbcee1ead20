"""The incomplete beta function and what follows from it: tails of the binomial and Student's t distribution.

Here so that a report and a gate need no SciPy (140 MB and NumPy's 70); tests hold every function to SciPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, inf, isnan, lgamma, log, log1p, nan, sqrt

_TINY = 1e-300  # in place of a zero denominator (Lentz)
_PRECISION = 4e-16  # nearly two steps of a float at 1
_GOLDEN = (sqrt(5) - 1) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularized incomplete beta function I_x(a, b), the chance of a beta variable below x."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # where the fraction converges slowly, its mirror image converges fast
        return 1 - _below(b, a, log1p(-x), log(x), 1 - x)
    return _below(a, b, log(x), log1p(-x), x)


def incomplete_beta_inverse(a: float, b: float, share: float) -> float:
    """Return the x at which I_x(a, b) reaches a share."""
    return _crossing(lambda x: incomplete_beta(a, b, x) - share, 0.0, 1.0)


def at_least(successes: int, n: int, rate: float) -> float:
    """Return the probability of so many or more successes in n tries of this rate."""
    return 1.0 if successes <= 0 else incomplete_beta(successes, n - successes + 1, rate)


def t_tail(t: float, degrees: float) -> float:
    """Return the probability of a Student's t of this value or lower."""
    if isnan(t):
        return nan
    beyond = incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2
    return beyond if t < 0 else 1 - beyond


@cache
def t_quantile(p: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution."""
    if p < 0.5:
        return -t_quantile(1 - p, degrees)
    if p >= 1:
        return inf
    high = 1.0
    while t_tail(high, degrees) < p:
        high *= 2
    return _crossing(lambda t: t_tail(t, degrees) - p, 0.0, high)


def greatest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the greatest value of a function with a single maximum, by golden sections."""
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > 1e-9:
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
    return max(at_left, at_right)


def _below(a: float, b: float, log_x: float, log_rest: float, x: float) -> float:
    front = lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log_rest
    return exp(front) / (a * _fraction(a, b, x))


def _fraction(a: float, b: float, x: float) -> float:
    """Return the continued fraction of I_x(a, b), evaluated from its front (Lentz, 1976)."""
    value, c, d = 1.0, 1.0, 0.0
    for step in range(1, 100_000):
        m = step // 2
        if step % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / ((1 + term * d) or _TINY)
        c = (1 + term / c) or _TINY
        value *= c * d
        if abs(1 - c * d) < _PRECISION:
            break
    return value


def _crossing(rising: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function crosses zero, by bisection."""
    while high - low > _PRECISION * high:
        middle = (low + high) / 2
        if middle in (low, high):  # neighbouring floats have no middle
            break
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return high
