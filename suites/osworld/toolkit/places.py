"""Paths of records: in HOME of the desktop, which is /home/user on OSWorld's machine and on ours."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from .records import Unsupported

_HOME = PurePosixPath("/home/user")


def below_home(path: Any) -> str:
    """Return a path of a record relative to HOME.

    Raises:
        Unsupported: It lies somewhere else.
    """
    if not isinstance(path, str) or not path or "\0" in path or len(path) > 500:
        raise Unsupported("paths", f"{path!r:.80}")
    place = PurePosixPath(path.replace("$HOME", str(_HOME), 1) if path.startswith("$HOME") else path)
    if str(place).startswith("~/"):
        place = _HOME / str(place)[2:]
    if not place.is_relative_to(_HOME) or ".." in place.parts or place == _HOME:
        raise Unsupported("paths", path, "only files below /home/user are read and written")
    return str(place.relative_to(_HOME))
