"""Reads what stands behind WHERE and HAVING."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal as OneOf

from salesforce_org.soql import dates
from salesforce_org.soql.errors import unexpected
from salesforce_org.soql.lexer import Cursor, Token, decoded
from salesforce_org.soql.tree import (
    Both,
    Call,
    Comparison,
    Condition,
    Expression,
    Literal,
    LiteralKind,
    Not,
    Path,
    Query,
)

_COMPARING = ("=", "!=", "<>", "<", "<=", ">", ">=")
_KINDS: dict[str, LiteralKind] = {"number": "number", "date": "date", "datetime": "datetime", "time": "time"}
_CONSTANTS: dict[str, LiteralKind] = {"TRUE": "boolean", "FALSE": "boolean", "NULL": "null"}
SubQuery = Callable[[Cursor], Query]


def path(token: Token) -> Path:
    """Return the field path that a token names."""
    return Path(tuple(token.text.split(".")), token.at)


def expression(cursor: Cursor) -> Expression:
    """Read a field or a function of one."""
    token = cursor.expect_kind("name")
    if not cursor.accept_mark("("):
        return path(token)
    with cursor.deeper():
        argument = None if cursor.token.text == ")" else expression(cursor)
    cursor.expect_mark(")")
    return Call(token.text.upper(), argument, token.at)


def condition(cursor: Cursor, select: SubQuery) -> Condition:
    """Read conditions joined by AND or by OR; both on one level need parentheses."""
    first = _operand(cursor, select)
    word: OneOf["AND", "OR"]
    if cursor.at_words("AND"):
        word = "AND"
    elif cursor.at_words("OR"):
        word = "OR"
    else:
        return first
    found = [first]
    while cursor.accept(word):
        found.append(_operand(cursor, select))
    if cursor.at_words("AND") or cursor.at_words("OR"):
        raise cursor.refusal()
    return Both(word, tuple(found))


def _operand(cursor: Cursor, select: SubQuery) -> Condition:
    if cursor.at_words("NOT"):
        cursor.take()
        return Not(_simple(cursor, select))
    return _simple(cursor, select)


def _simple(cursor: Cursor, select: SubQuery) -> Condition:
    if cursor.accept_mark("("):
        with cursor.deeper():
            inner = condition(cursor, select)
        cursor.expect_mark(")")
        return inner
    return _comparison(cursor, select)


def _comparison(cursor: Cursor, select: SubQuery) -> Comparison:
    left = expression(cursor)
    operator = cursor.take()
    if operator.text in _COMPARING:
        written = "!=" if operator.text == "<>" else operator.text
        return Comparison(left, written, (literal(cursor),), operator.at)
    word = operator.word
    if word == "LIKE":
        return Comparison(left, "LIKE", (_pattern(cursor),), operator.at)
    if word == "NOT" and cursor.accept("IN"):
        return Comparison(left, "NOT IN", _set(cursor, select), operator.at)
    if word == "IN":
        return Comparison(left, "IN", _set(cursor, select), operator.at)
    if word in ("INCLUDES", "EXCLUDES"):
        return Comparison(left, word, _list(cursor), operator.at)
    raise unexpected(operator.text, operator.at)


def _pattern(cursor: Cursor) -> Literal:
    token = cursor.expect_kind("text")
    return Literal("pattern", decoded(token, pattern=True), at=token.at)


def _set(cursor: Cursor, select: SubQuery) -> tuple[Literal, ...] | Query:
    if cursor.token.text == "(" and cursor.ahead().word == "SELECT":
        cursor.take()
        with cursor.deeper():
            inner = select(cursor)
        cursor.expect_mark(")")
        return inner
    return _list(cursor)


def _list(cursor: Cursor) -> tuple[Literal, ...]:
    cursor.expect_mark("(")
    found = [literal(cursor)]
    while cursor.accept_mark(","):
        found.append(literal(cursor))
    cursor.expect_mark(")")
    return tuple(found)


def literal(cursor: Cursor) -> Literal:
    """Read a value."""
    token = cursor.token
    if token.kind == "text":
        return Literal("text", decoded(cursor.take()), at=token.at)
    if token.kind in _KINDS:
        return Literal(_KINDS[token.kind], cursor.take().text, at=token.at)
    if token.word in _CONSTANTS:
        return Literal(_CONSTANTS[cursor.take().word], token.text.lower(), at=token.at)
    if dates.known(token.word):
        return _date_word(cursor)
    raise cursor.refusal()


def _date_word(cursor: Cursor) -> Literal:
    token = cursor.take()
    if not dates.counted(token.word):
        return Literal("word", token.word, at=token.at)
    cursor.expect_mark(":")
    count = cursor.expect_kind("number")
    if not count.text.isdigit() or len(count.text) > 5:
        raise unexpected(count.text, count.at)
    return Literal("word", token.word, int(count.text), token.at)
