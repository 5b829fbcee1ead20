"""Redact secrets: values with secret names are masked in everything that is written or shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

_WORDS = ("password", "passwd", "pwd", "token", "secret")
_NAMES = ("sid", "otp")  # session ids and one-time passwords, where that is the whole name
MASK = "•••"
_SHORTEST = 3  # characters; what is shorter stands in too many other words


def is_secret(name: str) -> bool:
    """Whether a field or query parameter of this name is a secret."""
    return name.lower() in _NAMES or any(word in name.lower() for word in _WORDS)


def secrets_in(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts under secret names, at any depth."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from secrets_in(value)
        elif isinstance(value, str) and len(value) >= _SHORTEST and is_secret(name):
            yield value


def masked(text: str, secrets: Iterable[str]) -> str:
    """Mask the secrets in a text, longest first, since one may contain another."""
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, MASK)
    return text


def without(data: Any, secrets: Collection[str]) -> Any:
    """Mask the secrets in all texts of plain data."""
    if not secrets:
        return data
    if isinstance(data, str):
        return masked(data, secrets)
    if isinstance(data, list | tuple):
        made = [without(each, secrets) for each in data]
        named = hasattr(data, "_fields")  # a named tuple takes its fields one by one
        return type(data)(*made) if named else type(data)(made)
    if isinstance(data, dict):
        return {name: without(value, secrets) for name, value in data.items()}
    return data
