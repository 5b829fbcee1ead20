"""Sorts records by what ORDER BY names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from salesforce_org.soql.binding import Bound
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import SoqlError, malformed
from salesforce_org.soql.filters import Bind
from salesforce_org.soql.operands import TEXTS
from salesforce_org.soql.tree import Order

MOST_KEYS = 32


def sorter(catalog: Catalog, bind: Bind, keys: Sequence[Order]) -> Callable[[list[Any]], list[Any]]:
    """Return the function that sorts records or groups; equal ones stay as they are.

    Raises:
        SoqlError: A key means nothing or cannot be sorted by.
    """
    if len(keys) > MOST_KEYS:
        raise malformed(f"ORDER BY can have at most {MOST_KEYS} fields", keys[MOST_KEYS].by.at)
    known = [(order, _sortable(bind(order.by), order)) for order in keys]
    steps = [(order, bound, _rank(catalog, bound)) for order, bound in reversed(known)]

    def apply(rows: list[Any]) -> list[Any]:
        for order, bound, rank in steps:
            rows = _by_one(rows, bound, rank, order)
        return rows

    return apply


def _sortable(bound: Bound, order: Order) -> Bound:
    if bound.long or bound.type == "multipicklist":
        raise SoqlError(
            "INVALID_FIELD", f"field '{bound.name}' can not be sorted in a query call", order.by.at
        )
    return bound


def _by_one(rows: list[Any], bound: Bound, rank: Callable[[Any], Any], order: Order) -> list[Any]:
    empty: list[Any] = []
    filled: list[tuple[Any, Any]] = []
    for row in rows:
        value = bound.get(row)
        if value is None:
            empty.append(row)
        else:
            filled.append((rank(value), row))
    filled.sort(key=lambda pair: pair[0], reverse=order.descending)
    found = [row for _, row in filled]
    return found + empty if order.nulls_last else empty + found


def _rank(catalog: Catalog, bound: Bound) -> Callable[[Any], Any]:
    """Return what values are compared by: texts in any case, picklists by the order of their entries."""
    if bound.type == "picklist" and bound.field is not None:
        places = {entry.value: place for place, entry in enumerate(catalog.org.picklist(bound.field))}
        return lambda value: (places.get(value, len(places)), str(value).casefold())
    if bound.type in TEXTS:
        return lambda value: str(value).casefold()
    return lambda value: value
