"""What an expression comes to, as KAlgebra calculates: real and complex numbers, truth, functions, vectors.

What is not defined (`ln(-1)`, `1/0`) is NaN, so that a curve simply has no point there. Work is bounded, whatever the
text says.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from .syntax import (
    Apply,
    Block,
    Bounded,
    Call,
    Lambda,
    Name,
    NotUnderstood,
    Number,
    Pieces,
    TooMuch,
    Tree,
    parse,
)

MAX_TERMS = 2_000  # of a sum or a product
MAX_DEFINITIONS = 200
_ROUNDS = 8  # of going through definitions that use each other
MAX_WORK = 400_000  # terms of sums and products, calls of functions, slopes: in all, for one comparison

Numeric = float | complex | bool
CONSTANTS: Mapping[str, Numeric] = {
    "pi": math.pi,
    "e": 2.718281828,  # as many digits as KAlgebra takes
    "euler": 0.5772156649,
    "i": 1j,
    "true": True,
    "false": False,
}


Scope = Mapping[str, "Value"]
Meaning = Callable[[Scope], "Value"]  # of an expression: its value among these variables


@dataclass(frozen=True, slots=True)
class Function:
    """A function with what it had around it."""

    parameters: tuple[str, ...]
    body: Meaning
    scope: Scope

    def __call__(self, *arguments: Value) -> Value:
        """Return its value.

        Raises:
            NotUnderstood: It takes another number of arguments.
        """
        if len(self.parameters) != len(arguments):
            raise NotUnderstood(f"a function of {len(self.parameters)} is given {len(arguments)} arguments")
        return self.body({**self.scope, **dict(zip(self.parameters, arguments, strict=True))})


Value = Numeric | Function | tuple["Value", ...]


@dataclass(slots=True)
class Evaluator:
    """Gives expressions their meaning among `variables`, which hide constants of the same name."""

    variables: Mapping[str, Value] = field(default_factory=dict)
    work: int = MAX_WORK

    def meaning(self, tree: Tree) -> Meaning:
        """Return what calculates an expression.

        Raises:
            NotUnderstood: It holds what is not calculated here; calculating may raise it, too.
        """
        match tree:
            case Number(number):
                return lambda scope: number
            case Name(name):
                return self._named(name)
            case Apply(operator, arguments):
                return _applied(operator, [self.meaning(argument) for argument in arguments])
            case Lambda(parameters, body):
                inner = self.meaning(body)
                return lambda scope: Function(parameters, inner, scope)
            case Call(function, arguments):
                return self._called(function, [self.meaning(argument) for argument in arguments])
            case Bounded():
                return self._bounded(tree)
            case Pieces(cases):
                return self._piecewise(cases)
            case Block("vector" | "list", items):
                parts = [self.meaning(item) for item in items]
                return lambda scope: tuple(part(scope) for part in parts)
        raise NotUnderstood(f"{type(tree).__name__.lower()} is not calculated here")

    def number(self, tree: Tree) -> Callable[[Scope], float]:
        """Return what calculates an expression that is a real number, NaN where it is none.

        Raises:
            NotUnderstood: It holds what is not calculated here; calculating may raise it, too.
        """
        meaning = self.meaning(tree)
        return lambda scope: real(_number(meaning(scope)))

    def _named(self, name: str) -> Meaning:
        def named(scope: Scope) -> Value:
            for known in (scope, self.variables, CONSTANTS):
                if name in known:
                    return known[name]
            raise NotUnderstood(f"{name} is not known")

        return named

    def _called(self, function: Tree, arguments: list[Meaning]) -> Meaning:
        name = function.name if isinstance(function, Name) else ""
        meaning = self.meaning(function)

        def called(scope: Scope) -> Value:
            values = [argument(scope) for argument in arguments]
            if name and name not in scope and name not in self.variables:
                return _built_in(name, values)
            value = meaning(scope)
            if not isinstance(value, Function):
                raise NotUnderstood("what is called is no function")
            self._spend(1)
            return value(*values)

        return called

    def _piecewise(self, cases: tuple[tuple[Tree | None, Tree], ...]) -> Meaning:
        pieces = [(self.meaning(when or Name("true")), self.meaning(value)) for when, value in cases]

        def piecewise(scope: Scope) -> Value:
            return next((value(scope) for when, value in pieces if when(scope) is True), math.nan)

        return piecewise

    def _bounded(self, tree: Bounded) -> Meaning:
        body = self.number(tree.body)
        if tree.operator == "diff" and tree.bounds is None:
            slope = _derivative(body, tree.variable, self._spend)
            return lambda scope: Function((tree.variable,), slope, scope)
        if tree.operator not in ("sum", "product") or tree.bounds is None:
            raise NotUnderstood(f"{tree.operator} with bounds is not calculated here")
        low, high = (self.number(bound) for bound in tree.bounds)
        gather = math.fsum if tree.operator == "sum" else math.prod

        def bounded(scope: Scope) -> float:
            first, last = low(scope), high(scope)
            if not last >= first:
                return math.nan  # KAlgebra has no value there
            terms = self._terms(last - first)
            return gather([body({**scope, tree.variable: first + n}) for n in range(terms)])

        return bounded

    def _terms(self, span: float) -> int:
        if span >= MAX_TERMS:
            raise TooMuch(f"a sum or product has at most {MAX_TERMS} terms here")
        self._spend(int(span) + 1)
        return int(span + 1e-9) + 1

    def _spend(self, work: int) -> None:
        self.work -= work
        if self.work < 0:
            raise TooMuch("the expression takes too much work")


def defined(definitions: Iterable[tuple[str, str]]) -> dict[str, Value]:
    """Return what a person has defined, by name; what is not understood is left out, and so not known.

    Definitions may use each other in any order. Those that are there from the start are known better.
    """
    found: dict[str, Value] = {}
    pending = [(name, text) for name, text in definitions if name not in CONSTANTS][:MAX_DEFINITIONS]
    for _ in range(_ROUNDS):
        left = [(name, text) for name, text in pending if not _define(name, text, found)]
        if len(left) == len(pending):
            break
        pending = left
    return found


def _define(name: str, text: str, found: dict[str, Value]) -> bool:
    try:
        found[name] = Evaluator(found).meaning(parse(text))({})
    except (NotUnderstood, RecursionError):
        return False
    return True


def _derivative(body: Callable[[Scope], float], variable: str, spend: Callable[[int], None]) -> Meaning:
    """Differentiate by Richardson's extrapolation; about nine digits are right."""

    def derivative(scope: Scope) -> float:
        x = real(_number(scope[variable]))
        spend(6)

        def slope(h: float) -> float:
            return (body({**scope, variable: x + h}) - body({**scope, variable: x - h})) / (2 * h)

        step = 1e-3 * max(1.0, abs(x))
        return (64 * slope(step / 4) - 20 * slope(step / 2) + slope(step)) / 45

    return derivative


