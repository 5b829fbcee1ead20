"""The content of files that a setup names by `{"do": "keep", "paths": [...]}`, also hidden and binary ones, as base64.

They are the collection `kept` of the state, for tasks that are judged by documents and settings as they are on disk.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from guest import safe_files
from guest.errors import BadRequest

LONGEST = 8 * 1024 * 1024  # bytes of one file
_TOGETHER = 24 * 1024 * 1024  # bytes of all of them


def paths_of(setup: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the paths that the steps name."""
    return [path for step in setup if step["do"] == "keep" for path in step["paths"]]


def rows(home: Path, paths: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return size, SHA-256 and content of each file, by its path below HOME; `unreadable` says why there is none."""
    found: dict[str, dict[str, Any]] = {}
    room = _TOGETHER
    for path in paths:
        try:
            content = safe_files.read(home, path, min(LONGEST, room) + 1)
        except (OSError, BadRequest) as error:
            found[path] = {"unreadable": getattr(error, "strerror", None) or str(error)}
            continue
        if len(content) > min(LONGEST, room):
            found[path] = {
                "unreadable": f"it is larger than {LONGEST} bytes, or all are larger than {_TOGETHER}"
            }
            continue
        room -= len(content)
        found[path] = {
            "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
            "base64": base64.b64encode(content).decode(),
        }
    return found
