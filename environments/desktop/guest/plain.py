"""Conversion to valid JSON: programs may put names and texts anywhere that UTF-8 and JSON cannot represent."""

from __future__ import annotations

import math
from typing import Any

from starlette.responses import JSONResponse


class PlainResponse(JSONResponse):
    """A JSON response for any data."""

    def render(self, content: Any) -> bytes:
        """Return the JSON as UTF-8."""
        try:
            return super().render(content)
        except (TypeError, ValueError):
            return super().render(plain(content))


def plain(value: Any) -> Any:
    """Replace lone surrogates, and convert non-JSON numbers, bytes and other objects to texts.

    Keys that become equal are numbered.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        found: dict[str, Any] = {}
        for key, one in value.items():
            found[_free(str(plain(str(key))), found)] = plain(one)
        return found
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, bool | int):
        return value
    return value.hex() if isinstance(value, bytes) else plain(str(value))


def _free(name: str, taken: dict[str, Any]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name} #{number}"
    return free
