"""Groups of records and what is computed of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from salesforce_org.soql.binding import Bound
from salesforce_org.soql.errors import SoqlError, malformed
from salesforce_org.soql.functions import AGGREGATES, apply
from salesforce_org.soql.operands import NUMBERS, key_of
from salesforce_org.soql.scope import Scope
from salesforce_org.soql.tree import Call, Column, Expression, Grouping, GroupKind, Query
from salesforce_org.store import Record

MOST_GROUPED = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Records that have the grouped values in common; a sub-total is over some of these only."""

    values: tuple[Any, ...]
    records: list[Record]
    totalled: frozenset[int] = frozenset()


def is_aggregate(expression: Expression) -> bool:
    """Whether an expression is computed of many records."""
    if not isinstance(expression, Call):
        return False
    if expression.function in AGGREGATES or expression.function == "GROUPING":
        return True
    return expression.argument is not None and is_aggregate(expression.argument)


def groups(query: Query) -> bool:
    """Whether the records of a query's result are groups."""
    if query.group is not None:
        return True
    return any(isinstance(one, Column) and is_aggregate(one.expression) for one in query.items)


class Groups:
    """What names mean for groups of records."""

    def __init__(self, scope: Scope, grouping: Grouping | None) -> None:
        self._scope = scope
        self._kind: GroupKind = grouping.kind if grouping else "plain"
        self._by = [self._groupable(one) for one in (grouping.by if grouping else ())]
        if self._kind != "plain" and len(self._by) > MOST_GROUPED:
            raise malformed(f"GROUP BY {self._kind.upper()} can have at most {MOST_GROUPED} fields")
        self._whole = grouping is None

    def _groupable(self, expression: Expression) -> Bound:
        bound = self._scope.bind(expression)
        if bound.long or bound.type == "multipicklist":
            raise SoqlError(
                "INVALID_FIELD", f"field '{bound.name}' can not be grouped in a query call", expression.at
            )
        return bound

    def of(self, rows: list[Record]) -> list[Group]:
        """Return the groups of records, with their sub-totals."""
        if self._whole:
            return [Group((), rows)]
        return [group for totalled in self._levels() for group in self._level(rows, totalled)]

    def _levels(self) -> Iterator[frozenset[int]]:
        every = range(len(self._by))
        yield frozenset()
        if self._kind == "rollup":
            yield from (frozenset(range(kept, len(self._by))) for kept in reversed(every))
        elif self._kind == "cube":
            yield from (frozenset(some) for count in every for some in combinations(every, count + 1))

    def _level(self, rows: list[Record], totalled: frozenset[int]) -> Iterator[Group]:
        found: dict[tuple[Any, ...], Group] = {}
        parts = [(n in totalled, one.get, key_of(one)) for n, one in enumerate(self._by)]
        for row in rows:
            values = tuple(None if total else get(row) for total, get, _ in parts)
            kept = tuple(
                None if value is None else key(value)
                for value, (_, _, key) in zip(values, parts, strict=True)
            )
            if kept not in found:
                found[kept] = Group(values, [], totalled)
            found[kept].records.append(row)
        yield from found.values()

    def bind(self, expression: Expression) -> Bound:
        """Return what an expression means for a group.

        Raises:
            SoqlError: It is neither grouped by nor computed of many records.
        """
        if not isinstance(expression, Call) or not is_aggregate(expression):
            return self._grouped(expression)
        if expression.function == "GROUPING":
            return self._is_total(expression)
        if expression.function in AGGREGATES:
            return self._computed(expression)
        return apply(self._scope.catalog, self.bind, expression)

    def _place(self, expression: Expression) -> int:
        name = self._scope.bind(expression).name
        for place, bound in enumerate(self._by):
            if bound.name == name:
                return place
        raise malformed(f"Field must be grouped or aggregated: {name}", expression.at)

    def _grouped(self, expression: Expression) -> Bound:
        if isinstance(expression, Call) and expression.function in ("TOLABEL", "FORMAT"):
            return apply(self._scope.catalog, self.bind, expression)
        place = self._place(expression)
        return replace(self._by[place], get=lambda group: group.values[place])

    def _is_total(self, call: Call) -> Bound:
        if call.argument is None:
            raise malformed("unexpected token: ')'", call.at)
        place = self._place(call.argument)
        return Bound(str(call), "int", lambda group: int(place in group.totalled))

    def _computed(self, call: Call) -> Bound:
        if call.argument is None:
            raise malformed(f"Grouped query cannot use {call}", call.at)
        inner = self._scope.bind(call.argument)
        function = call.function
        if inner.long or (function in ("SUM", "AVG") and inner.type not in NUMBERS):
            raise SoqlError(
                "INVALID_FIELD", f"field {inner.name} does not support aggregate operator {function}", call.at
            )
        compute, key, get = _COMPUTED[function], key_of(inner), inner.get

        def value(group: Group) -> Any:
            return compute([found for row in group.records if (found := get(row)) is not None], key)

        name = f"{function.lower()}({inner.name})"
        if function in ("MIN", "MAX"):
            return replace(inner, name=name, get=value)
        return Bound(name, "int" if function.startswith("COUNT") else "double", value)


Compute = Callable[[list[Any], Callable[[Any], Any]], Any]
_COMPUTED: dict[str, Compute] = {
    "COUNT": lambda values, _: len(values),
    "COUNT_DISTINCT": lambda values, key: len({key(value) for value in values}),
    "SUM": lambda values, _: sum(values) if values else None,
    "AVG": lambda values, _: sum(values) / len(values) if values else None,
    "MIN": lambda values, key: min(values, key=key, default=None),
    "MAX": lambda values, key: max(values, key=key, default=None),
}
