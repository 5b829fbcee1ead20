"""Similarity of texts under OCR errors: lost spaces, l for 1, O for 0."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache

_SAME = 0.86
_ALIKE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
_NOT_KEPT = re.compile(r"[^\w.]|_|(?<!\d)\.|\.(?!\d)")  # a decimal point is kept


@lru_cache(maxsize=20_000)
def fold(text: str) -> str:
    """Normalize a text for comparison: without spaces, accents and case, and with look-alikes unified."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return _NOT_KEPT.sub("", bare.lower()).translate(_ALIKE)


@lru_cache(maxsize=50_000)
def ratio(wanted: str, seen: str) -> float:
    """Return the similarity from 0 to 1: 1 for equal folded texts, 0 if their numbers differ."""
    left, right = fold(wanted), fold(seen)
    if left == right:
        return 1.0 if left else 0.0
    if _numbers(wanted) != _numbers(seen) or not left or not right:
        return 0.0
    if max(len(left), len(right)) > 2.5 * min(len(left), len(right)):
        return 0.0
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def find_within(wanted: str, seen: str) -> tuple[float, float] | None:
    """Return the start and end of wanted words in a longer text, as fractions of its length; None if absent."""
    left, right = fold(wanted), fold(seen)
    if not left or len(left) >= len(right):
        return None
    start = right.find(left)
    if start < 0 or (len(left) < 4 and not _is_whole_word(wanted, seen)):
        return None
    return start / len(right), (start + len(left)) / len(right)


def starts(text: str, label: str) -> str | None:
    """Return the rest of a text after a label that it begins with; None if it does not.

    >>> starts("Heart rate 97", "Heartrate")
    '97'
    """
    folded = fold(label)
    if len(folded) < 2:
        return None
    for end in _word_ends(text):
        if fold(text[:end]) == folded or (len(folded) > 4 and ratio(text[:end], label) >= _SAME):
            return text[end:].strip(" ,:;–-") or None
    return None


def name_forms(name: str) -> tuple[str, ...]:
    """Return the forms of a person's name in lists: unchanged, and family name first."""
    *given, family = name.split()
    if not given:
        return (name,)
    return (name, f"{family}, {' '.join(given)}", f"{family}, {given[0][0]}.")


def _is_whole_word(wanted: str, seen: str) -> bool:
    """Whether short words are whole words; a lost space before a capital is tolerated."""
    apart = re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![a-z0-9-])", seen)
    return apart is not None or fold(wanted) in {fold(word) for word in re.split(r"[\s,;:()·]+", seen)}


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _word_ends(text: str) -> Iterator[int]:
    yield from (match.end() for match in re.finditer(r"[^\s]+", text))
