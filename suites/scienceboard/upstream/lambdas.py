"""The lambdas of task records, carried out node by node: no Python is run, and every walk has an end.

Three things can come out of a call: a value; `Failed`, which is what Python would have raised (a key that is not there)
and upstream counts as false; `Refused`, where a limit was reached.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import lambda_work as work
from .lambda_grammar import DATE_FORMAT, TYPES, Forbidden, parse, special
from .lambda_work import Failed, Meter, Refused

__all__ = ["Expression", "Failed", "Forbidden", "Meter", "Refused", "expression"]

Names = dict[str, Any]
Code = Callable[[Names, Meter], Any]  # an expression: its value among these names


@dataclass(frozen=True, slots=True)
class Expression:
    """A lambda that passed the grammar."""

    source: str
    parameters: tuple[str, ...]
    body: ast.expr
    code: Code

    def __call__(self, *values: Any, meter: Meter | None = None) -> Any:
        """Return what the lambda makes of plain data.

        Args:
            meter: What the work is taken from.

        Raises:
            Failed: Python would have raised.
            Refused: It takes too long or grows too large.
        """
        if len(values) != len(self.parameters):
            raise Failed(f"the lambda takes {len(self.parameters)} values, not {len(values)}")
        with guarded():
            return _value(self.code(dict(zip(self.parameters, values, strict=True)), meter or Meter()))


@contextmanager
def guarded() -> Iterator[None]:
    """Tell apart what Python would have raised, and what is nested too deep to be walked."""
    try:
        yield
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        raise Failed(f"{type(error).__name__}: {error}") from None
    except RecursionError:
        raise Refused("the data or the lambdas are nested too deep") from None


@cache
def expression(source: str) -> Expression:
    """Return the lambda that a text is.

    Raises:
        Forbidden: It is none, or holds something that is not allowed.
    """
    tree = parse(source)
    return Expression(
        source, tuple(parameter.arg for parameter in tree.args.args), tree.body, _code(tree.body)
    )


@dataclass(frozen=True, slots=True)
class _Function:
    """A lambda within a lambda, with the names around it."""

    parameters: tuple[str, ...]
    body: Code
    names: Names

    def __call__(self, values: Sequence[Any], meter: Meter) -> Any:
        if len(values) != len(self.parameters):
            raise TypeError(f"the lambda takes {len(self.parameters)} values, not {len(values)}")
        meter.spend(len(self.names) + len(values))
        return self.body({**self.names, **dict(zip(self.parameters, values, strict=True))}, meter)


def _value(value: Any) -> Any:
    """Return plain data; a lambda can be called and handed on, and is nothing that is kept or compared."""
    if isinstance(value, _Function):
        raise Refused("a lambda is no value here")
    return value


def _code(node: ast.expr) -> Code:
    """Return what calculates an expression that passed the grammar; it counts one step."""
    made = _made(node)

    def counted(names: Names, meter: Meter) -> Any:
        meter.spend(1)
        return made(names, meter)

    return counted


def _made(node: ast.expr) -> Code:
    match node:
        case ast.Constant(value=value):
            return lambda names, meter: value
        case ast.Name(id=name):
            return _name(name)
        case ast.NamedExpr(target=target, value=inner):
            return _binding(target.id, _code(inner))
        case ast.List(elts=parts):
            return _built(list, parts)
        case ast.Tuple(elts=parts):
            return _built(tuple, parts)
        case ast.ListComp(elt=inner, generators=loops):
            return _listing(_code(inner), _loops(loops))
        case ast.DictComp(key=key, value=inner, generators=loops):
            return _mapping(_code(key), _code(inner), _loops(loops))
        case ast.Lambda(args=arguments, body=body):
            parameters, inside = tuple(one.arg for one in arguments.args), _code(body)
            return lambda names, meter: _Function(parameters, inside, names)
    return _operation(node)


def _operation(node: ast.expr) -> Code:
    match node:
        case ast.Subscript(value=inner, slice=ast.Slice() as bounds):
            return _slice(_code(inner), bounds)
        case ast.Subscript(value=inner, slice=index):
            of, at = _code(inner), _code(index)
            return lambda names, meter: work.item(of(names, meter), at(names, meter), meter)
        case ast.Compare(left=left, ops=kinds, comparators=others):
            return _comparison(
                _code(left),
                [(_COMPARE[type(kind)], _code(one)) for kind, one in zip(kinds, others, strict=True)],
            )
        case ast.BoolOp(op=kind, values=values):
            return _choice(isinstance(kind, ast.Or), [_code(value) for value in values])
        case ast.BinOp(left=left, op=kind, right=right):
            calculate, a, b = _ARITHMETIC[type(kind)], _code(left), _code(right)
            return lambda names, meter: calculate(a(names, meter), b(names, meter), meter)
        case ast.UnaryOp(operand=operand):
            only = _code(operand)
            return lambda names, meter: work.negative(only(names, meter))
        case ast.Call():
            return _call(node)
    raise Forbidden(f"{type(node).__name__} is not allowed")


def _name(name: str) -> Code:
    def look(names: Names, meter: Meter) -> Any:
        if name not in names:
            raise LookupError(f"the name {name} is not defined")
        return names[name]

    return look


def _binding(name: str, inner: Code) -> Code:
    def bind(names: Names, meter: Meter) -> Any:
        names[name] = value = inner(names, meter)
        return value

    return bind


def _built(kind: Callable[[list[Any]], Any], parts: Sequence[ast.expr]) -> Code:
    codes = [_code(part) for part in parts]
    return lambda names, meter: kind([_value(code(names, meter)) for code in codes])


# Loops

_Loop = tuple[str, Code, Sequence[Code]]  # the name that is bound, what is gone through, conditions


def _loops(generators: Sequence[ast.comprehension]) -> list[_Loop]:
    found: list[_Loop] = []
    for loop in generators:
        assert isinstance(loop.target, ast.Name)
        found.append((loop.target.id, _code(loop.iter), [_code(condition) for condition in loop.ifs]))
    return found


def _rounds(loops: Sequence[_Loop], names: Names, meter: Meter) -> Iterator[None]:
    """Yield once for each round of nested loops, with the names bound."""
    if not loops:
        yield
        return
    (name, over, conditions), *inner = loops
    for item in work.items(over(names, meter), meter):
        meter.spend(1)
        names[name] = item
        if all(condition(names, meter) for condition in conditions):
            yield from _rounds(inner, names, meter)


def _listing(inner: Code, loops: Sequence[_Loop]) -> Code:
    def listing(names: Names, meter: Meter) -> list[Any]:
        own = dict(names)
        return [_value(inner(own, meter)) for _ in _rounds(loops, own, meter)]

    return listing


def _mapping(key: Code, inner: Code, loops: Sequence[_Loop]) -> Code:
    def mapping(names: Names, meter: Meter) -> dict[Any, Any]:
        own = dict(names)
        return {
            work.key_of(key(own, meter), meter): _value(inner(own, meter)) for _ in _rounds(loops, own, meter)
        }

    return mapping


# Operations

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any, Meter], Any]] = {
    ast.Add: work.plus,
    ast.Sub: work.minus,
    ast.Mult: work.times,
    ast.Div: work.over,
    ast.Mod: work.modulo,
    ast.Pow: work.power,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any, Meter], bool]] = {
    ast.Eq: work.equal,
    ast.NotEq: lambda a, b, meter: not work.equal(a, b, meter),
    ast.Lt: work.less,
    ast.Gt: lambda a, b, meter: work.less(b, a, meter),
    ast.In: lambda a, b, meter: work.holds(b, a, meter),
    ast.NotIn: lambda a, b, meter: not work.holds(b, a, meter),
    ast.Is: lambda a, b, meter: a is b,
    ast.IsNot: lambda a, b, meter: a is not b,
}


def _slice(inner: Code, bounds: ast.Slice) -> Code:
    codes = [part and _code(part) for part in (bounds.lower, bounds.upper, bounds.step)]

    def cut(names: Names, meter: Meter) -> Any:
        value = inner(names, meter)
        return work.part(value, slice(*(code and code(names, meter) for code in codes)), meter)

    return cut


def _comparison(left: Code, others: Sequence[tuple[Callable[[Any, Any, Meter], bool], Code]]) -> Code:
    def compare(names: Names, meter: Meter) -> bool:
        before = left(names, meter)
        for kind, code in others:
            value = code(names, meter)
            if not kind(before, value, meter):
                return False
            before = value
        return True

    return compare


def _choice(either: bool, codes: Sequence[Code]) -> Code:
    def choose(names: Names, meter: Meter) -> Any:
        value: Any = None
        for code in codes:
            value = code(names, meter)
            if bool(value) is either:
                break
        return value

    return choose


# Calls


def _call(node: ast.Call) -> Code:
    which = special(node)
    if which == "today":
        return _today
    if which == "elsewhere":
        return lambda names, meter: False
    if isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        return _kind(node)
    codes = [_code(argument) for argument in node.args]

    def given(names: Names, meter: Meter) -> list[Any]:
        return [code(names, meter) for code in codes]

    match node.func:
        case _ if which == "sqrt":
            return lambda names, meter: math.sqrt(*given(names, meter))
        case ast.Name(id=name) if name in _FUNCTIONS:
            function = _FUNCTIONS[name]
            return lambda names, meter: function(meter, *map(_value, given(names, meter)))
        case ast.Attribute(value=value, attr=attribute):
            of = _code(value)
            return lambda names, meter: work.method(of(names, meter), attribute, given(names, meter), meter)
    called = _code(node.func)

    def call(names: Names, meter: Meter) -> Any:
        function = called(names, meter)
        if not isinstance(function, _Function):
            raise TypeError("this cannot be called")
        return function(given(names, meter), meter)

    return call


def _today(names: Names, meter: Meter) -> str:
    if meter.today is None:
        raise Refused("nobody said which day it is")
    return meter.today.strftime(DATE_FORMAT)


def _kind(node: ast.Call) -> Code:
    value, kind = node.args
    assert isinstance(kind, ast.Name)
    code, wanted = _code(value), TYPES[kind.id]
    return lambda names, meter: isinstance(code(names, meter), wanted)


def _length(meter: Meter, value: Any) -> int:
    if not isinstance(value, str | list | tuple | dict):
        raise TypeError("this has no length")
    return len(value)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda meter, value: abs(value),
    "any": lambda meter, value: any(work.items(value, meter)),
    "all": lambda meter, value: all(work.items(value, meter)),
    "dict": lambda meter, pairs: work.paired(pairs, meter),
    "len": _length,
    "range": lambda meter, *bounds: work.listed(*bounds, meter=meter),
    "str": lambda meter, value: work.told(value, meter),
}
