"""Filter logic, such as `1 AND (2 OR NOT 3)`: numbers of conditions, combined."""

from __future__ import annotations

import re
from collections.abc import Callable

Holds = Callable[[int], bool]
_TOKENS = re.compile(r"\s*(\d+|AND|OR|NOT|\(|\))", re.IGNORECASE)


class LogicError(Exception):
    """The logic cannot be read; the text says why."""


def parsed(text: str, count: int) -> Callable[[Holds], bool]:
    """Return a function that combines `count` conditions as the text says.

    Raises:
        LogicError: It cannot be read, or does not use each condition.
    """
    reader = _Reader(_words(text))
    whole = reader.either()
    if reader.words:
        raise LogicError(
            "Your filter is imprecise or incorrect. Please see the help for tips on filter logic."
        )
    if reader.used != set(range(1, count + 1)):
        raise LogicError(
            "Some filter conditions are defined but not referenced in your filter logic, or missing."
        )
    return whole


def _words(text: str) -> list[str]:
    words, at = [], 0
    while text[at:].strip():
        found = _TOKENS.match(text, at)
        if found is None:
            raise LogicError("The filter logic may only contain numbers, AND, OR, NOT and parentheses.")
        words.append(found[1].upper())
        at = found.end()
    return words


class _Reader:
    def __init__(self, words: list[str]) -> None:
        self.words, self.used = words, set[int]()

    def either(self, depth: int = 0) -> Callable[[Holds], bool]:
        parts = [self.both(depth)]
        while self.words[:1] == ["OR"]:
            self.words.pop(0)
            parts.append(self.both(depth))
        return lambda holds: any(part(holds) for part in parts)

    def both(self, depth: int) -> Callable[[Holds], bool]:
        parts = [self.one(depth)]
        while self.words[:1] == ["AND"]:
            self.words.pop(0)
            parts.append(self.one(depth))
        return lambda holds: all(part(holds) for part in parts)

    def one(self, depth: int) -> Callable[[Holds], bool]:
        if not self.words or depth > 20:
            raise LogicError("The filter logic ends too early.")
        word = self.words.pop(0)
        if word == "NOT":
            inner = self.one(depth + 1)
            return lambda holds: not inner(holds)
        if word == "(":
            inside = self.either(depth + 1)
            if not self.words or self.words.pop(0) != ")":
                raise LogicError("The filter logic lacks a closing parenthesis.")
            return inside
        if not word.isdigit():
            raise LogicError("The filter logic has an operator where a number belongs.")
        number = int(word)
        self.used.add(number)
        return lambda holds: holds(number)
