"""Days that are told from another day: `{weeks = 2}`, `{years = 1, days = 30}`, `{next = "friday"}`."""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from datetime import date, timedelta

Rule = Mapping[str, int | str]
_UNITS = ("years", "months", "weeks", "days")
_DAYS = tuple(name.lower() for name in calendar.day_name)


def after(day: date, rule: Rule) -> date:
    """Return the day that a rule means, counted from another day.

    Months and years keep the day of the month, or take the last one of a shorter month; `next` is the first such
    day of the week that comes later.
    """
    counted = _months_after(day, 12 * int(rule.get("years", 0)) + int(rule.get("months", 0)))
    counted += timedelta(days=7 * int(rule.get("weeks", 0)) + int(rule.get("days", 0)))
    if name := rule.get("next"):
        ahead = (_DAYS.index(str(name)) - counted.weekday() - 1) % 7 + 1
        counted += timedelta(days=ahead)
    return counted


def words(rule: Rule) -> str:
    """Return a rule as somebody says it: `1 year and 30 days`."""
    parts = [f"{rule[unit]} {unit if rule[unit] != 1 else unit[:-1]}" for unit in _UNITS if rule.get(unit)]
    return " and ".join(parts)


def _months_after(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))
