"""Numbers as people write and say them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from pytest_cuabench.task.answer.text import Token, glued

_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
SPOKEN = {word: value for value, word in enumerate(_ONES.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), start=2)
}

# In this order: a comma groups thousands if possible (`1,500`), otherwise it is a decimal comma.
_FORMS = tuple(
    (re.compile(pattern), grouping, point)
    for pattern, grouping, point in (
        (r"\d+(?:\.\d+)?|\.\d+", "", "."),
        (r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", ",", "."),
        (r"[1-9]\d{0,2}(?:'\d{3})+(?:\.\d+)?", "'", "."),
        (r"[1-9]\d{0,2}(?:'\d{3})+,\d+", "'", ","),
        (r"[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?", " ", "."),
        (r"[1-9]\d{0,2}(?: \d{3})+,\d+", " ", ","),
        (r"[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?:\.\d{3}){2,}", ".", ","),
        (r"\d+,\d+", "", ","),
    )
)


def numeral(text: str) -> Decimal | None:
    """Parse an unsigned numeral in digits; None if its separators are invalid."""
    for pattern, grouping, point in _FORMS:
        if pattern.fullmatch(text):
            bare = text.replace(grouping, "") if grouping else text
            return Decimal(bare.replace(point, "."))
    return None


def spoken(tokens: Sequence[Token], index: int) -> tuple[Decimal, int] | None:
    """Read the number in words at `index`, such as `twenty-one` or `one thousand five hundred and two`.

    Returns:
        The number and the index after it; None when no number begins here.
    """
    reading = _Spoken()
    end = index
    while (following := _word_index(tokens, end, index)) is not None:
        word = tokens[following].key
        if word == "and" and reading.may_join and _takes_after_and(reading, tokens, following + 1):
            end = following + 1
            continue
        if not reading.take(word):
            break
        end = following + 1
    return (Decimal(reading.total + (reading.part or 0)), end) if end > index else None


def _takes_after_and(reading: _Spoken, tokens: Sequence[Token], index: int) -> bool:
    return index < len(tokens) and 0 < SPOKEN.get(tokens[index].key, 0) < 100 and reading.open


def _word_index(tokens: Sequence[Token], index: int, start: int) -> int | None:
    """Return the index of the next word, past a hyphen inside a compound."""
    if index > start and index < len(tokens) and tokens[index].text == "-" and glued(tokens, index):
        index += 1 if glued(tokens, index + 1) else 0
    return index if index < len(tokens) and tokens[index].kind == "word" else None


class _Spoken:
    """The state of parsing a number in words; `part` is the value after the last `thousand`."""

    def __init__(self) -> None:
        self.total = 0
        self.part: int | None = None
        self.may_join = False

    @property
    def open(self) -> bool:
        """Whether a number below a hundred can still follow."""
        return self.part is None or (self.part > 0 and self.part % 100 == 0)

    def take(self, word: str) -> bool:
        """Add a word; False when it does not belong to this number."""
        if word == "hundred":
            return self._hundred()
        if word == "thousand":
            return self._thousand()
        value = SPOKEN.get(word)
        if value is None or not self._fits(value):
            return False
        self.part = (self.part or 0) + value
        self.may_join = False
        return True

    def _fits(self, value: int) -> bool:
        if self.part is None:
            return value > 0 or self.total == 0
        after_tens = self.part % 10 == 0 and self.part % 100 >= 20
        return value > 0 and (self.open or (after_tens and value < 10))

    def _hundred(self) -> bool:
        part = 1 if self.part is None else self.part
        if not 0 < part < 100:
            return False
        self.part = part * 100
        self.may_join = True
        return True

    def _thousand(self) -> bool:
        part = 1 if self.part is None else self.part
        if self.total or not part:
            return False
        self.total, self.part = part * 1000, None
        self.may_join = True
        return True


def plain(value: Decimal) -> str:
    """Format a number in digits, without exponent and trailing zeros."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
