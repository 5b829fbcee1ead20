"""Writes a query's tree as text; parsing the text gives the tree again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from salesforce_org.soql.tree import (
    Column,
    Comparison,
    Condition,
    FieldSet,
    Grouping,
    Literal,
    Not,
    Order,
    Query,
    Source,
    TypeOf,
)

_TEXT = re.compile(r"['\\\n\r\t\b\f]")
_PATTERN = re.compile(r"['\n\r\t\b\f]")  # the backslashes of a pattern are its own
_WRITTEN = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\b": r"\b", "\f": r"\f", "'": r"\'", "\\": "\\\\"}


def unparse(tree: Query) -> str:
    """Return a query as text."""
    return " ".join(part for part in _clauses(tree) if part)


def quoted(text: str) -> str:
    """Return a text as a literal of a query, whatever is in it."""
    return f"'{_TEXT.sub(lambda found: _WRITTEN[found[0]], text)}'"


def _clauses(tree: Query) -> Iterable[str | None]:
    yield "SELECT " + ", ".join(_item(one) for one in tree.items)
    yield "FROM " + ", ".join(_source(one) for one in tree.sources)
    yield f"USING SCOPE {tree.scope}" if tree.scope else None
    yield f"WHERE {condition(tree.where)}" if tree.where else None
    yield f"WITH {tree.mode}" if tree.mode else None
    yield f"GROUP BY {_group(tree.group)}" if tree.group else None
    yield f"HAVING {condition(tree.having)}" if tree.having else None
    yield "ORDER BY " + ", ".join(_key(one) for one in tree.order) if tree.order else None
    yield None if tree.limit is None else f"LIMIT {tree.limit}"
    yield None if tree.offset is None else f"OFFSET {tree.offset}"
    yield f"FOR {tree.purpose}" if tree.purpose else None
    yield "ALL ROWS" if tree.all_rows else None


def _item(item: Column | FieldSet | TypeOf | Query) -> str:
    if isinstance(item, Query):
        return f"({unparse(item)})"
    if isinstance(item, FieldSet):
        return f"FIELDS({item.which})"
    if isinstance(item, TypeOf):
        whens = (f"WHEN {name} THEN {', '.join(map(str, paths))}" for name, paths in item.whens)
        otherwise = f" ELSE {', '.join(map(str, item.otherwise))}" if item.otherwise else ""
        return f"TYPEOF {item.relation} {' '.join(whens)}{otherwise} END"
    return f"{item.expression} {item.alias}" if item.alias else str(item.expression)


def _source(source: Source) -> str:
    return f"{source.path} AS {source.alias}" if source.alias else str(source.path)


def _group(group: Grouping) -> str:
    by = ", ".join(map(str, group.by))
    return by if group.kind == "plain" else f"{group.kind.upper()}({by})"


def _key(order: Order) -> str:
    return (
        f"{order.by} {'DESC' if order.descending else 'ASC'} NULLS {'LAST' if order.nulls_last else 'FIRST'}"
    )


def condition(tree: Condition) -> str:
    """Return a condition as text."""
    if isinstance(tree, Comparison):
        return f"{tree.left} {tree.operator} {_right(tree)}"
    if isinstance(tree, Not):
        return f"NOT {_operand(tree.condition)}"
    return f" {tree.word} ".join(_operand(one) for one in tree.conditions)


def _operand(tree: Condition) -> str:
    return condition(tree) if isinstance(tree, Comparison) else f"({condition(tree)})"


def _right(comparison: Comparison) -> str:
    if isinstance(comparison.right, Query):
        return f"({unparse(comparison.right)})"
    if comparison.operator in ("IN", "NOT IN", "INCLUDES", "EXCLUDES"):
        return f"({', '.join(literal(one) for one in comparison.right)})"
    return literal(comparison.right[0])


def literal(value: Literal) -> str:
    """Return a value as text."""
    if value.kind == "text":
        return quoted(value.text)
    if value.kind == "pattern":
        return f"'{_PATTERN.sub(lambda found: _WRITTEN[found[0]], value.text)}'"
    return value.text if value.count is None else f"{value.text}:{value.count}"
