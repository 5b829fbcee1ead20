"""Cuts a query into tokens and hands them to the parsers one after the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from salesforce_org.soql.errors import SoqlError, malformed, unexpected

LONGEST = 100_000
DEEPEST = 50
_TOKEN = re.compile(
    r"""\s*(?:
      (?P<datetime>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d))
    | (?P<date>\d{4}-\d\d-\d\d)
    | (?P<time>\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)
    | (?P<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?)
    | (?P<text>'(?:[^'\\]|\\.)*')
    | (?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
    | (?P<mark><=|>=|!=|<>|[<>=(),:{}])
    | (?P<end>\Z)
    )""",
    re.ASCII | re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_MEANING = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


class Token(NamedTuple):
    """A piece of the text: its kind (a group of the pattern), itself, and where it begins."""

    kind: str
    text: str
    at: int

    @property
    def word(self) -> str:
        """The text in upper case, for comparison with keywords."""
        return self.text.upper() if self.kind == "name" else ""


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, at last one of kind `end`.

    Raises:
        SoqlError: A character can begin no token, or the text is too long.
    """
    if len(text) > LONGEST:
        raise malformed(f"SOQL statements cannot be longer than {LONGEST} characters.")
    at = 0
    while found := _TOKEN.match(text, at):
        kind = str(found.lastgroup)
        yield Token(kind, found[kind], found.start(kind))
        if kind == "end":
            return
        at = found.end()
    raise _no_token(text, at)


def _no_token(text: str, at: int) -> SoqlError:
    at += len(text[at:]) - len(text[at:].lstrip())
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1)
    if text[at] == "'":
        return malformed(f"line {line}:{column} mismatched character '<EOF>' expecting '''")
    return malformed(f"line {line}:{column} no viable alternative at character '{text[at]}'")


def decoded(token: Token, *, pattern: bool = False) -> str:
    """Return what a quoted text means; a pattern of LIKE keeps the backslashes that matter to it.

    Raises:
        SoqlError: A backslash is followed by what it cannot precede.
    """

    def meaning(found: re.Match[str]) -> str:
        mark = found[1]
        if mark in ("%", "_", "\\") and pattern:
            return found[0]
        if len(mark) == 5:
            return chr(int(mark[1:], 16))
        if mark in ("%", "_"):
            return mark
        if mark not in _MEANING:
            raise malformed(f"Illegal character sequence '{found[0]}' in string literal", token.at)
        return _MEANING[mark]

    return _ESCAPE.sub(meaning, token.text[1:-1])


class Cursor:
    """The tokens of a query and the place that the parser has reached."""

    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self._tokens[self._place]

    def ahead(self, count: int = 1) -> Token:
        """Return a token after the next one."""
        return self._tokens[min(self._place + count, len(self._tokens) - 1)]

    def take(self) -> Token:
        """Go past the next token and return it."""
        token = self.token
        self._place = min(self._place + 1, len(self._tokens) - 1)
        return token

    def at_words(self, *words: str) -> bool:
        """Whether the next tokens are these keywords."""
        return all(self.ahead(n).word == word for n, word in enumerate(words))

    def accept(self, *words: str) -> bool:
        """Go past keywords if they are the next tokens."""
        if not self.at_words(*words):
            return False
        self._place += len(words)
        return True

    def accept_mark(self, mark: str) -> bool:
        """Go past a mark if it is the next token."""
        if self.token.kind != "mark" or self.token.text != mark:
            return False
        self.take()
        return True

    def expect(self, word: str) -> None:
        """Go past a keyword that must come."""
        if not self.accept(word):
            raise self.refusal()

    def expect_mark(self, mark: str) -> None:
        """Go past a mark that must come."""
        if not self.accept_mark(mark):
            raise self.refusal()

    def expect_kind(self, kind: str) -> Token:
        """Go past a token that must be of a kind."""
        if self.token.kind != kind:
            raise self.refusal()
        return self.take()

    def refusal(self) -> SoqlError:
        """Return the error of the next token, which cannot stand here."""
        if self.token.text == ":":
            return malformed("Bind variables only allowed in Apex code", self.token.at)
        return unexpected(self.token.text, self.token.at)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Refuse what is nested too deeply."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise SoqlError("QUERY_TOO_COMPLICATED", "Query is nested too deeply", self.token.at)
        yield
        self._depth -= 1
