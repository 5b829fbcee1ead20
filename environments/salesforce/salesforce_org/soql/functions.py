"""Functions of a field: parts of dates, labels, and values as the user's language writes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

from salesforce_org.soql import dates
from salesforce_org.soql.binding import Bound
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import SoqlError, malformed
from salesforce_org.soql.tree import Call, Expression
from salesforce_org.store.values import read_moment

AGGREGATES = frozenset({"COUNT", "COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX"})
Render = Callable[[Any], str]
Bind = Callable[[Expression], Bound]


def apply(catalog: Catalog, bind: Bind, call: Call) -> Bound:
    """Return what a function of a record means; `bind` tells what its argument means.

    Raises:
        SoqlError: There is no such function, or not of such a field.
    """
    name, argument = call.function, call.argument
    if name in AGGREGATES or name == "GROUPING":
        raise malformed(f"aggregate function is not allowed here: {call}", call.at)
    if argument is None:
        raise malformed("unexpected token: ')'", call.at)
    if name in dates.PARTS or name == "HOUR_IN_DAY":
        return _part(catalog, bind, call, argument)
    if name == "TOLABEL":
        return labelled(catalog, bind(argument))
    if name == "FORMAT":
        return formatted(catalog, bind(argument))
    raise malformed(f"Invalid function name: {name.lower()[:80]}", call.at)


def _part(catalog: Catalog, bind: Bind, call: Call, argument: Expression) -> Bound:
    shifted = isinstance(argument, Call) and argument.function == "CONVERTTIMEZONE"
    field = argument.argument if isinstance(argument, Call) and shifted else argument
    if field is None:
        raise malformed("unexpected token: ')'", call.at)
    bound = bind(field)
    only_moments = call.function in ("HOUR_IN_DAY", "DAY_ONLY") or shifted
    if bound.type not in (("datetime",) if only_moments else ("date", "datetime")):
        sentence = f"field {bound.name} does not support date function {call.function}"
        raise SoqlError("INVALID_FIELD", sentence, call.at)
    kind = "date" if call.function == "DAY_ONLY" else "int"
    return Bound(str(call), kind, _taker(catalog, call.function, bound, shifted))


def _taker(catalog: Catalog, function: str, bound: Bound, shifted: bool) -> Callable[[Any], Any]:
    zone = catalog.zone if shifted else None
    month, inner = catalog.fiscal_month, bound.get

    def hour(row: Any) -> int | None:
        text = inner(row)
        return None if text is None else read_moment(text).astimezone(zone or read_moment(text).tzinfo).hour

    def part(row: Any) -> int | str | None:
        text = inner(row)
        return None if text is None else take(dates.read_day(text, zone), month)

    if function == "HOUR_IN_DAY":
        return hour
    take = dates.PARTS[function]
    return part


def labelled(catalog: Catalog, bound: Bound) -> Bound:
    """Return the labels of a picklist's values; other values stay as they are."""
    inner = bound.get
    entries = catalog.org.picklist(bound.field) if bound.field and "picklist" in bound.type else ()
    labels = {entry.value: entry.label for entry in entries}

    def get(row: Any) -> Any:
        text = inner(row)
        return text if text is None else ";".join(labels.get(one, one) for one in str(text).split(";"))

    return replace(bound, get=get, type="string") if labels else bound


def formatted(catalog: Catalog, bound: Bound) -> Bound:
    """Return values as a user in the United States reads them."""
    render, inner = _renderer(catalog, bound), bound.get

    def get(row: Any) -> str | None:
        value = inner(row)
        return None if value is None else render(value)

    return replace(bound, get=get, type="string")


def _renderer(catalog: Catalog, bound: Bound) -> Render:
    scale = bound.field.scale if bound.field else 2
    renders: dict[str, Render] = {
        "int": lambda value: f"{value:,}",
        "double": lambda value: f"{value:,.{scale}f}",
        "percent": lambda value: f"{value:,.{scale}f}%",
        "currency": lambda value: f"-${-value:,.2f}" if value < 0 else f"${value:,.2f}",
        "date": lambda value: _day(date.fromisoformat(value)),
        "datetime": lambda value: _moment(catalog, value),
    }
    return renders.get(bound.type, str)


def _day(day: date) -> str:
    return f"{day.month}/{day.day}/{day.year}"


def _moment(catalog: Catalog, text: str) -> str:
    when = read_moment(text).astimezone(catalog.zone)
    return f"{_day(when.date())}, {when.hour % 12 or 12}:{when:%M %p}"
