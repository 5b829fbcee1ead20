"""Formulas of a spreadsheet, and conditions in the same form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pytest_cuabench.task.kinds.base import Kind, Spellings

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<text>"(?:[^"]|"")*")
      | (?P<sheet>\$?'(?:[^']|'')+')
      | (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.]))
      | (?P<word>[$\w][$\w.]*)
      | (?P<sign><>|<=|>=|==|!=|&&|\|\||[-+*/^&=<>%(){};,:!.|~\[\]])
    )\s*""",
    re.VERBOSE,
)
_START = re.compile(r"^\s*(?:of:|oooc:|ooow:)?=?")


@dataclass(frozen=True)
class Formula(Kind):
    """A formula: case, spaces, `$`, the separator of arguments and needless parentheses around it mean nothing.

    Attributes:
        alike: Other words for a word or sign, such as `{"==": "EQ"}`.
        fixed: Whether `$` means something, because the formula is to be copied.
        sheet: The sheet that it stands in, whose name may be written before a reference.
    """

    alike: Mapping[str, str] = field(default_factory=dict, hash=False)
    fixed: bool = False
    sheet: str = ""

    def meaning(self, value: Any) -> tuple[str, ...]:
        tokens = list(self._tokens(_START.sub("", str(value))))
        while len(tokens) > 2 and tokens[0] == "(" and _closes(tokens) == len(tokens) - 1:
            tokens = tokens[1:-1]
        return tuple(tokens)

    def _tokens(self, text: str) -> Iterator[str]:
        at = 0
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or found.end() == at:
                if not text[at:].strip():
                    return
                raise ValueError(f"{text[at:]!r:.40} is no formula")
            at = found.end()
            yield from self._plain(str(found.lastgroup), found[str(found.lastgroup)])

    def _plain(self, group: str, piece: str) -> Iterator[str]:
        if group == "number":
            yield f"{float(piece):.15g}"
        elif group == "text":
            yield piece
        elif piece not in "[]":  # around references in files
            word = piece if self.fixed else piece.replace("$", "")
            word = (word if group == "sheet" else word.upper()).lstrip(".")
            word = {",": ";"}.get(word, word)
            if self.sheet:
                word = word.strip("'") if word == f"'{self.sheet}'" else word
                word = re.sub(rf"^{re.escape(self.sheet)}(\.|$)", "", word, flags=re.IGNORECASE)
            if word:
                yield self.alike.get(word, word)

    def spellings(self, value: str, random: Random) -> Spellings:
        start = _START.match(value)
        head = start[0] if start else ""
        body = value[len(head) :]
        if '"' not in body and "'" not in body:
            yield "small letters", head + body.lower()
            yield (
                "spaces",
                head + re.sub(r"([-+*/^;=<>])", r" \1 ", body).replace(">  =", ">=").replace("<  =", "<="),
            )
            yield "no spaces", head + re.sub(r"\s+(?=\W)|(?<=\W)\s+", "", body)
            if not self.fixed:
                yield "fixed references", head + re.sub(r"\$?\b([A-Z]{1,2})\$?(\d+)\b(?!\()", r"$\1$\2", body)
                yield "references that are not fixed", head + re.sub(r"\$(?=[A-Z\d])", "", body)
        if self.sheet:
            cell = r"(?<![\w.$'])\.?(\$?[A-Z]{1,2}\$?\d+)\b(?!\()"
            yield "with the sheet", head + re.sub(cell, rf"{self.sheet}.\1", body)
            yield "with the sheet in quotes", head + re.sub(cell, rf"$'{self.sheet}'.\1", body)
        if ";" in body and '"' not in body:
            yield "commas between arguments", head + body.replace(";", ",")
        yield "parentheses around it", f"{head}({body})"
        for word, other in self.alike.items():
            if re.search(rf"(?<!\w){re.escape(other)}(?!\w)", body):
                yield "another word", head + re.sub(rf"(?<!\w){re.escape(other)}(?!\w)", word, body, count=1)

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield f"{value}+1"
        if (digit := re.search(r"\d(?=\D*$)", value)) is not None:
            other = "1" if digit[0] != "1" else "2"
            yield value[: digit.start()] + other + value[digit.end() :]


def _closes(tokens: list[str]) -> int:
    """Return where the first parenthesis closes; -1 if it does not."""
    depth = 0
    for at, piece in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(piece, 0)
        if depth == 0:
            return at
    return -1
