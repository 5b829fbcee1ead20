"""Functions of dates, moments and times of day; which day a moment is on depends on the org's time zone."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from salesforce_org.formulas.functions.catalog import define
from salesforce_org.formulas.scope import Scope
from salesforce_org.formulas.values import time_of
from salesforce_org.store.values import read_moment

DAY = Decimal(86_400)
_dates = partial(define, "Date & Time")


def add_days(start: Any, days: Decimal) -> Any:
    """Return a date or moment so many days later; of a date the fraction of a day is left out."""
    if isinstance(start, datetime):
        return start + timedelta(seconds=float(days * DAY))
    return start + timedelta(days=int(days))


def seconds(span: timedelta) -> Decimal:
    """Return how long a span is."""
    return Decimal(span.days) * DAY + Decimal(span.seconds) + Decimal(span.microseconds).scaleb(-6)


def _add_months(start: Any, months: Decimal) -> Any:
    """The end of a month stays the end of a month."""
    number = start.year * 12 + start.month - 1 + int(months)
    year, month = number // 12, number % 12 + 1
    last = calendar.monthrange(year, month)[1]
    at_end = start.day == calendar.monthrange(start.year, start.month)[1]
    return start.replace(year=year, month=month, day=last if at_end else min(start.day, last))


def _date_value(scope: Scope, value: Any) -> date | None:
    if isinstance(value, datetime):
        return value.astimezone(scope.org.zone).date()
    if isinstance(value, date) or not value:
        return value or None
    return date.fromisoformat(value.strip())


def _moment_value(value: Any) -> datetime | None:
    if isinstance(value, datetime) or not value:
        return value or None
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    return read_moment(value.strip())


def _time_value(value: Any) -> time | None:
    if isinstance(value, datetime):
        return value.astimezone(UTC).time()
    if isinstance(value, time) or not value:
        return value or None
    return time_of(value.strip())


def _weekday(day: date) -> Decimal:
    return Decimal(day.isoweekday() % 7 + 1)


def _duration(*told: Any) -> str:
    first = told[0]
    if isinstance(first, datetime):
        whole = abs(int(seconds(told[1] - first)))
        with_days = True
    elif isinstance(first, time):
        whole, with_days = abs(int(clock(told[1]) - clock(first))) // 1000, False
    else:
        whole, with_days = abs(int(first)), len(told) > 1 and bool(told[1])
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24) if with_days else (0, hours)
    return f"{f'{days}:' if with_days else ''}{hours:02}:{minutes:02}:{rest:02}"


def clock(value: time) -> Decimal:
    """Return the milliseconds since midnight."""
    whole = (value.hour * 60 + value.minute) * 60 + value.second
    return Decimal(whole * 1000 + value.microsecond // 1000)


def of_clock(milliseconds: Decimal) -> time:
    """Return the time so many milliseconds after midnight."""
    at = datetime(2000, 1, 1) + timedelta(milliseconds=int(milliseconds) % 86_400_000)
    return at.time()


_dates(
    "ADDMONTHS(date: Date|DateTime, num: Number) -> T",
    "Adds the specified number of months to a date; the last day of a month leads to the last day of a month",
    _add_months,
)
_dates(
    "DATE(year: Number, month: Number, day: Number) -> Date",
    "Creates a date from a year, month and day",
    lambda *parts: date(*map(int, parts)),
)
_dates(
    "DATETIMEVALUE(expression: Text|Date|DateTime) -> DateTime",
    "Returns a year, month, day and GMT time value",
    _moment_value,
)
_dates(
    "DATEVALUE(expression: DateTime|Text|Date) -> Date",
    "Creates a date from its datetime or text representation",
    _date_value,
    "scope",
)
_dates(
    "DAY(date: Date) -> Number", "Returns the day of the month, from 1 to 31", lambda day: Decimal(day.day)
)
_dates(
    "DAYOFYEAR(date: Date) -> Number",
    "Returns the day of the calendar year, from 1 to 366",
    lambda day: Decimal(day.timetuple().tm_yday),
)
_dates(
    "FORMATDURATION(start: Number|DateTime|Time, [end: Boolean|DateTime|Time]) -> Text",
    "Formats seconds, or the difference of two times or moments, as (D:)HH:MM:SS",
    _duration,
)
_dates(
    "FROMUNIXTIME(number: Number) -> DateTime",
    "Returns the moment so many seconds after 1 January 1970",
    lambda number: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=float(number)),
)
_dates("HOUR(time: Time) -> Number", "Returns the hour of a time, from 0 to 23", lambda at: Decimal(at.hour))
_dates(
    "ISOWEEK(date: Date) -> Number",
    "Returns the ISO 8601 week number, from 1 to 53",
    lambda day: Decimal(day.isocalendar().week),
)
_dates(
    "ISOYEAR(date: Date) -> Number",
    "Returns the ISO 8601 week-numbering year",
    lambda day: Decimal(day.isocalendar().year),
)
_dates(
    "MILLISECOND(time: Time) -> Number",
    "Returns the milliseconds of a time, from 0 to 999",
    lambda at: Decimal(at.microsecond // 1000),
)
_dates(
    "MINUTE(time: Time) -> Number",
    "Returns the minute of a time, from 0 to 59",
    lambda at: Decimal(at.minute),
)
_dates("MONTH(date: Date) -> Number", "Returns the month, from 1 to 12", lambda day: Decimal(day.month))
_dates(
    "NOW() -> DateTime",
    "Returns a datetime representing the current moment",
    lambda scope: scope.now,
    "scope",
)
_dates(
    "SECOND(time: Time) -> Number",
    "Returns the second of a time, from 0 to 59",
    lambda at: Decimal(at.second),
)
_dates(
    "TIMENOW() -> Time",
    "Returns the current time in GMT",
    lambda scope: scope.now.astimezone(UTC).time(),
    "scope",
)
_dates(
    "TIMEVALUE(expression: DateTime|Text|Time) -> Time",
    "Returns the time in GMT of a datetime, or that of its text representation",
    _time_value,
)
_dates("TODAY() -> Date", "Returns the current date", lambda scope: scope.org.today(), "scope")
_dates(
    "UNIXTIMESTAMP(date: Date|DateTime|Time) -> Number",
    "Returns the seconds since 1 January 1970; of a time those since midnight",
    lambda value: (
        clock(value) / 1000
        if isinstance(value, time)
        else seconds(_moment_value(value) - datetime(1970, 1, 1, tzinfo=UTC))  # type: ignore[operator]
    ),
)
_dates(
    "WEEKDAY(date: Date) -> Number", "Returns the day of the week, 1 for Sunday to 7 for Saturday", _weekday
)
_dates("YEAR(date: Date) -> Number", "Returns the four-digit year", lambda day: Decimal(day.year))
