"""Kinds of values in GIMP's pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Kind, Number, Parts, Text

_TAGS = range(1, 9)


@dataclass(frozen=True)
class Tag(Kind):
    """Any colour that a layer can be marked with."""

    def meaning(self, value: Any) -> str:
        if value not in _TAGS:
            raise ValueError(f"{value!r:.40} is no colour of the marks")
        return "marked"

    def spellings(self, value: int, random: Random) -> Iterator[tuple[str, int]]:
        yield from (("another colour", tag) for tag in _TAGS if tag != value)

    def others(self, value: int, random: Random) -> Iterator[int]:
        yield 0


TAG = Tag()
COMMENT = Text(begun="Created with GIMP")
RESOLUTION = Parts("{across} x {down}", across=Number(), down=Number())
