"""Kinds of KAlgebra's values: numbers, what expressions draw and define, and colours as they are seen."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from pytest_cuabench.task.kinds import Color, Kind
from pytest_cuabench.task.kinds.base import Spellings

from . import comparing
from .evaluation import Evaluator, Value
from .syntax import NotUnderstood, parse

TOLERANCE = 1e-6  # of a stored number, as ScienceBoard's
_COLOUR = 6  # of 255: what is read from the screen is rounded
_FUNCTION = re.compile(r"\s*((?:(?:\([\w, ]+\)|\w+)\s*->\s*)+)(.*)", re.DOTALL)
_EQUATION = re.compile(r"([^=<>!:]*)=([^=]*)")
_PARAMETER = "m"


def value_of(text: str) -> Value:
    """Return what a text without variables comes to; NaN where it is not understood."""
    try:
        return Evaluator().meaning(parse(text))({})
    except (NotUnderstood, RecursionError):
        return math.nan


class Stored(Kind):
    """A real or complex number, as a result or as what comes to it, a millionth off at most."""

    @property
    def name(self) -> str:
        return "stored number"

    def meaning(self, value: Any) -> complex:
        found = value_of(value) if isinstance(value, str) else value
        if isinstance(found, bool) or not isinstance(found, int | float | complex) or found != found:
            raise ValueError(f"{value!r:.60} comes to no number")
        return complex(found)

    def equal(self, one: complex, other: complex) -> bool:
        return abs(one - other) <= TOLERANCE

    def spellings(self, value: str, random: Random) -> Spellings:
        yield "in parentheses", f"({value})"
        yield "as a sum", f"{value}+0"
        yield "as a quotient", f"({value})/1.000"
        yield "rounded", f"{value}+{TOLERANCE / 4}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        yield from (
            f"{value}+{3 * TOLERANCE}",
            f"({value})*10",
            f"-({value})",
            f"{value}+i",
            f"x->{value}",
            "x",
        )


@dataclass(frozen=True)
class Drawn(Kind):
    """An expression, by what it draws among the variables that are defined.

    Attributes:
        dimension: 2 for a curve of the list of plots, 3 for a surface.
    """

    dimension: int = 2
    variables: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        return "curve" if self.dimension == 2 else "surface"

    def meaning(self, value: Any) -> str:
        try:
            parse(str(value))
        except (NotUnderstood, RecursionError):
            raise ValueError(f"{value!r:.60} is no expression") from None
        return str(value)

    def tells(self, seen: str, wanted: str) -> bool | None:
        """Return whether an expression draws what is wanted, None where it is not understood."""
        same = comparing.same_curve if self.dimension == 2 else comparing.same_surface
        return same(seen, wanted, self.variables)

    def matches(self, seen: Any, wanted: Any) -> bool:
        return isinstance(seen, str) and self.tells(seen, wanted) is True

    def spellings(self, value: str, random: Random) -> Spellings:
        if found := _FUNCTION.fullmatch(value):
            head, body = found.groups()
            yield from _functions(head, body)
            alone = {"x->": "y", "(x,y)->": "z"}.get(head.replace(" ", ""))
            if alone:
                yield "as an equation", f"{alone}={body}"
                yield "as an equation, the other way round", f"{body}={alone}"
        elif found := _EQUATION.fullmatch(value):
            left, right = found.groups()
            yield "the other way round", f"{right}={left}"
            yield "all on one side", f"{left}-({right})=0"
            yield "both sides doubled", f"2*({left})=2*({right})"
            yield "spaces", f" {left} = {right} "
            if left == "y" and self.dimension == 2:
                yield "as a function", f"x->{right}"

    def others(self, value: str, random: Random) -> Iterator[str]:
        if found := _FUNCTION.fullmatch(value):
            yield from _other_functions(*found.groups())
        elif found := _EQUATION.fullmatch(value):
            left, right = found.groups()
            yield from (f"{left}=({right})+1", f"{left}+x={right}", f"{left}=-({right})", left)
        yield "x"


def _functions(head: str, body: str) -> Spellings:
    yield "in parentheses", f"{head}({body})"
    yield "as a sum", f"{head}({body})+0"
    yield "as a product", f"{head}1*({body})"
    yield "spaces", f" {head} {body} "


def _other_functions(head: str, body: str) -> Iterator[str]:
    yield from (f"{head}({body})+1", f"{head}({body})*1.01", f"{head}-({body})")


@dataclass(frozen=True)
class Defined(Drawn):
    """A function of one variable, or one that returns such functions, by its values."""

    @property
    def name(self) -> str:
        return "function"

    def tells(self, seen: str, wanted: str) -> bool | None:
        calls = ("(({}))(2)", "(({}))(3)") if wanted.count("->") > 1 else ("({})",)
        found = [
            super(Defined, self).tells(*(f"x->({call.format(one)})(x)" for one in (seen, wanted)))
            for call in calls
        ]
        return None if None in found else all(found)

    def spellings(self, value: str, random: Random) -> Spellings:
        found = _FUNCTION.fullmatch(value)
        assert found is not None
        yield from _functions(*found.groups())
        parameter = found[1].partition("->")[0].strip("( )")
        yield "another parameter", re.sub(rf"\b{parameter}\b", _PARAMETER, value)

    def others(self, value: str, random: Random) -> Iterator[str]:
        found = _FUNCTION.fullmatch(value)
        assert found is not None
        yield from _other_functions(*found.groups())


class Seen(Color):
    """A colour as it is seen on the screen, a little lighter or darker."""

    @property
    def name(self) -> str:
        return "color on the screen"

    def equal(self, one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
        return all(abs(a - b) <= _COLOUR for a, b in zip(one, other, strict=True))

    def spellings(self, value: str, random: Random) -> Spellings:
        yield from super().spellings(value, random)
        yield "a little off", _written(self._off(value, _COLOUR // 3))

    def others(self, value: str, random: Random) -> Iterator[str]:
        for channel in range(3):
            off = list(self.meaning(value))
            off[channel] = self._off(value, 4 * _COLOUR)[channel]
            yield _written(off)

    def _off(self, value: str, by: int) -> list[int]:
        return [one + by if one < 128 else one - by for one in self.meaning(value)]


def _written(channels: list[int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*channels)
