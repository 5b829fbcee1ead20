"""Which names stand for secrets, so that their values are masked wherever they would be written or shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_WORDS = ("password", "passwd", "pwd", "token", "secret")
_NAMES = ("sid", "otp")  # session ids and one-time passwords, where that is the whole name
MASK = "•••"


def is_secret(name: str) -> bool:
    """Whether a name, of a field or a query value, stands for a secret."""
    return name.lower() in _NAMES or any(word in name.lower() for word in _WORDS)


def secrets_in(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts that stand under secret names, however deep."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from secrets_in(value)
        elif isinstance(value, str) and value and is_secret(name):
            yield value


def masked(text: str, secrets: Iterable[str]) -> str:
    """Return the text without the secrets; the longest first, as one may hold another."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text
