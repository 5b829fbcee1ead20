"""Whether what stands in the list of plots, or was typed for a surface, draws what was expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from . import shapes
from .evaluation import MAX_WORK, Evaluator, Value, defined
from .syntax import NotUnderstood, TooMuch, Tree, parse, readings

_WORK = 4 * MAX_WORK


def same_curve(text: str, expected: str, variables: tuple[tuple[str, str], ...] = ()) -> bool | None:
    """Return whether a line of the list of plots may mean the expected curve, None where it is not understood."""
    return _same(text, expected, variables, 2)


def same_surface(text: str, expected: str, variables: tuple[tuple[str, str], ...] = ()) -> bool | None:
    """Return whether what was typed for a surface draws the expected one, None where it is not understood."""
    return _same(text, expected, variables, 3)


@lru_cache(maxsize=512)  # every step of an episode asks the same again
def _same(text: str, expected: str, variables: tuple[tuple[str, str], ...], dimension: int) -> bool | None:
    shape = shapes.curve if dimension == 2 else shapes.surface
    wanted = shape(parse(expected), Evaluator())
    try:
        means: Sequence[Tree] = readings(text) if dimension == 2 else [parse(text)]
    except TooMuch:
        return False
    except NotUnderstood:
        return None
    evaluator = Evaluator(_known(variables), work=_WORK)  # for all readings together, the plain one first
    plain = _fits(means[0], wanted, evaluator, dimension)
    return any(_fits(tree, wanted, evaluator, dimension) for tree in means[1:]) or plain


def _fits(tree: Tree, wanted: shapes.Shape, evaluator: Evaluator, dimension: int) -> bool | None:
    shape = shapes.curve if dimension == 2 else shapes.surface
    try:
        return shapes.same(shape(tree, evaluator), wanted, dimension)
    except (TooMuch, RecursionError):
        return False
    except NotUnderstood:
        return None


@lru_cache(maxsize=64)
def _known(definitions: tuple[tuple[str, str], ...]) -> Mapping[str, Value]:
    return defined(definitions)
