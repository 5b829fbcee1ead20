"""Make texts safe to print on one line; format counts, money and columns.

Most of what is printed was written by a model or by a page it looked at, so every text is made visible first:
no control character, terminal escape or change of writing direction comes through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_VISIBLE = {"\n": "⏎", "\r": "␍", "\t": "⇥", "\u00a0": " ", "\u3000": " "}


def visible(text: str) -> str:
    """Return the text on one line, with everything that could hide or reorder it spelled out."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else _spelled(character) for character in text)


def _spelled(character: str) -> str:
    return _VISIBLE.get(character, f"\\u{{{ord(character):x}}}")


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters; what was cut shows as an ellipsis."""
    return text if len(text) <= limit else text[: max(0, limit - 1)].rstrip() + "…"


def short(text: object, limit: int = 60) -> str:
    """Return a text visible, on one line, and not longer than `limit`."""
    return cut(visible(str(text)[: limit + 1]), limit)


def many(count: int, noun: str) -> str:
    """Return `1 task` or `3 tasks`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def dollars(cost: float | None) -> str:
    """Return a sum of money; what is not known is never nothing."""
    if cost is None:
        return "unknown"
    return f"${cost:,.2f}" if cost == 0 or cost >= 0.1 else f"${cost:.4f}"


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines whose cells stand below one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
