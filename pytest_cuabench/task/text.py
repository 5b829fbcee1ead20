"""Make texts safe to print on one line; format counts, money and columns.

Most of what is printed was written by a model or by a page it looked at, so every text is made visible first:
no control character, terminal escape, change of writing direction or command to a CI service comes through. `say`
prints for commands, and `tell` for pytest's terminal reporter; nothing else prints.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

# What a CI service carries out: of GitHub at the start of a line, of Azure, TeamCity, GitLab and Travis anywhere.
_COMMAND = re.compile(
    r"^(?P<before>\s*):(?=:)|(?P<hash>#)#(?=\[|\w+\[)|(?P<word>section_(?:start|end)|travis_\w+):", re.I
)
_VISIBLE = {"\n": "⏎", "\r": "␍", "\t": "⇥", "\u00a0": " ", "\u3000": " "}


def visible(text: str) -> str:
    """Return the text on one line, with everything that could hide, reorder or command something spelled out."""
    if not text.isprintable():
        text = "".join(character if character.isprintable() else _spelled(character) for character in text)
    return harmless(text)


def harmless(line: str) -> str:
    """Return a line that no CI service takes for a command."""
    return _COMMAND.sub(_uncommanded, line) if "::" in line or "##" in line or "_" in line else line


def printed(text: str) -> str:
    """Return lines as they may be printed, each of them visible."""
    return "\n".join(map(visible, text.split("\n")))


def say(text: str, stream: TextIO | None = None) -> None:
    """Print lines of a command, on standard output unless another stream is given; nothing is added at the end."""
    (stream or sys.stdout).write(printed(text))


def tell(reporter: Any, line: str, **markup: bool) -> None:
    """Print a line by pytest's terminal reporter."""
    reporter.write_line(visible(line), **markup)


def _uncommanded(found: re.Match[str]) -> str:
    if found["hash"]:
        return f"#{_escaped('#')}"
    return f"{found['word']}{_escaped(':')}" if found["word"] else f"{found['before']}{_escaped(':')}"


def _spelled(character: str) -> str:
    return _VISIBLE.get(character) or _escaped(character)


def _escaped(character: str) -> str:
    return f"\\u{{{ord(character):x}}}"


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters; what was cut shows as an ellipsis."""
    return text if len(text) <= limit else text[: max(0, limit - 1)].rstrip() + "…"


def short(text: object, limit: int = 60) -> str:
    """Return a text visible, on one line, and not longer than `limit`."""
    # The text may be huge; one character more shows `cut` that it is too long.
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
