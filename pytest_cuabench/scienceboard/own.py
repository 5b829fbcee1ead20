"""Our own guest as the stage of upstream records: their preparation in its words, its state in theirs.

What an application of ours cannot stand for is said when the task is to be set up, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pytest_cuabench.scienceboard.records import Record

OWN: dict[str, str] = {"KAlgebra": "kalgebra", "TeXstudio": "texstudio", "GrassGIS": "grass"}


def own_steps(record: Record) -> list[Mapping[str, Any]]:
    """Return the setup of our guest that a record's preparation means."""
    return list(_steps(record))


def _steps(record: Record) -> Iterator[Mapping[str, Any]]:
    yield from ()


def own_replies(collections: Mapping[str, Any], asked: Any) -> dict[str, Any]:
    return {}
