"""The lambdas of task records, carried out node by node: no Python is run, and every walk has an end.

Three things can come out of a call: a value; `Failed`, which is what Python would have raised (a key that is not there)
and upstream counts as false; `Refused`, where a limit was reached, which says something about the record and nothing
about the agent.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from pytest_cuabench.scienceboard.lambda_grammar import DATE_FORMAT, METHODS, Forbidden, parse, special

MAX_STEPS = 2_000_000
MAX_SIZE = 1_000_000  # items of a list, characters of a text
MAX_BITS = 1_024  # of a whole number
MAX_EXPONENT = 64

__all__ = ["Expression", "Failed", "Forbidden", "Refused", "expression"]


class Failed(Exception):
    """What Python would have raised: a key that is not there, a text compared with a number."""


class Refused(Exception):
    """A limit was reached, or something was asked that no published record asks."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A lambda that passed the grammar."""

    source: str
    parameters: tuple[str, ...]
    body: ast.expr

    def __call__(self, *values: Any, today: date | None = None) -> Any:
        """Return what the lambda makes of plain data.

        Args:
            today: The day that the published use of `datetime` means.

        Raises:
            Failed: Python would have raised.
            Refused: It takes too long or grows too large.
        """
        if len(values) != len(self.parameters):
            raise Failed(f"the lambda takes {len(self.parameters)} values, not {len(values)}")
        run = _Run(today)
        try:
            return run.value(self.body, dict(zip(self.parameters, values, strict=True)))
        except (LookupError, TypeError, ValueError, ArithmeticError) as error:
            raise Failed(f"{type(error).__name__}: {error}") from None
        except RecursionError:
            raise Refused("the data is nested too deep") from None


@cache
def expression(source: str) -> Expression:
    """Return the lambda that a text is.

    Raises:
        Forbidden: It is none, or holds something that is not allowed.
    """
    tree = parse(source)
    return Expression(source, tuple(parameter.arg for parameter in tree.args.args), tree.body)


Names = dict[str, Any]
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.In: lambda left, right: left in right,
}
_NUMERIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Mod: operator.mod,
}


class _Run:
    """One call: counts its steps, and knows the names that are bound."""

    def __init__(self, today: date | None) -> None:
        self._left = MAX_STEPS
        self._today = today

    def value(self, node: ast.expr, names: Names) -> Any:
        self._spend(1)
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return _bound(name, names)
            case ast.NamedExpr(target=target, value=value):
                names[target.id] = self.value(value, names)
                return names[target.id]
            case ast.List(elts=items):
                return [self.value(item, names) for item in items]
            case ast.Tuple(elts=items):
                return tuple(self.value(item, names) for item in items)
            case ast.ListComp():
                return self._list(node, names)
            case ast.Subscript(value=value, slice=index):
                return self._item(self.value(value, names), index, names)
            case _:
                return self._operation(node, names)

    def _operation(self, node: ast.expr, names: Names) -> Any:
        match node:
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self._compare(left, operators, others, names)
            case ast.BoolOp(values=values):
                return self._all_of(values, names)
            case ast.BinOp(left=left, op=kind, right=right):
                return self._sized(_arithmetic(kind, self.value(left, names), self.value(right, names)))
            case ast.UnaryOp(operand=operand):
                return -self.value(operand, names)
            case ast.Call():
                return self._sized(self._call(node, names))
        raise Refused(f"{type(node).__name__} is not allowed")

    def _spend(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise Refused(f"the lambda takes more than {MAX_STEPS} steps")

    def _sized(self, value: Any) -> Any:
        """Return a value that was made here, unless it is too large; making it takes steps."""
        if isinstance(value, int) and value.bit_length() > MAX_BITS:
            raise Refused("the lambda makes too large a number")
        if isinstance(value, Sized):
            if len(value) > MAX_SIZE:
                raise Refused(f"the lambda makes something of more than {MAX_SIZE} items")
            self._spend(len(value))
        return value

    def _list(self, node: ast.ListComp, names: Names) -> list[Any]:
        loop = node.generators[0]
        assert isinstance(loop.target, ast.Name)
        inner, made = dict(names), []
        for item in self.value(loop.iter, names):
            self._spend(1)
            inner[loop.target.id] = item
            if all(self.value(condition, inner) for condition in loop.ifs):
                made.append(self.value(node.elt, inner))
        return made

    def _item(self, value: Any, index: ast.expr, names: Names) -> Any:
        if not isinstance(index, ast.Slice):
            return value[self.value(index, names)]
        parts = [part and self.value(part, names) for part in (index.lower, index.upper, index.step)]
        return self._sized(value[slice(*parts)])

    def _compare(
        self, left: ast.expr, operators: Sequence[ast.cmpop], others: Sequence[ast.expr], names: Names
    ) -> Any:
        result, before = True, self.value(left, names)
        for kind, other in zip(operators, others, strict=True):
            value = self.value(other, names)
            self._spend(sum(len(part) for part in (before, value) if isinstance(part, str | list)) // 64)
            result = _COMPARE[type(kind)](before, value)
            if not result:
                return result
            before = value
        return result

    def _all_of(self, values: Sequence[ast.expr], names: Names) -> Any:
        result: Any = True
        for value in values:
            if not (result := self.value(value, names)):
                return result
        return result

    def _call(self, node: ast.Call, names: Names) -> Any:
        match special(node), node.func:
            case "today", _:
                if self._today is None:
                    raise Refused("nobody said which day it is")
                return self._today.strftime(DATE_FORMAT)
            case "sqrt", _:
                return math.sqrt(*self._arguments(node, names))
            case _, ast.Name(id=name):
                return _FUNCTIONS[name](*self._arguments(node, names))
            case _, ast.Attribute(value=value, attr=method):
                text = self.value(value, names)
                return _method(text, method, self._arguments(node, names))
        raise Refused("this call is not allowed")

    def _arguments(self, node: ast.Call, names: Names) -> list[Any]:
        return [self.value(argument, names) for argument in node.args]


def _bound(name: str, names: Mapping[str, Any]) -> Any:
    if name not in names:
        raise LookupError(f"the name {name} is not defined")
    return names[name]


def _arithmetic(kind: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(kind, ast.Add):
        if not _numbers(left, right) and not (type(left) is type(right) and isinstance(left, str | list)):
            raise TypeError("only numbers, texts and lists are added, each to its kind")
        return left + right
    if isinstance(kind, ast.Mult | ast.Mod) and any(isinstance(v, str | list | tuple) for v in (left, right)):
        raise Refused("texts and lists are neither formatted nor repeated")
    if not _numbers(left, right):
        raise TypeError("this takes numbers")
    if isinstance(kind, ast.Pow):
        if abs(right) > MAX_EXPONENT:
            raise Refused(f"no exponent may be beyond {MAX_EXPONENT}")
        return left**right
    return _NUMERIC[type(kind)](left, right)


def _numbers(*values: Any) -> bool:
    return all(isinstance(value, int | float) for value in values)


def _method(text: Any, method: str, arguments: Sequence[Any]) -> Any:
    if not isinstance(text, str) or method not in METHODS:
        raise TypeError(f"{method} is a method of texts")
    return getattr(str, method)(text, *arguments)


def _range(*bounds: Any) -> list[int]:
    numbers = range(*bounds)
    if len(numbers) > MAX_SIZE:
        raise Refused(f"no range may have more than {MAX_SIZE} numbers")
    return list(numbers)


_FUNCTIONS: dict[str, Callable[..., Any]] = {"abs": abs, "any": any, "all": all, "range": _range}
