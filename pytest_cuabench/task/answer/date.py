"""Answers that are a calendar date."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date as Date
from typing import Literal

from pytest_cuabench.errors import CheckerFailure
from pytest_cuabench.task.answer.goal import goal_words
from pytest_cuabench.task.answer.spec import Match, Rejected, Spec, check_strings
from pytest_cuabench.task.answer.speech import unwrap
from pytest_cuabench.task.answer.text import clip, quantity_tokens
from pytest_cuabench.task.answer.vocabulary import vocabulary

Order = Literal["dmy", "mdy"]

_YEAR_WORDS = "january february march april may june july august september october november december"
_WEEK_WORDS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS, _DAYS = _YEAR_WORDS.split(), _WEEK_WORDS.split()
_MONTH = "(?P<month>" + "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _MONTHS) + "|sept)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_START, _END = r"(?<![\w./-])", r"(?![\w/]|[-.]\w)"
_GAP = r"[ .,-]{0,3}"
_PARTS = r" ?(?P<mark>[-./]) ?"
_FORMS = tuple(
    re.compile(_START + pattern + _END, re.IGNORECASE)
    for pattern in (
        rf"{_YEAR}{_PARTS}(?P<month>\d{{1,2}}) ?(?P=mark) ?(?P<day>\d{{1,2}})",
        rf"(?P<first>\d{{1,2}}){_PARTS}(?P<second>\d{{1,2}}) ?(?P=mark) ?{_YEAR}",
        rf"{_DAY}{_GAP}(?:of )?{_MONTH}{_GAP}{_YEAR}",
        rf"{_MONTH}{_GAP}(?:the )?{_DAY}{_GAP}(?<=\D){_YEAR}",
        rf"{_YEAR}{_GAP}{_MONTH}{_GAP}{_DAY}",
    )
)


@dataclass(frozen=True, slots=True)
class DateAnswer(Spec):
    """A day in any usual form.

    Attributes:
        order: The application's order of numeric dates, `mdy` or `dmy`. Without it an ambiguous date is rejected, and
            an unambiguous one accepted in either order. Dots always mean `dmy`.
    """

    date: Date
    words: tuple[str, ...] = ()
    order: Order | None = None

    def __post_init__(self) -> None:
        check_strings(self, words=self.words)
        if self.order not in (None, "dmy", "mdy"):
            raise CheckerFailure(f"the order of a date is 'dmy' or 'mdy', not {self.order!r}")

    @property
    def expected(self) -> str:
        """Return the date as YYYY-MM-DD."""
        return self.date.isoformat()

    def _unwrapped(self, text: str) -> str:
        return unwrap(text, numbered=False)  # `1. July 1958` is a date

    def _read(self, text: str, goal: str) -> Match:
        rest = text.replace("–", "-")
        found: dict[Date, None] = {}
        for form in _FORMS:
            found |= {_date(match, self.order): None for match in form.finditer(rest)}
            rest = form.sub("\n", rest)
        if not found:
            raise Rejected(f"there is no full date in {clip(text)}")
        if len(found) > 1:
            raise Rejected(f"several dates ({' and '.join(str(date) for date in list(found)[:5])})")
        date = next(iter(found))
        self._check_rest(rest, date, goal)
        return Match(date == self.date, date.isoformat())

    def _check_rest(self, rest: str, date: Date, goal: str) -> None:
        day = _DAYS[date.weekday()]
        extra = frozenset({day, day[:3], "on", "date"})
        words = vocabulary(tuple(self.words), quantity_tokens, extra, goal_words(goal))
        tokens = quantity_tokens(rest)
        index = 0
        while index < len(tokens):
            index = words.skip(tokens, index)


def _date(match: re.Match[str], order: Order | None) -> Date:
    parts = match.groupdict()
    year = int(parts["year"])
    if "first" in parts:
        readings = _readings(year, int(parts["first"]), int(parts["second"]))
        return _reading(readings, "dmy" if parts["mark"] == "." else order, match[0])
    month = parts["month"]
    number = (
        int(month)
        if month.isdigit()
        else 1 + next(place for place, name in enumerate(_MONTHS) if name.startswith(month.casefold()[:3]))
    )
    date = _valid(year, number, int(parts["day"]))
    if date is None:
        raise Rejected(f"there is no day {clip(match[0])}")
    return date


def _readings(year: int, first: int, second: int) -> dict[Order, Date]:
    both: dict[Order, Date | None] = {"dmy": _valid(year, second, first), "mdy": _valid(year, first, second)}
    return {order: date for order, date in both.items() if date is not None}


def _reading(readings: dict[Order, Date], order: Order | None, text: str) -> Date:
    if not readings:
        raise Rejected(f"there is no day {clip(text)}")
    if order in readings:
        return readings[order]
    if len(set(readings.values())) > 1:
        raise Rejected(f"{clip(text)} can be read as {' and '.join(map(str, readings.values()))}")
    return next(iter(readings.values()))


def _valid(year: int, month: int, day: int) -> Date | None:
    try:
        return Date(year, month, day)
    except ValueError:
        return None
