"""Functions of a report's groups: the report answers them through its `Scope`."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from salesforce_org.formulas.functions.catalog import Use, define
from salesforce_org.formulas.scope import Evaluate, Scope

_SUMMARY = frozenset({Use.SUMMARY})


def _previous(
    scope: Scope, summary: Evaluate, level: Evaluate, steps: Evaluate = lambda scope: Decimal(1)
) -> Any:
    return scope.previous(summary, level(scope), int(steps(scope) or 1))


define(
    "Summary",
    "PARENTGROUPVAL(summary_field: Number, grouping_level: Level, [column_level: Level]) -> Number",
    "Returns the value of a specified parent grouping",
    lambda scope, summary, *levels: scope.grouped(summary, *(level(scope) for level in levels)),
    "lazy",
    _SUMMARY,
)
define(
    "Summary",
    "PREVGROUPVAL(summary_field: Number, grouping_level: Level, [increment: Number]) -> Number",
    "Returns the value of a specified previous grouping",
    _previous,
    "lazy",
    _SUMMARY,
)
