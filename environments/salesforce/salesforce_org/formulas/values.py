"""Types of formulas and their values.

A Number is a Decimal, a Date a date, a DateTime an aware datetime, a Time a time, a Boolean a bool; None is blank. A
Text is a str, and blank where it is empty. Picklists are texts that only some functions take.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from salesforce_org.store import Field
from salesforce_org.store.values import moment, read_moment

NUMBER, TEXT, BOOLEAN = "Number", "Text", "Boolean"
DATE, DATETIME, TIME = "Date", "DateTime", "Time"
PICKLIST, MULTIPICKLIST, LOCATION, LONG = "Picklist", "Multi-Select Picklist", "Geolocation", "Long Text Area"
ANY = "Any"  # of NULL
LEVEL = "Grouping Level"  # of a report, as PARENTGROUPVAL names it
TEXTS = (TEXT, PICKLIST, MULTIPICKLIST, LONG)
CONTEXT = Context(prec=34, rounding=ROUND_HALF_UP, Emax=99)
_ROUNDING = Context(prec=200)
_TYPES = {
    "boolean": BOOLEAN,
    **dict.fromkeys(("int", "double", "currency", "percent"), NUMBER),
    "date": DATE,
    "datetime": DATETIME,
    "time": TIME,
    "picklist": PICKLIST,
    "multipicklist": MULTIPICKLIST,
}
LONGEST_SHORT = 255


def type_of(field: Field) -> str:
    """Return the type that a field has in formulas."""
    if field.type == "textarea" and field.length > LONGEST_SHORT:
        return LONG
    return _TYPES.get(field.type, TEXT)


def taken(field: Field, stored: Any) -> Any:
    """Return the value of a field as formulas have it; percentages are fractions."""
    kind = type_of(field)
    if kind in TEXTS:
        return "" if stored is None else str(stored)
    if kind == BOOLEAN:
        return bool(stored)
    if stored is None or stored == "":
        return None
    if kind == NUMBER:
        number = Decimal(str(stored))
        return number.scaleb(-2) if field.type == "percent" else number
    if kind == DATE:
        return date.fromisoformat(str(stored))
    return read_moment(str(stored)) if kind == DATETIME else time_of(str(stored))


def stored(field: Field, value: Any) -> Any:
    """Return a formula's value as records hold it for a field."""
    if value is None or value == "":
        return False if field.type == "boolean" else None
    if isinstance(value, Decimal):
        whole = value.scaleb(2) if field.type == "percent" else value
        return float(rounded(whole, field.scale))
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, date):
        return value.isoformat()
    return time_text(value) if isinstance(value, time) else value


def rounded(number: Decimal, digits: int) -> Decimal:
    """Return a number rounded to so many decimal places, halves away from zero."""
    return number.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP, _ROUNDING)


def text_of(value: Any) -> str:
    """Return what TEXT makes of a value."""
    if isinstance(value, Decimal):
        plain = f"{value:f}"
        plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
        return "0" if plain in ("-0", "") else plain
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ")
    if isinstance(value, time):
        return time_text(value)
    return "" if value is None else str(value)


def time_of(text: str) -> time:
    """Return the time that a text such as `11:30:00.000Z` says.

    Raises:
        ValueError: It says none.
    """
    return time.fromisoformat(text.removesuffix("Z")).replace(tzinfo=None)


def time_text(value: time) -> str:
    """Return a time as records hold it."""
    return f"{value:%H:%M:%S}.{value.microsecond // 1000:03}Z"
