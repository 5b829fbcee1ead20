"""Record ids of 18 characters: key prefix, instance, counter, and a checksum of their letters' case."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_CHECK = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
_INSTANCE = "Kj00"
_SHAPE = re.compile(r"[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?")


def make(prefix: str, number: int) -> str:
    """Return the id of the n-th record of an object."""
    digits = ""
    while number:
        number, digit = divmod(number, 62)
        digits = _DIGITS[digit] + digits
    return full(prefix + _INSTANCE + digits.rjust(8, "0"))


def named(prefix: str, name: str) -> str:
    """Return the id of what is known by its name alone, such as a metadata component."""
    return make(prefix, int.from_bytes(hashlib.sha256(name.encode()).digest()[:5]))


def is_id(text: str) -> bool:
    """Whether a text has the form of an id."""
    return bool(_SHAPE.fullmatch(text))


@lru_cache(maxsize=50_000)
def full(short: str) -> str:
    """Return the 18 characters that 15 stand for; ids of 18 get the case that their checksum tells.

    An id of 15 characters is another one in another case; one of 18 means the same however it is written.

    Raises:
        ValueError: It is no id.
    """
    if not is_id(short):
        raise ValueError(f"{short!r} is no id")
    if len(short) == 18:
        return _with_case(short)
    parts = (short[start : start + 5] for start in (0, 5, 10))
    return short + "".join(_CHECK[sum(part[bit].isupper() << bit for bit in range(5))] for part in parts)


def _with_case(id: str) -> str:
    """Return an id of 18 characters in the case that its last three tell; one whose checksum is none stays as it is."""
    checks = [_CHECK.find(character) for character in id[15:].upper()]
    if min(checks) < 0:
        return id
    letters = (
        character.upper() if checks[place // 5] >> place % 5 & 1 else character.lower()
        for place, character in enumerate(id[:15])
    )
    return "".join(letters) + id[15:].upper()
