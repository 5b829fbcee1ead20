"""Data that any JSON reader takes: programs may put into names, titles and tables what UTF-8 and JSON cannot hold."""

from __future__ import annotations

import math
from typing import Any

from starlette.responses import JSONResponse


class PlainResponse(JSONResponse):
    """A JSON response that any data can be told by."""

    def render(self, content: Any) -> bytes:
        """Return the JSON as UTF-8."""
        try:
            return super().render(content)
        except (TypeError, ValueError):
            return super().render(plain(content))


def plain(value: Any) -> Any:
    """Return data without lone surrogates, numbers that JSON lacks, bytes and other objects, which become texts.

    Keys that become the same are numbered, so that no row is lost.
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
