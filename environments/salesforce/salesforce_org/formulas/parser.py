"""Reads the text of a formula.

expression := unary (operator unary)*           with the precedence of `tree.LEVELS`
unary      := ("-" | "+" | "!") unary | primary
primary    := number | text | TRUE | FALSE | NULL | name | name "(" [expression ("," expression)*] ")"
            | "(" expression ")"
name       := [$]word (("." | ":") word)*       Account.Owner.Email, Owner:User.Email, $User.Id, AMOUNT:SUM
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from salesforce_org.formulas.errors import FormulaError, syntax
from salesforce_org.formulas.tree import LEVEL, UNARY, Binary, Call, Expression, Literal, Name, Unary, height

LONGEST = 3900
_DEEPEST = 80
_HIGHEST = 200
_TOKEN = re.compile(
    r"""(?:\s|/\*.*?\*/)*(?:
      (?P<number>\d+(?:\.\d*)?|\.\d+)
    | (?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    | (?P<name>\$?[^\W\d]\w*(?:[.:]\w+)*)
    | (?P<mark><=|>=|<>|!=|==|&&|\|\||[-+*/^&=<>!(),])
    | (?P<end>\Z)
    | (?P<other>.)
    )""",
    re.VERBOSE | re.DOTALL,
)
_SAME = {"==": "=", "!=": "<>"}
_WORDS: dict[str, bool | None] = {"TRUE": True, "FALSE": False, "NULL": None}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}


class _Token(NamedTuple):
    kind: str
    text: str


@lru_cache(maxsize=4096)
def parse(text: str) -> Expression:
    """Return the tree of a formula.

    Raises:
        FormulaError: It is too long or no formula.
    """
    if len(text) > LONGEST:
        raise FormulaError(
            f"Formula is too long ({len(text):,} characters). Maximum length is {LONGEST:,} characters."
        )
    return _Parser(_tokens(text)).whole()


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        kind = str(found.lastgroup)
        yield _Token(kind, found[kind])


class _Parser:
    def __init__(self, tokens: Iterator[_Token]) -> None:
        self._tokens = tokens
        self._now = next(tokens)
        self._depth = 0

    def whole(self) -> Expression:
        if self._now.kind == "end":
            raise FormulaError("You must enter a value")
        found = self._expression(0)
        if self._now.kind != "end":
            raise self._unexpected("Extra")
        if height(found) > _HIGHEST:
            raise syntax("The formula has too many levels")
        return found

    def _expression(self, loosest: int) -> Expression:
        left = self._unary()
        while (level := LEVEL.get(self._operator, -1)) >= loosest:
            operator = self._operator
            self._next()
            left = Binary(operator, left, self._expression(level + 1))
        return left

    def _unary(self) -> Expression:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise syntax("The formula has too many levels")
        try:
            if self._is("mark") and self._now.text in UNARY:
                return Unary(self._next().text, self._unary())
            return self._primary()
        finally:
            self._depth -= 1

    def _primary(self) -> Expression:
        if self._is("mark") and self._now.text == "(":
            self._next()
            return self._closed(self._expression(0))
        if self._now.kind not in ("number", "text", "name"):
            raise self._unexpected("Found") if self._now.kind != "end" else syntax()
        token = self._next()
        if token.kind == "number":
            return Literal(Decimal(token.text))
        if token.kind == "text":
            return Literal(re.sub(r"\\(.)", _escaped, token.text[1:-1], flags=re.DOTALL))
        if self._is("mark") and self._now.text == "(":
            self._next()
            return self._call(token.text.upper())
        word = token.text.upper()
        return Literal(_WORDS[word]) if word in _WORDS else Name(tuple(token.text.split(".")))

    def _call(self, function: str) -> Expression:
        if self._is("mark") and self._now.text == ")":
            self._next()
            return Call(function, ())
        arguments = [self._expression(0)]
        while self._is("mark") and self._now.text == ",":
            self._next()
            arguments.append(self._expression(0))
        return self._closed(Call(function, tuple(arguments)))

    def _closed(self, tree: Expression) -> Expression:
        if not (self._is("mark") and self._now.text == ")"):
            raise syntax("Missing ')'")
        self._next()
        return tree

    def _is(self, kind: str) -> bool:
        return self._now.kind == kind

    def _next(self) -> _Token:
        token = self._now
        self._now = next(self._tokens)
        return token

    @property
    def _operator(self) -> str:
        return _SAME.get(self._now.text, self._now.text) if self._is("mark") else ""

    def _unexpected(self, how: str) -> FormulaError:
        if self._now.text in ("'", '"'):
            return syntax("Missing closing quotation mark")
        return syntax(f"{how} '{self._now.text}'")


def _escaped(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[1], found[1])
