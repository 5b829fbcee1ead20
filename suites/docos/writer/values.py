"""Kinds of values in documents of Writer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Formula


@dataclass(frozen=True)
class Condition(Formula):
    """A condition on a variable; either side of an equation may stand first."""

    alike: dict[str, str] = field(default_factory=lambda: {"==": "EQ", "!=": "NEQ"}, hash=False)

    def meaning(self, value: Any) -> tuple[str, ...]:
        tokens = Formula.meaning(self, value)
        if len(tokens) == 3 and tokens[1] in ("EQ", "NEQ"):
            return (tokens[1], *sorted((tokens[0], tokens[2])))
        return tokens

    def spellings(self, value: str, random: Random) -> Iterator[tuple[str, str]]:
        yield from Formula.spellings(self, value, random)
        head, _, body = value.rpartition(":")
        one, sign, other = body.split()
        yield "the other way round", f"{head}:{other} {sign} {one}"
        yield "without spaces", f"{head}:{one}=={other}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield from Formula.others(self, value, random)
        yield value.replace("EQ", "NEQ")
        yield value.replace("EQ", "L")


CONDITION = Condition()
