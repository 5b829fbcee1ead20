"""Patterns of LIKE, matched without any backtracking that a hostile pattern could blow up."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_PIECE = re.compile(r"\\(.)|(.)", re.DOTALL)


class Part(NamedTuple):
    """What stands between two `%`: so many characters, some of them any."""

    form: re.Pattern[str]
    width: int


def matcher(pattern: str) -> Callable[[str], bool]:
    """Return a test of texts, both in any case: `%` is any run of characters, `_` one."""
    first, *others = [_part(piece) for piece in _split(pattern.casefold())]
    if not others:
        return lambda text: first.form.fullmatch(text.casefold()) is not None
    *middle, last = others

    def matches(text: str) -> bool:
        text = text.casefold()
        at = first.width if first.form.match(text) else -1
        for part in middle:  # the leftmost place is always good enough
            found = part.form.search(text, at) if at >= 0 else None
            at = found.end() if found else -1
        end = len(text) - last.width
        return 0 <= at <= end and last.form.match(text, end) is not None

    return matches


def _split(pattern: str) -> list[list[tuple[str, bool]]]:
    """Return the pieces between `%`: lists of characters, each with whether it stands for any."""
    pieces: list[list[tuple[str, bool]]] = [[]]
    for found in _PIECE.finditer(pattern):
        escaped, bare = found.groups()
        if bare == "%":
            pieces.append([])
        else:
            pieces[-1].append((escaped or bare, bare == "_"))
    return pieces


def _part(piece: list[tuple[str, bool]]) -> Part:
    form = "".join("." if wild else re.escape(letter) for letter, wild in piece)
    return Part(re.compile(form, re.DOTALL), len(piece))
