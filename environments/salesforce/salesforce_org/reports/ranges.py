"""Ranges of standard date filters, and the dates of groupings: `INTERVAL_CURFY`, by fiscal quarter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from salesforce_org.soql import dates

ALL_TIME = "INTERVAL_CUSTOM"
_MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]
GRANULARITIES = (
    ("Day", "Day"),
    ("Week", "Calendar Week"),
    ("Month", "Calendar Month"),
    ("Quarter", "Calendar Quarter"),
    ("Year", "Calendar Year"),
    ("FiscalQuarter", "Fiscal Quarter"),
    ("FiscalYear", "Fiscal Year"),
    ("MonthInYear", "Calendar Month in Year"),
    ("DayInMonth", "Calendar Day in Month"),
)


@dataclass(frozen=True, slots=True)
class Range:
    """A span of days: metadata's name, that of the Analytics API, the label, and its first and last date literal."""

    name: str
    api: str
    label: str
    first: str = ""
    last: str = ""

    def days(self, today: date) -> tuple[date, date] | None:
        """Return the first day and the day after the last; None for all time."""
        if not self.first:
            return None
        begin, _ = _span(self.first, today)
        _, end = _span(self.last or self.first, today)
        return begin, end


def _span(words: str, today: date) -> tuple[date, date]:
    literal, _, count = words.partition(":")
    return dates.span(literal, int(count) if count else None, today)


def _counted(side: str, label: str, *numbers: int) -> tuple[Range, ...]:
    return tuple(
        Range(f"INTERVAL_{side}{n}", f"{side}_N_DAYS:{n}", f"{label} {n} Days", f"{side}_N_DAYS:{n}")
        for n in numbers
    )


RANGES = {
    one.name: one
    for one in (
        Range(ALL_TIME, "CUSTOM", "All Time"),
        Range("INTERVAL_CURFY", "THIS_FISCAL_YEAR", "Current FY", "THIS_FISCAL_YEAR"),
        Range("INTERVAL_PREVFY", "LAST_FISCAL_YEAR", "Previous FY", "LAST_FISCAL_YEAR"),
        Range(
            "INTERVAL_PREVCURFY",
            "LAST_FISCAL_YEAR_THIS_FISCAL_YEAR",
            "Current and Previous FY",
            "LAST_FISCAL_YEAR",
            "THIS_FISCAL_YEAR",
        ),
        Range("INTERVAL_NEXTFY", "NEXT_FISCAL_YEAR", "Next FY", "NEXT_FISCAL_YEAR"),
        Range("INTERVAL_CURRENT", "THIS_FISCAL_QUARTER", "Current FQ", "THIS_FISCAL_QUARTER"),
        Range(
            "INTERVAL_CURNEXT1",
            "THIS_FISCAL_QUARTER_NEXT_FISCAL_QUARTER",
            "Current and Next FQ",
            "THIS_FISCAL_QUARTER",
            "NEXT_FISCAL_QUARTER",
        ),
        Range(
            "INTERVAL_CURPREV1",
            "LAST_FISCAL_QUARTER_THIS_FISCAL_QUARTER",
            "Current and Previous FQ",
            "LAST_FISCAL_QUARTER",
            "THIS_FISCAL_QUARTER",
        ),
        Range("INTERVAL_NEXT1", "NEXT_FISCAL_QUARTER", "Next FQ", "NEXT_FISCAL_QUARTER"),
        Range("INTERVAL_PREV1", "LAST_FISCAL_QUARTER", "Previous FQ", "LAST_FISCAL_QUARTER"),
        Range("INTERVAL_CURY", "THIS_YEAR", "Current CY", "THIS_YEAR"),
        Range("INTERVAL_PREVY", "LAST_YEAR", "Previous CY", "LAST_YEAR"),
        Range("INTERVAL_NEXTY", "NEXT_YEAR", "Next CY", "NEXT_YEAR"),
        Range("INTERVAL_CURRENTQ", "THIS_QUARTER", "Current CQ", "THIS_QUARTER"),
        Range("INTERVAL_PREVQ", "LAST_QUARTER", "Previous CQ", "LAST_QUARTER"),
        Range("INTERVAL_NEXTQ", "NEXT_QUARTER", "Next CQ", "NEXT_QUARTER"),
        Range("INTERVAL_LASTMONTH", "LAST_MONTH", "Last Month", "LAST_MONTH"),
        Range("INTERVAL_THISMONTH", "THIS_MONTH", "This Month", "THIS_MONTH"),
        Range("INTERVAL_NEXTMONTH", "NEXT_MONTH", "Next Month", "NEXT_MONTH"),
        Range("INTERVAL_LASTWEEK", "LAST_WEEK", "Last Week", "LAST_WEEK"),
        Range("INTERVAL_THISWEEK", "THIS_WEEK", "This Week", "THIS_WEEK"),
        Range("INTERVAL_NEXTWEEK", "NEXT_WEEK", "Next Week", "NEXT_WEEK"),
        Range("INTERVAL_YESTERDAY", "YESTERDAY", "Yesterday", "YESTERDAY"),
        Range("INTERVAL_TODAY", "TODAY", "Today", "TODAY"),
        Range("INTERVAL_TOMORROW", "TOMORROW", "Tomorrow", "TOMORROW"),
        *_counted("LAST", "Last", 7, 30, 60, 90, 120),
        *_counted("NEXT", "Next", 7, 30, 60, 90, 120),
    )
}
BY_API = {one.api: one for one in RANGES.values()}


def grouped(day: date, granularity: str) -> tuple[str, str]:
    """Return the order and the label of a day among groups: `2026-10` is `October 2026`."""
    quarter = (day.month + 2) // 3
    match granularity:
        case "Week":
            begin, end = dates.span("THIS_WEEK", None, day)
            return begin.isoformat(), f"{_day(begin)} - {_day(end - dates.DAY)}"
        case "Month":
            return f"{day:%Y-%m}", f"{_MONTHS[day.month - 1]} {day.year}"
        case "Quarter":
            return f"{day.year}-{quarter}", f"Q{quarter} CY{day.year}"
        case "FiscalQuarter":
            return f"{day.year}-{quarter}", f"Q{quarter} FY{day.year}"
        case "Year":
            return str(day.year), f"CY{day.year}"
        case "FiscalYear":
            return str(day.year), f"FY{day.year}"
        case "MonthInYear":
            return f"{day.month:02}", _MONTHS[day.month - 1]
        case "DayInMonth":
            return f"{day.day:02}", str(day.day)
        case _:
            return day.isoformat(), _day(day)


def _day(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"
