"""Kinds of values in KiCad's files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import LENGTHS, Choice, Items, Kind, Measure, Number, Parts, Text

_OLDER = {"hole": "hole_size"}  # names of constraints that KiCad 6 still takes


@dataclass(frozen=True)
class Constraint(Kind):
    """What a rule constrains, by its name or an older one."""

    def meaning(self, value: Any) -> str:
        return _OLDER.get(str(value), str(value))

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from (("older name", older) for older, name in _OLDER.items() if name == value)
        yield from (("newer name", name) for older, name in _OLDER.items() if older == value)

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield "hole_clearance"
        yield "annular_width"


CONSTRAINT = Constraint()
LENGTH = Measure(units={unit: LENGTHS[unit] for unit in ("mm", "mil", "in")}, spaced=False)
SIZE = Items(separators=" ", item=Number(), ordered=True)
LAYER = Parts("{layer} {type} {name}", layer=Choice(), type=Choice(), name=Text())
PROPERTY = Parts("{name} {text}", name=Text(), text=Text())
REMARK = Parts("{number} {text}", number=Choice(), text=Text())