def _applied(operator: str, operands: list[Meaning]) -> Meaning:
    if len(operands) == 1:
        (only,) = operands
        return lambda scope: _negative(only(scope))
    left, right = operands
    if operator in _COMPARE:
        compare = _COMPARE[operator]
        return lambda scope: compare(real(_number(left(scope))), real(_number(right(scope))))
    return lambda scope: _between(operator, left(scope), right(scope))


def _negative(value: Value) -> Value:
    return tuple(_negative(part) for part in value) if isinstance(value, tuple) else -_number(value)


def _between(operator: str, left: Value, right: Value) -> Value:
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        return tuple(_between(operator, a, b) for a, b in zip(left, right, strict=True))
    if isinstance(left, tuple) != isinstance(right, tuple) and operator in ("*", "/"):
        return _scaled(operator, left, right)
    return _calculate(operator, _number(left), _number(right))


def _scaled(operator: str, left: Value, right: Value) -> Value:
    """Return a vector times or divided by a number."""
    if isinstance(left, tuple):
        return tuple(_between(operator, part, right) for part in left)
    if operator == "/" or not isinstance(right, tuple):
        raise NotUnderstood("a number is not divided by a vector")
    return tuple(_between(operator, left, part) for part in right)


def real(value: Numeric) -> float:
    """Return a real number; NaN for what has an imaginary part."""
    if isinstance(value, complex):
        return value.real if abs(value.imag) < 1e-9 * max(1.0, abs(value.real)) else math.nan
    return float(value)


def _number(value: Value) -> Numeric:
    if isinstance(value, int | float | complex):
        return value
    raise NotUnderstood("a number is expected")


def _calculate(operator: str, a: Numeric, b: Numeric) -> Numeric:
    try:
        match operator:
            case "+":
                return a + b
            case "-":
                return a - b
            case "*":
                return a * b
            case "/":
                return a / b
            case "^":
                return _power(a, b)
    except (ArithmeticError, ValueError):
        return math.nan
    raise NotUnderstood(f"{operator} is not calculated here")


