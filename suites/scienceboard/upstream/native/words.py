"""What the applications of our guest share when they stand for upstream's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from ..steps import Launch, Touch

Setup = list[Mapping[str, Any]]
Collections = Mapping[str, Mapping[str, Mapping[str, Any]]]
HOME = PurePosixPath("/home/user")  # in an upstream machine, and in our desktops


class Unsupported(Exception):
    """Our guest cannot stand for the machine of this record; the sentence says why, and what can."""


def below_home(path: str) -> str:
    """Return a path of an upstream machine as our guest names it.

    Raises:
        Unsupported: It lies outside of HOME.
    """
    place = PurePosixPath(path)
    if not place.is_relative_to(HOME) or ".." in place.parts:
        raise Unsupported(f"the record writes to {path}, and our guest has only HOME for that")
    return str(place.relative_to(HOME))


def written(step: Touch) -> Mapping[str, Any]:
    """Return the step that writes a file."""
    return {"do": "write", "path": below_home(step.path), "text": step.text}


def words_of(step: Launch) -> Sequence[str]:
    """Return the words of a command, however it is written."""
    return step.command.split() if isinstance(step.command, str) else step.command


def text_of(told: Collections, path: str) -> str | None:
    """Return the text of a file, None where there is no such file."""
    row = told.get("files", {}).get(below_home(path))
    return None if row is None else str(row.get("text") or "")
