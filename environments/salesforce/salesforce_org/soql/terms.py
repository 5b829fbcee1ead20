"""What is looked for in a search: words, phrases and their combinations, tried on the words of a record."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from salesforce_org.soql.errors import SoqlError
from salesforce_org.soql.likeness import matcher

LONGEST = 4000
DEEPEST = 30
LONGEST_REMEMBERED = 400
_PIECE = re.compile(r'\s*("(?:\\.|[^"\\])*"|[()]|(?:\\.|[^\s()"\\])+)', re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
Words = tuple[str, ...]
Test = Callable[[Sequence[Words]], bool]


def words(text: str, *, rich: bool = False) -> Words:
    """Return the words of a text in one case, without the tags of a rich one."""
    plain = html.unescape(_TAG.sub(" ", text)) if rich else text
    return _remembered(plain) if len(plain) <= LONGEST_REMEMBERED else _split(plain)


@lru_cache(maxsize=20_000)
def _remembered(text: str) -> Words:
    return _split(text)


def _split(text: str) -> Words:
    return tuple(re.findall(r"[^\W_]+", text.casefold()))


def malformed(message: str) -> SoqlError:
    """Return the error of a search that is none."""
    return SoqlError("MALFORMED_SEARCH", message)


def plain(text: str) -> Test:
    """Return the test of a text that somebody types: every word of it begins a word of the record."""
    pieces = words(text[:LONGEST])
    tests = [_phrase([matcher(piece + "%")]) for piece in pieces]
    return lambda fields: bool(tests) and all(test(fields) for test in tests)


def expression(text: str) -> Test:
    """Return the test of a search expression: words, `*` and `?`, "phrases", AND, OR, AND NOT, parentheses.

    Raises:
        SoqlError: The text is not a search expression.
    """
    if len(text) > LONGEST:
        raise malformed(f"search term must not be longer than {LONGEST} characters")
    pieces = [found[1] for found in _PIECE.finditer(text)]
    reader = _Reader(pieces)
    test = reader.either(0)
    if reader.place < len(pieces):
        raise malformed(f"unexpected token: '{pieces[reader.place][:80]}'")
    return test


class _Reader:
    """Reads an expression from left to right; NOT binds before AND, AND before OR."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces = pieces
        self.place = 0

    def _next(self) -> str:
        return self.pieces[self.place] if self.place < len(self.pieces) else ""

    def _accept(self, word: str) -> bool:
        if self._next().upper() != word:
            return False
        self.place += 1
        return True

    def either(self, depth: int) -> Test:
        found = [self._both(depth)]
        while self._accept("OR"):
            found.append(self._both(depth))
        return found[0] if len(found) == 1 else lambda fields: any(test(fields) for test in found)

    def _both(self, depth: int) -> Test:
        found = [self._operand(depth)]
        while self._next() and self._next().upper() not in ("OR", ")"):
            self._accept("AND")
            found.append(self._negated(depth) if self._accept("NOT") else self._operand(depth))
        return found[0] if len(found) == 1 else lambda fields: all(test(fields) for test in found)

    def _negated(self, depth: int) -> Test:
        inner = self._operand(depth)
        return lambda fields: not inner(fields)

    def _operand(self, depth: int) -> Test:
        if depth > DEEPEST:
            raise malformed("The search is nested too deeply")
        if self._accept("("):
            inner = self.either(depth + 1)
            if not self._accept(")"):
                raise malformed("unexpected token: '<EOF>'")
            return inner
        piece = self._next()
        if piece.upper() in ("", ")", "AND", "OR", "NOT"):
            raise malformed(f"unexpected token: '{piece or '<EOF>'}'")
        self.place += 1
        return _term(piece)


def _term(piece: str) -> Test:
    bare = re.sub(r"\\(.)", lambda found: found[1] if found[1].isalnum() else " ", piece, flags=re.DOTALL)
    parts = [part for part in re.findall(r"(?:[^\W_]|[*?])+", bare.casefold()) if part.strip("*?")]
    if sum(len(part.replace("*", "").replace("?", "")) for part in parts) < 2:
        raise malformed(f"search term must be longer than one character: {piece[:80]}")
    return _phrase([matcher(part.replace("*", "%").replace("?", "_")) for part in parts])


def _phrase(parts: list[Callable[[str], bool]]) -> Test:
    """Return the test for words that stand one behind the other in one field."""

    def follows(field: Words, place: int) -> bool:
        return all(part(field[place + n]) for n, part in enumerate(parts))

    def test(fields: Iterable[Words]) -> bool:
        return any(follows(field, place) for field in fields for place in range(len(field) - len(parts) + 1))

    return test
