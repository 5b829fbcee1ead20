"""Expressions as KAlgebra reads and writes them, as a tree; text of any length and origin is safe to read.

What a calculator's user would not expect, tried on KAlgebra 22.12: a number beside something is one factor, bound
tighter than any operator (`2x^2` is `(2x)^2`, `1/2x` is `1/(2x)`); `^` binds from the left (`2^3^2` is 64).

KAlgebra's lists leave out parentheses: `a-(b-c)` is shown as `a-b-c`, and `(-x)^2` as `-x^2`. `readings` returns all
that such a text may have meant, the plain one first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

MAX_TOKENS = 240
MAX_DEPTH = 60
MAX_READINGS = 64
_TRIES = 400  # of parsing one text; most lead to no new reading

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.\d+|\d+|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[^\W\d]\w*)|(?P<sign>:=|->|<=|>=|!=|\.\.|[-+*/^=<>(){}\[\],:?]))"
)
_COMPARISONS = frozenset({"=", "<", ">", "<=", ">=", "!="})
_BLOCKS = frozenset({"vector", "list", "matrix", "matrixrow", "set"})


class NotUnderstood(Exception):
    """The text is no expression that is known here."""


class TooMuch(NotUnderstood):
    """The text is longer or deeper, or takes more work, than what anybody draws by hand."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as written."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """A variable, a constant or a function."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator or a comparison between its arguments; `-` may have one."""

    operator: str
    arguments: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function, named or written out, called."""

    function: Tree
    arguments: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """`x->body`, or `(x, y)->body`."""

    parameters: tuple[str, ...]
    body: Tree


@dataclass(frozen=True, slots=True)
class Bounded:
    """`sum(body : variable=low..high)`; `diff(body : variable)` has no bounds."""

    operator: str
    body: Tree
    variable: str
    bounds: tuple[Tree, Tree] | None


@dataclass(frozen=True, slots=True)
class Pieces:
    """`piecewise { condition ? value, ? otherwise }`."""

    cases: tuple[tuple[Tree | None, Tree], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """`vector { x, y }` and its like."""

    kind: str
    items: tuple[Tree, ...]


Tree = Number | Name | Apply | Call | Lambda | Bounded | Pieces | Block


def parse(text: str) -> Tree:
    """Return what a person who typed this text meant to KAlgebra.

    Raises:
        NotUnderstood: It is no expression.
    """
    return _Parser(_tokens(text), lambda options: 0).whole()


def readings(text: str) -> tuple[Tree, ...]:
    """Return everything that KAlgebra would show as this text, the plain reading first.

    Raises:
        NotUnderstood: It is no expression.
    """
    tokens = _tokens(text)
    found: dict[Tree, None] = {_Parser(tokens, lambda options: 0).whole(): None}
    path: list[int] | None = []
    for _ in range(_TRIES):
        tree, path = _reading(tokens, path)
        if tree is not None:
            found[tree] = None
        if path is None or len(found) >= MAX_READINGS:
            break
    return tuple(found)


def _reading(tokens: list[tuple[str, str]], path: list[int]) -> tuple[Tree | None, list[int] | None]:
    """Parse with the choices of `path`; return the tree, if there is one, and the next path to try."""
    taken: list[tuple[int, int]] = []

    def choose(options: int) -> int:
        taken.append((path[len(taken)] if len(taken) < len(path) else 0, options))
        return taken[-1][0]

    try:
        tree: Tree | None = _Parser(tokens, choose).whole()
    except NotUnderstood:
        tree = None
    while taken and taken[-1][0] + 1 >= taken[-1][1]:
        taken.pop()
    if not taken:
        return tree, None
    return tree, [*(choice for choice, _ in taken[:-1]), taken[-1][0] + 1]


def _tokens(text: str) -> list[tuple[str, str]]:
    text = text.rstrip()
    tokens, place = [], 0
    while place < len(text):
        if len(tokens) >= MAX_TOKENS:
            raise TooMuch(f"an expression of more than {MAX_TOKENS} signs is not read")
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise NotUnderstood(f"{text[place : place + 12]!r} is not understood")
        tokens.append((match.lastgroup, match[match.lastgroup]))
        place = match.end()
    return [*tokens, ("end", "")]


class _Parser:
    """Reads tokens by descent; `choose` picks one of some options where a text can be read in several ways."""

    def __init__(self, tokens: list[tuple[str, str]], choose: Callable[[int], int]) -> None:
        self._tokens = tokens
        self._choose = choose
        self._place = 0
        self._depth = 0

    def whole(self) -> Tree:
        if self._peek(1) == ":=":  # a plot may be given its name
            self._place += 2
        tree = self._expression()
        self._expect("")
        return tree

    # Tokens

    def _peek(self, ahead: int = 0) -> str:
        index = self._place + ahead
        return self._tokens[index][1] if index < len(self._tokens) else ""

    def _kind(self, ahead: int = 0) -> str:
        index = self._place + ahead
        return self._tokens[index][0] if index < len(self._tokens) else "end"

    def _take(self) -> str:
        self._place += 1
        return self._tokens[self._place - 1][1]

    def _accept(self, sign: str) -> bool:
        if self._peek() == sign and self._kind() == "sign":
            self._place += 1
            return True
        return False

    def _expect(self, sign: str) -> None:
        if self._peek() != sign:
            raise NotUnderstood(f"{sign or 'the end'} is missing before {self._peek()[:12] or 'the end'!r}")
        self._place += 1

    def _name(self) -> str:
        if self._kind() != "name":
            raise NotUnderstood(f"a name is missing before {self._peek()[:12]!r}")
        return self._take()

    # Grammar, from the loosest to the tightest

    def _expression(self) -> Tree:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooMuch(f"more than {MAX_DEPTH} levels are not read")
        try:
            return self._lambda() or self._comparison()
        finally:
            self._depth -= 1

    def _lambda(self) -> Tree | None:
        if self._kind() == "name" and self._peek(1) == "->":
            parameters: tuple[str, ...] = (self._take(),)
        elif (several := self._parameters()) is not None:
            parameters = several
        else:
            return None
        self._expect("->")
        return Lambda(parameters, self._expression())

    def _parameters(self) -> tuple[str, ...] | None:
        if self._peek() != "(":
            return None
        ahead, names = 1, []
        while self._kind(ahead) == "name":
            names.append(self._peek(ahead))
            ahead += 2
            if self._peek(ahead - 1) == ")" and self._peek(ahead) == "->":
                self._place += ahead
                return tuple(names)
            if self._peek(ahead - 1) != ",":
                break
        return None

    def _comparison(self) -> Tree:
        left = self._sum()
        if self._kind() == "sign" and self._peek() in _COMPARISONS:
            operator = self._take()
            return Apply(operator, (left, self._sum()))
        return left

    def _sum(self) -> Tree:
        left = self._product()
        while self._peek() in ("+", "-"):
            if self._take() == "+":
                left = Apply("+", (left, self._product()))
            else:
                left = Apply("-", (left, self._subtrahend(self._product())))
        return left

    def _subtrahend(self, first: Tree) -> Tree:
        """Go on with what is taken away: a difference is shown there without its parentheses."""
        tree, complete = first, True
        while self._peek() in ("+", "-") and self._choose(2):
            complete = self._peek() == "-"  # only a difference loses them, not a sum
            if self._take() == "+":
                tree = Apply("+", (tree, self._product()))
            else:
                tree = Apply("-", (tree, self._subtrahend(self._product())))
        if not complete:
            raise NotUnderstood("a sum is shown with its parentheses")
        return tree

    def _product(self) -> Tree:
        left = self._signed()
        while self._peek() in ("*", "/"):
            left = Apply(self._take(), (left, self._signed()))
        return left

    def _signed(self) -> Tree:
        if not self._accept("-"):
            return self._power()
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooMuch(f"more than {MAX_DEPTH} levels are not read")
        try:
            return self._negative()
        finally:
            self._depth -= 1

    def _negative(self) -> Tree:
        base = self._signed() if self._peek() == "-" else self._factor()
        if self._peek() == "^" and self._choose(2):
            return self._powers(Apply("-", (base,)))
        tree = self._powers(base)
        if self._peek() in ("+", "-", "*", "/") and self._choose(2):
            return Apply("-", (self._difference(tree),))
        return Apply("-", (tree,))

    def _difference(self, first: Tree) -> Tree:
        """Go on with what a sign stands before, where that is a difference."""
        while self._peek() in ("*", "/"):
            first = Apply(self._take(), (first, self._signed()))
        tree = self._subtrahend(first)
        if tree is first:
            raise NotUnderstood("this is another reading")
        return tree

    def _power(self) -> Tree:
        return self._powers(self._factor())

    def _powers(self, base: Tree) -> Tree:
        while self._accept("^"):
            base = Apply("^", (base, self._exponent()))
        return base

    def _exponent(self) -> Tree:
        if self._peek() != "-":
            return self._factor()
        if self._choose(2):  # of `x^-y^z`, which may be the power of a power
            self._take()
            return Apply("-", (self._factor(),))
        return self._signed()

    def _factor(self) -> Tree:
        """A value, or a number and the value beside it."""
        if self._kind() != "number":
            return self._value()
        number = Number(float(self._take()))
        if self._kind() in ("number", "name") or self._peek() == "(":
            return Apply("*", (number, self._value()))
        return number

    def _value(self) -> Tree:
        if self._kind() == "number":
            return Number(float(self._take()))
        if self._accept("("):
            return self._in_parentheses()
        name = self._name()
        if self._peek() == "{":
            return self._block(name)
        if self._accept("("):
            return self._call(name)
        if self._kind() == "number":
            return Call(Name(name), (Number(float(self._take())),))
        return Call(Name(name), (Name(self._take()),)) if self._kind() == "name" else Name(name)  # sin x

    def _in_parentheses(self) -> Tree:
        tree = self._expression()
        self._expect(")")
        if self._accept("("):
            return Call(tree, self._list(")"))
        return tree

    def _list(self, end: str) -> tuple[Tree, ...]:
        items: list[Tree] = []
        while not self._accept(end):
            if items:
                self._expect(",")
            items.append(self._expression())
        return tuple(items)

    def _call(self, name: str) -> Tree:
        if self._accept(")"):
            return Call(Name(name), ())
        first = self._expression()
        if self._accept(":"):
            return self._bounded(name, first)
        if self._accept(","):
            return Call(Name(name), (first, *self._list(")")))
        self._expect(")")
        return Call(Name(name), (first,))

    def _bounded(self, name: str, body: Tree) -> Tree:
        variable, bounds = self._name(), None
        if self._accept("="):
            low = self._sum()
            self._expect("..")
            bounds = (low, self._sum())
        self._expect(")")
        return Bounded(name, body, variable, bounds)

    def _block(self, kind: str) -> Tree:
        self._expect("{")
        if kind == "piecewise":
            return self._pieces()
        if kind not in _BLOCKS:
            raise NotUnderstood(f"{kind} {{ is not understood")
        return Block(kind, self._list("}"))

    def _pieces(self) -> Tree:
        cases: list[tuple[Tree | None, Tree]] = []
        while not self._accept("}"):
            if cases:
                self._expect(",")
            condition = None if self._peek() == "?" else self._expression()
            self._expect("?")
            cases.append((condition, self._expression()))
        return Pieces(tuple(cases))