def _power(a: Numeric, b: Numeric) -> Numeric:
    if isinstance(a, complex) or isinstance(b, complex):
        return complex(a) ** complex(b)
    return math.pow(a, b)  # NaN, by ValueError, where the result is not real


_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "=": lambda a, b: abs(a - b) <= 1e-12 * max(1.0, abs(a), abs(b)),
    "!=": lambda a, b: abs(a - b) > 1e-12 * max(1.0, abs(a), abs(b)),
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}

_REAL: Mapping[str, Callable[..., float]] = {
    **{name: getattr(math, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "floor")},
    "sec": lambda x: 1 / math.cos(x),
    "csc": lambda x: 1 / math.sin(x),
    "cot": lambda x: 1 / math.tan(x),
    "sech": lambda x: 1 / math.cosh(x),
    "csch": lambda x: 1 / math.sinh(x),
    "coth": lambda x: 1 / math.tanh(x),
    "arcsin": math.asin,
    "arccos": math.acos,
    "arctan": math.atan,
    "arccot": math.asinh,  # so KAlgebra 22.12, as the next two
    "arcsec": lambda x: 1 / math.acos(x),
    "arccsc": lambda x: 1 / math.asin(x),
    "arcsech": lambda x: math.acosh(1 / x),
    "arccsch": lambda x: math.asinh(1 / x),
    "arcsinh": math.asinh,
    "arccosh": math.acosh,
    "arctanh": math.atanh,
    "ln": math.log,
    "log": math.log10,
    "exp": lambda x: CONSTANTS["e"] ** x,
    "ceiling": math.ceil,
    "sqrt": math.sqrt,
    "root": lambda x, n: math.pow(x, 1 / n),
    "factorial": lambda n: math.gamma(max(0, math.floor(n)) + 1),
    "power": math.pow,
    "divide": lambda a, b: a / b,
    "minus": lambda *a: -a[0] if len(a) == 1 else a[0] - a[1],
    "plus": lambda *a: math.fsum(a),
    "times": lambda *a: math.prod(a),
    "quotient": lambda a, b: math.floor(a / b),
    "rem": math.fmod,
    "min": min,
    "max": max,
    "gcd": lambda *a: math.gcd(*(_whole(n) for n in a)),
    "lcm": lambda *a: math.lcm(*(_whole(n) for n in a)),
}

_COMPLEX: Mapping[str, Callable[[complex], Numeric]] = {
    "abs": abs,
    "conjugate": lambda z: z.conjugate(),
    "real": lambda z: z.real,
    "imaginary": lambda z: z.imag,
    "arg": cmath.phase,
}


_LOGIC: Mapping[str, Callable[..., bool]] = {
    "and": lambda *a: all(a),
    "or": lambda *a: any(a),
    "xor": lambda *a: sum(a) % 2 == 1,
    "implies": lambda a, b: b or not a,
    "not": lambda a: not a,
}


def _whole(number: float) -> int:
    if not number.is_integer():
        raise ValueError(number)
    return int(number)


def _built_in(name: str, arguments: list[Value]) -> Value:
    if name in _LOGIC or name in ("selector", "card"):
        return _of_parts(name, arguments)
    numbers = [_number(argument) for argument in arguments]
    try:
        if name in _COMPLEX and len(numbers) == 1:
            return _COMPLEX[name](complex(numbers[0]))
        if name in _REAL and numbers:
            return float(_REAL[name](*(real(number) for number in numbers)))
    except (ArithmeticError, ValueError):
        return math.nan
    except TypeError:
        raise NotUnderstood(f"{name} does not take {len(numbers)} arguments") from None
    raise NotUnderstood(f"{name}(...) is not known")


def _of_parts(name: str, arguments: list[Value]) -> Value:
    """Return what is made of truths, or found in a vector or a list."""
    match name, arguments:
        case "selector", [int() | float() as place, tuple(parts)] if 1 <= place <= len(parts):
            return parts[int(place) - 1]
        case "card", [tuple(parts)]:
            return len(parts)
    if name not in _LOGIC or not all(isinstance(argument, bool) for argument in arguments):
        raise NotUnderstood(f"{name} does not take these")
    try:
        return _LOGIC[name](*arguments)
    except TypeError:
        raise NotUnderstood(f"{name} does not take {len(arguments)} arguments") from None
