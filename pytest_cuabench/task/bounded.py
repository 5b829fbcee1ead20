"""Parse untrusted JSON and TOML; every error is a ValueError of one sentence."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from typing import Any

MAX_DEPTH = 100  # maximum nesting; files of this package have at most a dozen levels


def parse_json(text: str | bytes, *, strict: bool = False) -> Any:
    """Parse JSON; numbers that are not finite become None.

    Args:
        strict: Reject numbers that are not finite, and duplicate names in an object.

    Raises:
        ValueError: The text is not JSON, or nested too deeply.
    """
    number: Callable[[str], float | None] = _finite if strict else _finite_or_none
    pairs = _distinct if strict else None
    try:
        found = json.loads(text, parse_constant=number, parse_float=number, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    whole = text if isinstance(text, str) else text.decode(errors="replace")
    # Without so many brackets it cannot be so deep, and most texts need no walk.
    if whole.count("[") + whole.count("{") > MAX_DEPTH:
        _refuse_depth(found)
    return found


def parse_toml(text: str) -> dict[str, Any]:
    """Parse TOML.

    Raises:
        ValueError: The text is not TOML, or nested too deeply.
    """
    try:
        found = tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    _refuse_depth(found)
    return found


def _refuse_depth(data: Any) -> None:
    level = [data]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return
    raise ValueError("it is nested too deeply")


def _finite(text: str) -> float:
    value = float(text.replace("Infinity", "inf"))
    if not math.isfinite(value):
        raise ValueError(f"{text[:20]} is not a finite number")
    return value


def _finite_or_none(text: str) -> float | None:
    try:
        return _finite(text)
    except ValueError:
        return None


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} is named twice in one object")
    return found
