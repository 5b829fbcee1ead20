"""Normalization and tokens of answers.

A text is normalized once (`clean`) and split into tokens. Names are compared as sequences of whole tokens, never inside
words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Literal, NamedTuple

SHOWN = 120  # characters of an answer in a report
DASHES = "-–—"
BREAKS = ",;\n"
NEUTRAL_MARKS = frozenset(".,:;!\"'()[]{}*_`=\n•·“”„«»")
_SAME = str.maketrans(
    dict.fromkeys("\u2212\ufe63\u2010\u2011", "-")
    | dict.fromkeys("\u2012\u2013", "–")
    | dict.fromkeys("\u2014\u2015", "—")
    | dict.fromkeys("\u2018\u2019\u02bc", "'")
    | dict.fromkeys("\u00ba\u02da", "°")
    | dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff", "")
    | {chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}  # full-width forms of ASCII
)
# Unicode does not take these letters apart.
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
_SUBSCRIPT = re.compile(r"(?<=[^\W\d_])[₀-₉]+")
_LIST_ITEM = re.compile(r"^ *(?:\d{1,2}[.)]|[*•]|[-–](?! *[\d.])) +", re.MULTILINE)
_SPACED = r"[1-9]\d{0,2}(?: \d{3})+(?!\d)(?:[.,]\d+)?(?![.,']?\d)"
_QUANTITY = re.compile(
    r"(?P<word>[^\W\d_][^\W_]*(?:'[^\W\d_]+)*)"
    rf"|(?P<number>{_SPACED}|\d+(?:[.,']\d+)*|(?<![\w.])\.\d+)|(?P<mark>\n|\S)"
)
_NAME = re.compile(r"(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)|(?P<number>\d+)|(?P<mark>\n|\S)")


class Token(NamedTuple):
    """A word, a numeral or one other character, with its place in the cleaned text."""

    kind: Literal["word", "number", "mark"]
    text: str
    key: str
    start: int
    end: int


Splitter = Callable[[str], list[Token]]
Keys = tuple[str, ...]


def clean(text: str) -> str:
    """Normalize digits, dashes, apostrophes, spaces and line ends to one character each.

    Fractions, powers and struck-out characters stay unchanged.
    """
    plain = unicodedata.normalize("NFC", text).translate(_SAME)
    if not plain.isascii():
        plain = "".join(_plain(character) for character in plain)
        plain = _SUBSCRIPT.sub(lambda found: unicodedata.normalize("NFKC", found[0]), plain)
    return "\n".join(plain.replace("\t", " ").splitlines()).strip()


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return " " if category == "Zs" else character


def fold(word: str) -> str:
    """Return the word without case, accents and apostrophes."""
    parts = unicodedata.normalize("NFKD", word.casefold().replace("'", ""))
    return "".join(part for part in parts if not "\u0300" <= part <= "\u036f").translate(_LETTERS).casefold()


def clip(text: str) -> str:
    """Return the text in quotes, on one line, shortened for a report."""
    line = " ".join(text.split())
    return f"'{line}'" if len(line) <= SHOWN else f"'{line[: SHOWN - 3]}...'"


def without_list_marks(text: str) -> str:
    """Return the text without the bullets or numbers that begin its lines; a dash before a number stays."""
    return _LIST_ITEM.sub("", text)


def quantity_tokens(text: str) -> list[Token]:
    """Split a text into words (`SpO2` is one), whole numerals (`1 500.5` is one) and single characters."""
    return _tokens(_QUANTITY, text)


def name_tokens(text: str) -> list[Token]:
    """Split a text into runs of letters, runs of digits, and marks that are significant in names.

    `Bed-2`, `bed 2` and `Bed #2` give the same keys; `A+` and `A-`, `2.5` and `25` do not. Commas, semicolons
    and line ends stay.
    """
    tokens = _tokens(_NAME, text)
    return [token for index, token in enumerate(tokens) if _names(tokens, index)]


def text_tokens(text: str) -> list[Token]:
    """Split a text like `name_tokens`, without the commas, semicolons and line ends outside of numbers."""
    tokens = _tokens(_NAME, text)
    return [
        token
        for index, token in enumerate(tokens)
        if _names(tokens, index) and (token.text not in BREAKS or between(tokens, index, ("number",)))
    ]


def _tokens(pattern: re.Pattern[str], text: str) -> list[Token]:
    found = []
    for part in pattern.finditer(text):
        kind: Literal["word", "number", "mark"] = (
            "word" if part["word"] is not None else "number" if part["number"] is not None else "mark"
        )
        key = fold(part[0]) if kind == "word" else part[0]
        found.append(Token(kind, part[0], key, part.start(), part.end()))
    return found


def _names(tokens: Sequence[Token], index: int) -> bool:
    token = tokens[index]
    if token.kind != "mark" or token.text in BREAKS:
        return True
    if token.text in DASHES:
        return token.text != "—" and not (between(tokens, index, ("word", "number")) or apart(tokens, index))
    if token.text == ".":
        return between(tokens, index, ("number",))
    return token.text not in NEUTRAL_MARKS and token.text != "#"


def glued(tokens: Sequence[Token], index: int) -> bool:
    """Whether a token directly follows the one before it."""
    return 0 < index < len(tokens) and tokens[index - 1].end == tokens[index].start


def between(tokens: Sequence[Token], index: int, kinds: tuple[str, ...]) -> bool:
    """Whether the token directly joins two others of these kinds."""
    return (
        glued(tokens, index)
        and glued(tokens, index + 1)
        and tokens[index - 1].kind in kinds
        and tokens[index + 1].kind in kinds
    )


def apart(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token has space, a line end or an end of the text on both sides."""
    before = glued(tokens, index) and tokens[index - 1].text != "\n"
    after = glued(tokens, index + 1) and tokens[index + 1].text != "\n"
    return not before and not after


def glued_word(tokens: Sequence[Token], index: int) -> bool:
    """Whether a letter or digit follows the token before `index` directly."""
    return glued(tokens, index) and tokens[index].kind != "mark" and tokens[index - 1].kind != "mark"


def lengths(known: Collection[Keys]) -> list[int]:
    """Return the lengths of the known word sequences, longest first."""
    return sorted({len(keys) for keys in known}, reverse=True)


def longest(tokens: Sequence[Token], index: int, known: Collection[Keys], sizes: Iterable[int]) -> int | None:
    """Return the end of the longest known word sequence at `index`."""
    if glued_word(tokens, index):
        return None
    for size in sizes:
        end = index + size
        fits = end <= len(tokens) and tuple(token.key for token in tokens[index:end]) in known
        if fits and not glued_word(tokens, end):
            return end
    return None
