"""Days and spans that a date literal names, and what functions take from dates."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from salesforce_org.store.values import moment, read_moment

_UNIT = r"(DAY|WEEK|MONTH|QUARTER|YEAR|FISCAL_QUARTER|FISCAL_YEAR)"
_DAYS = {"TODAY": 0, "YESTERDAY": -1, "TOMORROW": 1}
_NEAR = re.compile(rf"(LAST|THIS|NEXT)_(?!DAY){_UNIT}")
_COUNTED = re.compile(rf"(LAST|NEXT)_N_{_UNIT}S|N_{_UNIT}S_(AGO)")
_NINETY = re.compile(r"(LAST|NEXT)_90_DAYS")
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12, "FISCAL_QUARTER": 3, "FISCAL_YEAR": 12}
DAY = timedelta(days=1)
Span = tuple[date, date]


def known(word: str) -> bool:
    """Whether a word in upper case is a date literal."""
    return word in _DAYS or any(form.fullmatch(word) for form in (_NEAR, _COUNTED, _NINETY))


def counted(word: str) -> bool:
    """Whether a date literal needs a number behind a colon."""
    return _COUNTED.fullmatch(word) is not None


def span(word: str, count: int | None, today: date, fiscal_month: int = 1) -> Span:
    """Return the first day of a date literal and the day after its last one.

    Raises:
        OverflowError: It reaches beyond the calendar.
        ValueError: It reaches beyond the calendar.
    """
    if word in _DAYS:
        day = today + _DAYS[word] * DAY
        return day, day + DAY
    if found := _NINETY.fullmatch(word):
        return _several(found[1], "DAY", 90, today, fiscal_month)
    if found := _NEAR.fullmatch(word):
        step = {"LAST": -1, "THIS": 0, "NEXT": 1}[found[1]]
        start = _shifted(found[2], _start(found[2], today, fiscal_month), step)
        return start, _shifted(found[2], start, 1)
    found = _COUNTED.fullmatch(word)
    assert found is not None
    assert count is not None
    if found[4]:
        start = _shifted(found[3], _start(found[3], today, fiscal_month), -count)
        return start, _shifted(found[3], start, 1)
    return _several(found[1], found[2], count, today, fiscal_month)


def _several(side: str, unit: str, count: int, today: date, fiscal_month: int) -> Span:
    start = _start(unit, today, fiscal_month)
    after = _shifted(unit, start, 1)
    if side == "NEXT":
        return after, _shifted(unit, after, count)
    # The last n days reach to today's end; the last n weeks, months ... end before the present one.
    return _shifted(unit, start, -count), after if unit == "DAY" else start


def _start(unit: str, day: date, fiscal_month: int) -> date:
    if unit == "DAY":
        return day
    if unit == "WEEK":
        return day - (day.isoweekday() % 7) * DAY  # weeks begin on Sunday
    offset = fiscal_month - 1 if unit.startswith("FISCAL") else 0
    months = day.year * 12 + day.month - 1 - offset
    return _month(months - months % _MONTHS[unit] + offset)


def _shifted(unit: str, start: date, count: int) -> date:
    if unit in ("DAY", "WEEK"):
        return start + count * (DAY if unit == "DAY" else 7 * DAY)
    return _month(start.year * 12 + start.month - 1 + count * _MONTHS[unit])


def _month(index: int) -> date:
    return date(index // 12, index % 12 + 1, 1)


def midnight(day: date, zone: ZoneInfo) -> str:
    """Return the moment at which a day begins somewhere, as records hold it."""
    return moment(datetime.combine(day, time(), zone))


def read_day(text: str, zone: ZoneInfo | None = None) -> date:
    """Return the day of a stored date or moment; moments are in UTC unless a zone is given."""
    if len(text) == 10:
        return date.fromisoformat(text)
    when = read_moment(text)
    return (when.astimezone(zone) if zone else when).date()


def _week_in_month(day: date) -> int:
    return (day.day - 1) // 7 + 1


def _week_in_year(day: date) -> int:
    return (day.timetuple().tm_yday - 1) // 7 + 1


def _fiscal(day: date, month: int) -> date:
    """Return the first of the month that a day would lie in if the fiscal year were the calendar's."""
    return _month(day.year * 12 + day.month - 1 - (month - 1) + (12 if month > 1 else 0))


# What each function takes from a day; the second argument is the fiscal year's first month.
PARTS: dict[str, Callable[[date, int], int | str]] = {
    "CALENDAR_MONTH": lambda day, _: day.month,
    "CALENDAR_QUARTER": lambda day, _: (day.month + 2) // 3,
    "CALENDAR_YEAR": lambda day, _: day.year,
    "DAY_IN_MONTH": lambda day, _: day.day,
    "DAY_IN_WEEK": lambda day, _: day.isoweekday() % 7 + 1,
    "DAY_IN_YEAR": lambda day, _: day.timetuple().tm_yday,
    "DAY_ONLY": lambda day, _: day.isoformat(),
    "FISCAL_MONTH": lambda day, month: _fiscal(day, month).month,
    "FISCAL_QUARTER": lambda day, month: (_fiscal(day, month).month + 2) // 3,
    "FISCAL_YEAR": lambda day, month: _fiscal(day, month).year,
    "WEEK_IN_MONTH": lambda day, _: _week_in_month(day),
    "WEEK_IN_YEAR": lambda day, _: _week_in_year(day),
}
