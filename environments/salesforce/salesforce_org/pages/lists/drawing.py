"""What a chart of a list view draws: its bars or slices, added up from the rows of the list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from salesforce_org.pages import fields, formats
from salesforce_org.pages.lists.conditions import NUMBERS
from salesforce_org.store import Field, Org, Record, SObject

COLORS = 12
MOST = 12
OTHER = "Other"
Total = tuple[str, float]


@dataclass(frozen=True, slots=True)
class Share:
    """One bar or slice: `part` of the largest (bars) or of all (slices)."""

    label: str
    value: float
    text: str
    part: float
    color: int
    path: str = ""


def shares(org: Org, kind: SObject, chart: Mapping[str, Any], rows: Sequence[Record]) -> list[Share]:
    """Return the bars or slices of a chart, the largest first, what is too small for one of its own at the end."""
    field = kind.field(_plain(chart["AggregateField"]))
    grouping = _plain(chart["GroupingField"])
    totals = _fewer(_totals(org, kind, field, grouping, chart["AggregateType"], rows), chart["AggregateType"])
    round_ = chart["ChartType"] == "pie"
    values = [max(value, 0) for _, value in totals]
    whole = (sum(values) if round_ else max(values, default=0)) or 1
    amounts = field is not None and field.type in NUMBERS and chart["AggregateType"] != "Count"
    made, turned = [], 0.0
    for number, (label, value) in enumerate(totals):
        text = formats.plain(org, field, value) if field and amounts else f"{value:,.0f}"
        part = max(value, 0) / whole
        path = slice_of(turned, part) if round_ else ""
        made.append(Share(label, value, text, part, number % COLORS if round_ else 0, path))
        turned += part
    return made


def _plain(name: str) -> str:
    """Return a field's name without the object before it."""
    return name.rpartition(".")[2]


def _totals(
    org: Org, kind: SObject, field: Field | None, grouping: str, how: str, rows: Sequence[Record]
) -> list[Total]:
    groups: dict[str, list[float]] = {}
    for label, value in _values(org, kind, field, grouping, how, rows):
        groups.setdefault(label, []).append(value)
    totals = {label: sum(values) / (len(values) if how == "Avg" else 1) for label, values in groups.items()}
    return sorted(totals.items(), key=lambda pair: -pair[1])


def _values(
    org: Org, kind: SObject, field: Field | None, grouping: str, how: str, rows: Sequence[Record]
) -> Iterator[Total]:
    """Yield the group of each row that has a value, with the value, or with one where rows are counted."""
    for row in rows:
        value = org.value(kind, row, field) if field else None
        if value is not None:
            label = fields.shown(org, kind, row, grouping).text or "-"
            yield label, 1.0 if how == "Count" else float(value)


def _fewer(totals: list[Total], how: str) -> list[Total]:
    """Return at most as many as can be told apart; means cannot be taken together, so the smallest are left out."""
    if len(totals) <= MOST or how == "Avg":
        return totals[:MOST]
    kept, rest = totals[: MOST - 1], totals[MOST - 1 :]
    return [*kept, (OTHER, sum(value for _, value in rest))]


def slice_of(begin: float, part: float) -> str:
    """Return the outline of a ring's piece around (100, 100), as SVG writes it."""
    end = begin + min(part, 0.9999)

    def at(turn: float, radius: float) -> str:
        angle = 2 * math.pi * turn - math.pi / 2
        return f"{100 + radius * math.cos(angle):.2f} {100 + radius * math.sin(angle):.2f}"

    large = 1 if end - begin > 0.5 else 0
    return f"M {at(begin, 90)} A 90 90 0 {large} 1 {at(end, 90)} L {at(end, 55)} A 55 55 0 {large} 0 {at(begin, 55)} Z"
