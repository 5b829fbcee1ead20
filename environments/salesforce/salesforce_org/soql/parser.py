"""Reads SOQL into its tree."""

from __future__ import annotations

from functools import lru_cache

from salesforce_org.soql.conditions import condition, expression, path
from salesforce_org.soql.errors import unexpected
from salesforce_org.soql.lexer import Cursor, Token
from salesforce_org.soql.tree import (
    Call,
    Column,
    FieldSet,
    Grouping,
    GroupKind,
    Order,
    Path,
    Query,
    Source,
    TypeOf,
)

_CLAUSES = frozenset(
    {"USING", "WHERE", "WITH", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "FOR", "UPDATE", "ALL", "AS"}
)
_RESERVED = _CLAUSES | {"FROM"}
LONGEST_REMEMBERED = 2000
_MODES = ("SECURITY_ENFORCED", "USER_MODE", "SYSTEM_MODE")
_PURPOSES = ("VIEW", "REFERENCE", "UPDATE")


def parse(text: str) -> Query:
    """Return the tree of a query.

    Raises:
        SoqlError: It is no SOQL.
    """
    return _remembered(text) if len(text) <= LONGEST_REMEMBERED else _parsed(text)


@lru_cache(maxsize=256)
def _remembered(text: str) -> Query:
    return _parsed(text)


def _parsed(text: str) -> Query:
    cursor = Cursor(text)
    found = select(cursor)
    if cursor.token.kind != "end":
        raise cursor.refusal()
    return found


def select(cursor: Cursor) -> Query:
    """Read a query or sub-query, up to what cannot belong to it."""
    at = cursor.token.at
    cursor.expect("SELECT")
    items = [item(cursor)]
    while cursor.accept_mark(","):
        items.append(item(cursor))
    cursor.expect("FROM")
    return Query(
        items=tuple(items),
        sources=_sources(cursor),
        scope=_scope(cursor),
        where=condition(cursor, select) if cursor.accept("WHERE") else None,
        mode=_mode(cursor),
        group=_grouping(cursor),
        having=condition(cursor, select) if cursor.accept("HAVING") else None,
        order=order(cursor),
        limit=count(cursor, "LIMIT"),
        offset=count(cursor, "OFFSET"),
        purpose=_purpose(cursor),
        all_rows=cursor.accept("ALL", "ROWS"),
        at=at,
    )


def item(cursor: Cursor) -> Column | FieldSet | TypeOf | Query:
    """Read something that is selected."""
    if cursor.accept_mark("("):
        with cursor.deeper():
            inner = select(cursor)
        cursor.expect_mark(")")
        return inner
    if cursor.at_words("TYPEOF") and cursor.ahead().kind == "name":
        return _typeof(cursor)
    if cursor.at_words("FIELDS") and cursor.ahead().text == "(":
        return _field_set(cursor)
    if cursor.at_words("FROM") and cursor.ahead().text not in (",", "("):
        raise cursor.refusal()
    what = expression(cursor)
    has_alias = cursor.token.kind == "name" and cursor.token.word not in _RESERVED
    return Column(what, _bare(cursor) if has_alias else None)


def _bare(cursor: Cursor) -> str:
    token = cursor.expect_kind("name")
    if "." in token.text:
        raise unexpected(token.text, token.at)
    return token.text


def _field_set(cursor: Cursor) -> FieldSet:
    at = cursor.take().at
    cursor.expect_mark("(")
    which = cursor.token.word
    if which not in ("ALL", "STANDARD", "CUSTOM"):
        raise cursor.refusal()
    cursor.take()
    cursor.expect_mark(")")
    return FieldSet(which, at)


def _typeof(cursor: Cursor) -> TypeOf:
    cursor.expect("TYPEOF")
    relation = path(cursor.expect_kind("name"))
    whens = []
    while cursor.accept("WHEN"):
        name = _bare(cursor)
        cursor.expect("THEN")
        whens.append((name, _paths(cursor)))
    otherwise = _paths(cursor) if whens and cursor.accept("ELSE") else ()
    if not whens:
        raise cursor.refusal()
    cursor.expect("END")
    return TypeOf(relation, tuple(whens), otherwise)


def _paths(cursor: Cursor) -> tuple[Path, ...]:
    found = [path(cursor.expect_kind("name"))]
    while cursor.accept_mark(","):
        found.append(path(cursor.expect_kind("name")))
    return tuple(found)


def _sources(cursor: Cursor) -> tuple[Source, ...]:
    found = [_source(cursor)]
    while cursor.accept_mark(","):
        found.append(_source(cursor))
    return tuple(found)


def _source(cursor: Cursor) -> Source:
    named = path(cursor.expect_kind("name"))
    if cursor.accept("AS"):
        return Source(named, _bare(cursor))
    follows: Token = cursor.token
    if follows.kind == "name" and follows.word not in _CLAUSES:
        return Source(named, _bare(cursor))
    return Source(named)


def _scope(cursor: Cursor) -> str | None:
    return _bare(cursor).lower() if cursor.accept("USING", "SCOPE") else None


def _mode(cursor: Cursor) -> str | None:
    if not cursor.accept("WITH"):
        return None
    if cursor.token.word not in _MODES:
        raise cursor.refusal()
    return cursor.take().word


def _grouping(cursor: Cursor) -> Grouping | None:
    if not cursor.accept("GROUP", "BY"):
        return None
    kinds: dict[str, GroupKind] = {"ROLLUP": "rollup", "CUBE": "cube"}
    kind = kinds.get(cursor.token.word)
    if kind is None or cursor.ahead().text != "(":
        return Grouping(_expressions(cursor))
    cursor.take()
    cursor.expect_mark("(")
    by = _expressions(cursor)
    cursor.expect_mark(")")
    return Grouping(by, kind)


def _expressions(cursor: Cursor) -> tuple[Path | Call, ...]:
    found = [expression(cursor)]
    while cursor.accept_mark(","):
        found.append(expression(cursor))
    return tuple(found)


def order(cursor: Cursor) -> tuple[Order, ...]:
    """Read what stands behind ORDER BY, if it comes."""
    if not cursor.accept("ORDER", "BY"):
        return ()
    found = [_key(cursor)]
    while cursor.accept_mark(","):
        found.append(_key(cursor))
    return tuple(found)


def _key(cursor: Cursor) -> Order:
    by = expression(cursor)
    descending = cursor.accept("DESC")
    if not descending:
        cursor.accept("ASC")
    if cursor.accept("NULLS", "LAST"):
        return Order(by, descending, True)
    cursor.accept("NULLS", "FIRST")
    return Order(by, descending)


def count(cursor: Cursor, word: str) -> int | None:
    """Read the number behind LIMIT or OFFSET, if it comes."""
    if not cursor.accept(word):
        return None
    if not cursor.token.text.isdigit() or len(cursor.token.text) > 9:
        raise cursor.refusal()
    return int(cursor.take().text)


def _purpose(cursor: Cursor) -> str | None:
    found = []
    while cursor.accept("FOR"):
        if cursor.token.word not in _PURPOSES:
            raise cursor.refusal()
        found.append(cursor.take().word)
        while cursor.accept_mark(","):
            found.append(cursor.take().word)
    return ", ".join(found) or None
