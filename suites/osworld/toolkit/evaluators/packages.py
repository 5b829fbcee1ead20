"""Documents that are ZIP archives of XML: opened within limits, since an agent may have written anything."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import TypeVar

_MOST_PARTS = 2_000
_UNPACKED = 64 * 1024 * 1024  # bytes of all parts

_T = TypeVar("_T")


def opened(content: bytes | None, read: Callable[[io.BytesIO], _T]) -> _T | str:
    """Return a document as a library reads it, or why it cannot be read."""
    if content is None:
        return "there is no such file"
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = archive.infolist()
        if len(parts) > _MOST_PARTS or sum(part.file_size for part in parts) > _UNPACKED:
            return "it is too large when it is unpacked"
        return read(io.BytesIO(content))
    except Exception as error:  # the libraries raise anything for what is no document
        return f"it cannot be read: {type(error).__name__}: {error}"
