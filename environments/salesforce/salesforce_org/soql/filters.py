"""Turns conditions into tests of records."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

from salesforce_org.soql.binding import Bound, Get
from salesforce_org.soql.catalog import Catalog
from salesforce_org.soql.errors import SoqlError
from salesforce_org.soql.likeness import matcher
from salesforce_org.soql.operands import TEXTS, Operand, Range, key_of, operand
from salesforce_org.soql.tree import Comparison, Condition, Expression, Literal, Not, Query

Test = Callable[[Any], bool]
Bind = Callable[[Expression], Bound]
Members = Callable[[Comparison, Bound], "frozenset[Any]"]
_ORDERINGS: dict[str, Callable[[Any, Any], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


class Filters:
    """Builds tests for one query.

    Attributes:
        bind: What names mean there.
        members: The values of a semi-join's sub-query.
    """

    def __init__(self, catalog: Catalog, bind: Bind, members: Members) -> None:
        self.catalog = catalog
        self.bind = bind
        self.members = members

    def test(self, condition: Condition) -> Test:
        """Return the test that a condition is.

        Raises:
            SoqlError: A name means nothing, or a value does not fit its field.
        """
        if isinstance(condition, Comparison):
            return self._comparison(condition)
        if isinstance(condition, Not):
            inner = self.test(condition.condition)
            return lambda row: not inner(row)
        return _joined(condition.word, [self.test(one) for one in condition.conditions])

    def _comparison(self, comparison: Comparison) -> Test:
        bound = self.bind(comparison.left)
        if bound.long:
            raise SoqlError(
                "INVALID_FIELD",
                f"field '{bound.name}' can not be filtered in a query call",
                comparison.left.at,
            )
        if isinstance(comparison.right, Query):
            return _within(bound.get, self.members(comparison, bound), comparison.operator == "NOT IN")
        return self._against(bound, comparison.operator, comparison.right, comparison.at)

    def _against(self, bound: Bound, operator: str, values: tuple[Literal, ...], at: int) -> Test:
        if operator == "LIKE":
            return _like(bound, values[0].text, at)
        if operator in ("INCLUDES", "EXCLUDES"):
            return _includes(bound, values, operator == "EXCLUDES", at)
        operands = [operand(self.catalog, bound, value) for value in values]
        get, key = bound.get, key_of(bound)
        if operator in ("IN", "NOT IN"):
            return _among(get, key, operands, operator == "NOT IN")
        if operator in ("=", "!="):
            return _equal(get, key, operands[0], operator == "!=")
        if bound.type in ("boolean", "multipicklist"):
            raise invalid_operator(bound, at)
        return _ordered(get, key, operator, operands[0])


def invalid_operator(bound: Bound, at: int) -> SoqlError:
    """Return the error of a test that a field's type does not have."""
    return SoqlError("INVALID_QUERY_FILTER_OPERATOR", f"invalid operator on {bound.type} field", at)


def _joined(word: str, tests: list[Test]) -> Test:
    if word == "AND" and len(tests) == 2:
        one, other = tests
        return lambda row: one(row) and other(row)
    decide = all if word == "AND" else any
    return lambda row: decide(test(row) for test in tests)


def _equal(get: Get, key: Callable[[Any], Any], wanted: Operand, negated: bool) -> Test:
    if isinstance(wanted, Range):
        return _among(get, key, [wanted], negated)
    if wanted is None:
        return (lambda row: get(row) is not None) if negated else (lambda row: get(row) is None)

    def test(row: Any) -> bool:
        value = get(row)
        return (value is not None and key(value) == wanted) is not negated

    return test


def _among(get: Get, key: Callable[[Any], Any], wanted: list[Operand], negated: bool) -> Test:
    ranges = [one for one in wanted if isinstance(one, Range)]
    single = frozenset(one for one in wanted if not isinstance(one, Range))

    def test(row: Any) -> bool:
        value = get(row)
        kept = value if value is None else key(value)
        inside = kept in single or (kept is not None and any(one.start <= kept < one.end for one in ranges))
        return inside is not negated

    return test


def _within(get: Get, members: frozenset[Any], negated: bool) -> Test:
    return lambda row: (get(row) in members) is not negated


def _ordered(get: Get, key: Callable[[Any], Any], operator: str, wanted: Operand) -> Test:
    if isinstance(wanted, Range):  # before it or not, and after it or not
        limit: Any = wanted.start if operator in ("<", ">=") else wanted.end
        compare = lt if operator in ("<", "<=") else ge
    else:
        limit, compare = wanted, _ORDERINGS[operator]
    if limit is None:
        return lambda row: False

    def test(row: Any) -> bool:
        value = get(row)
        return value is not None and compare(key(value), limit)

    return test


def _like(bound: Bound, pattern: str, at: int) -> Test:
    if bound.type not in TEXTS:
        raise invalid_operator(bound, at)
    get, matches = bound.get, matcher(pattern)

    def test(row: Any) -> bool:
        value = get(row)
        return value is not None and matches(str(value))

    return test


def _includes(bound: Bound, values: tuple[Literal, ...], negated: bool, at: int) -> Test:
    if bound.type != "multipicklist":
        raise invalid_operator(bound, at)
    wanted = [frozenset(part.strip().casefold() for part in value.text.split(";")) for value in values]
    get = bound.get

    def test(row: Any) -> bool:
        chosen = {part.casefold() for part in str(get(row) or "").split(";")}
        return any(one <= chosen for one in wanted) is not negated

    return test
