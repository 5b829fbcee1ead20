"""Functions that choose and compare, and those that look at a write or at other records."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

from salesforce_org.formulas.functions.catalog import WRITES, Use, define
from salesforce_org.formulas.functions.texts import is_number
from salesforce_org.formulas.scope import Evaluate, Scope
from salesforce_org.formulas.values import taken

_logic = partial(define, "Logical")
_advanced = partial(define, "Advanced")
_CHANGES = frozenset({Use.VALIDATION, Use.WORKFLOW})


def blank(value: Any) -> bool:
    """Whether a value is none."""
    return value is None or value == ""


def _and(scope: Scope, *tests: Evaluate) -> bool:
    return all(test(scope) for test in tests)


def _or(scope: Scope, *tests: Evaluate) -> bool:
    return any(test(scope) for test in tests)


def _if(scope: Scope, test: Evaluate, then: Evaluate, otherwise: Evaluate) -> Any:
    return then(scope) if test(scope) else otherwise(scope)


def _case(scope: Scope, *told: Evaluate) -> Any:
    value = told[0](scope)
    for when, then in zip(told[1:-1:2], told[2::2], strict=True):
        found = when(scope)
        if found == value or (blank(found) and blank(value)):
            return then(scope)
    return told[-1](scope)


def _instead(scope: Scope, value: Evaluate, instead: Evaluate) -> Any:
    found = value(scope)
    return instead(scope) if blank(found) else found


def _changed(scope: Scope, value: Evaluate) -> bool:
    return scope.old is not None and value(scope) != value(scope.before)


def _vlookup(scope: Scope, wanted: Any, by: Any, value: str) -> Any:
    (kind, field), (_, key) = wanted, by
    for row in scope.org.rows(kind.name):
        if str(scope.org.value(kind, row, key) or "").casefold() == value.casefold() and value:
            return taken(field, scope.org.value(kind, row, field))
    return taken(field, None)


def _lazily(act: Callable[..., Any]) -> dict[str, Any]:
    return {"act": act, "how": "lazy"}


_logic(
    "AND(logical: Boolean...) -> Boolean",
    "Checks whether all arguments are true and returns TRUE if all arguments are true",
    **_lazily(_and),
)
_logic(
    "BLANKVALUE(expression: T, substitute_expression: T) -> T",
    "Checks whether expression is blank and returns substitute_expression if it is blank. If expression is not blank, "
    "returns the original expression value.",
    **_lazily(_instead),
)
_logic(
    "CASE(expression: Any, value: Any, result: T, else_result: T...) -> T",
    "Checks an expression against a series of values. If the expression compares equal to any value, the corresponding "
    "result is returned. If it is not equal to any of the values, the else-result is returned",
    **_lazily(_case),
)
_logic(
    "IF(logical_test: Boolean, value_if_true: T, value_if_false: T) -> T",
    "Checks whether a condition is true, and returns one value if TRUE and another value if FALSE.",
    **_lazily(_if),
)
_logic(
    "ISBLANK(expression: Any) -> Boolean",
    "Checks whether an expression is blank and returns TRUE or FALSE",
    blank,
    "blanks",
)
_logic(
    "ISCHANGED(field: Any) -> Boolean",
    "Compares the value of a field to the previous value and returns TRUE if the values are different",
    **_lazily(_changed),
    uses=_CHANGES,
)
_logic(
    "ISCLONE() -> Boolean",
    "Checks whether the record is a clone of another record; the pages of this org do not tell clones apart",
    lambda: False,
    uses=WRITES,
)
_logic(
    "ISNEW() -> Boolean",
    "Checks whether the formula is running during the creation of a new record",
    lambda scope: scope.new,
    "scope",
    uses=_CHANGES,
)
_logic(
    "ISNULL(expression: Any) -> Boolean",
    "Checks whether an expression is null and returns TRUE or FALSE; a text is never null",
    lambda value: value is None,
    "blanks",
)
_logic(
    "ISNUMBER(text: Text) -> Boolean",
    "Returns TRUE if the text value is a number. Otherwise, it returns FALSE",
    is_number,
)
_logic(
    "NOT(logical: Boolean) -> Boolean",
    "Changes FALSE to TRUE or TRUE to FALSE",
    lambda value: not value,
    "blanks",
)
_logic(
    "NULLVALUE(expression: T, substitute_expression: T) -> T",
    "Checks whether expression is null and returns substitute_expression if it is null; a text is never null",
    lambda scope, value, instead: found if (found := value(scope)) is not None else instead(scope),
    "lazy",
)
_logic(
    "OR(logical: Boolean...) -> Boolean",
    "Checks whether any of the arguments are true and returns TRUE or FALSE",
    **_lazily(_or),
)
_advanced(
    "PRIORVALUE(field: T) -> T",
    "Returns the previous value of a field",
    lambda scope, value: value(scope.before),
    "lazy",
    uses=_CHANGES,
)
_advanced(
    "CURRENCYRATE(currency_code: Text) -> Number",
    "Returns the conversion rate to the corporate currency; this org has one currency",
    lambda code: _rate(code),
)
_advanced(
    "VLOOKUP(field_to_return: Any, field_on_lookup_object: Any, lookup_value: Text) -> T",
    "Searches a custom object for a record whose name field is equal to the specified value, and returns a field of it",
    _vlookup,
    "scope",
    uses=frozenset({Use.VALIDATION, Use.DEFAULT}),
)


def _rate(code: str) -> Decimal:
    if code != "USD":
        raise ValueError(code)
    return Decimal(1)
