"""The operators: which types they take on either side, what they give, and how."""

from __future__ import annotations

import operator
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

from salesforce_org.formulas.functions.dates import DAY, add_days, clock, of_clock, seconds
from salesforce_org.formulas.scope import Evaluate
from salesforce_org.formulas.values import BOOLEAN, CONTEXT, DATE, DATETIME, NUMBER, TEXT, TIME

Build = Callable[[Evaluate, Evaluate], Evaluate]
Table = dict[tuple[str, str], tuple[str, Build]]


def _both(act: Callable[[Any, Any], Any], blank: Any = None) -> Build:
    """Return an operator that gives `blank` where either side is blank."""

    def build(left: Evaluate, right: Evaluate) -> Evaluate:
        def apply(scope: Any) -> Any:
            one, two = left(scope), right(scope)
            return blank if one is None or two is None else act(one, two)

        return apply

    return build


def _number(act: Callable[[Decimal, Decimal], Decimal]) -> tuple[str, Build]:
    return NUMBER, _both(act)


def _equal(same: bool) -> Build:
    return lambda left, right: lambda scope: (left(scope) == right(scope)) is same


def _compared(act: Callable[[Any, Any], bool]) -> Table:
    return {(kind, kind): (BOOLEAN, _both(act, False)) for kind in (NUMBER, DATE, DATETIME, TIME)}


def _between(one: timedelta) -> Decimal:
    return CONTEXT.divide(seconds(one), DAY)


_ADDED = _both(add_days)
_TAKEN = _both(lambda start, days: add_days(start, -days))
_SAME_TYPES = (NUMBER, TEXT, DATE, DATETIME, TIME, BOOLEAN)
_JOINED: tuple[str, Build] = (TEXT, _both(operator.add))

BINARY: dict[str, Table] = {
    "+": {
        (NUMBER, NUMBER): _number(CONTEXT.add),
        (DATE, NUMBER): (DATE, _ADDED),
        (DATETIME, NUMBER): (DATETIME, _ADDED),
        (TIME, NUMBER): (TIME, _both(lambda at, number: of_clock(clock(at) + number))),
        (TEXT, TEXT): _JOINED,
        (NUMBER, DATE): (DATE, lambda left, right: _ADDED(right, left)),
        (NUMBER, DATETIME): (DATETIME, lambda left, right: _ADDED(right, left)),
    },
    "-": {
        (NUMBER, NUMBER): _number(CONTEXT.subtract),
        (DATE, NUMBER): (DATE, _TAKEN),
        (DATE, DATE): (NUMBER, _both(lambda one, two: Decimal((one - two).days))),
        (DATETIME, NUMBER): (DATETIME, _TAKEN),
        (DATETIME, DATETIME): (NUMBER, _both(lambda one, two: _between(one - two))),
        (TIME, NUMBER): (TIME, _both(lambda at, number: of_clock(clock(at) - number))),
        (TIME, TIME): (NUMBER, _both(lambda one, two: (clock(one) - clock(two)) % 86_400_000)),
    },
    "*": {(NUMBER, NUMBER): _number(CONTEXT.multiply)},
    "/": {(NUMBER, NUMBER): _number(CONTEXT.divide)},
    "^": {(NUMBER, NUMBER): _number(CONTEXT.power)},
    "&": {(TEXT, TEXT): _JOINED},
    "=": {(kind, kind): (BOOLEAN, _equal(True)) for kind in _SAME_TYPES},
    "<>": {(kind, kind): (BOOLEAN, _equal(False)) for kind in _SAME_TYPES},
    "<": _compared(operator.lt),
    ">": _compared(operator.gt),
    "<=": _compared(operator.le),
    ">=": _compared(operator.ge),
    "&&": {
        (BOOLEAN, BOOLEAN): (BOOLEAN, lambda left, right: lambda scope: bool(left(scope) and right(scope)))
    },
    "||": {
        (BOOLEAN, BOOLEAN): (BOOLEAN, lambda left, right: lambda scope: bool(left(scope) or right(scope)))
    },
}
