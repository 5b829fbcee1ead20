"""How heavy a child of an age and sex is, after the table of the fixtures."""

import random
from datetime import date

from clinic.fixtures import Fixtures

_SHARES = (0.05, 0.5, 0.95)


def grown(born: date, today: date) -> bool:
    """Whether somebody is too old for the table."""
    return (today - born).days >= 14 * 365.25


def share(stream: random.Random) -> float:
    """Draw a percentile between the 10th and the 90th, more often from the middle."""
    return stream.triangular(0.1, 0.9, 0.5)


def kilograms(fixtures: Fixtures, sex: str, born: date, today: date, share: float) -> float:
    """Return the weight of a child of 1 to 13 years at a percentile, given as a share."""
    years = min(max((today - born).days / 365.25, 1.0), 13.99)
    table = fixtures.load("growth")["kg"][sex]
    before, after = (table[str(int(years) + step)] for step in (0, 1))
    part = years - int(years)
    light, middle, heavy = ((1 - part) * one + part * other for one, other in zip(before, after, strict=True))
    least, median, most = _SHARES
    if share < median:
        return round(float(light + (middle - light) * (share - least) / (median - least)), 1)
    return round(float(middle + (heavy - middle) * (share - median) / (most - median)), 1)
