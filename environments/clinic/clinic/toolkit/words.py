"""How times, names and ages read on a page."""

from collections.abc import Callable
from datetime import date, datetime
from typing import Any

SEXES = {"F": "Female", "M": "Male"}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def moment(value: str | datetime) -> datetime:
    """Read a time as stored."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def day(value: str | date) -> str:
    """Write a date so that no reader takes the day for the month."""
    when = date.fromisoformat(value[:10]) if isinstance(value, str) else value
    return f"{when.day:02d} {MONTHS[when.month - 1]} {when.year}"


def hour(value: str | datetime) -> str:
    """Write the time of day."""
    return moment(value).strftime("%H:%M")


def day_hour(value: str | datetime) -> str:
    """Write date and time."""
    return f"{day(moment(value))} {hour(value)}"


def age_years(birth: str, now: date) -> int:
    """Return completed years."""
    born = date.fromisoformat(birth)
    return now.year - born.year - ((now.month, now.day) < (born.month, born.day))


def age_months(birth: str, now: date) -> int:
    """Return completed months."""
    born = date.fromisoformat(birth)
    return (now.year - born.year) * 12 + now.month - born.month - (now.day < born.day)


def age(birth: str, now: date) -> str:
    """Write an age the way a chart does: months below two years."""
    months = age_months(birth, now)
    return f"{months} mo" if months < 24 else f"{months // 12} y"


def number(value: float | None) -> str:
    """Write a number without a needless decimal part."""
    return "" if value is None else f"{value:g}"


FILTERS: dict[str, Callable[..., Any]] = {
    "day": day,
    "hour": hour,
    "day_hour": day_hour,
    "number": number,
}
