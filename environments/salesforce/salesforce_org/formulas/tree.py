"""A formula as a tree, and the tree as text again, with as few parentheses as its meaning needs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

# From the loosest to the tightest; all of them group from the left.
LEVELS = (
    ("||",),
    ("&&",),
    ("=", "<>"),
    ("<", ">", "<=", ">="),
    ("+", "-", "&"),
    ("*", "/"),
    ("^",),
)
UNARY = ("-", "+", "!")
LEVEL = {operator: level for level, operators in enumerate(LEVELS) for operator in operators}


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a text, TRUE, FALSE or NULL (None)."""

    value: Decimal | str | bool | None


@dataclass(frozen=True, slots=True)
class Name:
    """A field or a global, as its parts: `("Account", "Owner", "Email")`, `("$User", "Id")`."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join(self.parts)


@dataclass(frozen=True, slots=True)
class Call:
    """A function, its name in upper case, with its arguments."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Unary:
    """A sign or a negation."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands; `==` and `!=` are `=` and `<>` here."""

    operator: str
    left: Expression
    right: Expression


Expression = Literal | Name | Call | Unary | Binary


def walk(tree: Expression) -> Iterator[Expression]:
    """Yield a tree and all that is in it."""
    yield tree
    for part in _parts(tree):
        yield from walk(part)


def height(tree: Expression) -> int:
    """Return how many levels a tree has."""
    level, levels = [tree], 0
    while level:
        level, levels = [part for one in level for part in _parts(one)], levels + 1
    return levels


def _parts(tree: Expression) -> tuple[Expression, ...]:
    if isinstance(tree, Call):
        return tree.arguments
    if isinstance(tree, Unary):
        return (tree.operand,)
    return (tree.left, tree.right) if isinstance(tree, Binary) else ()


def unparse(tree: Expression) -> str:
    """Return the text of a tree."""
    return _text(tree, 0)


def _text(tree: Expression, level: int) -> str:
    if isinstance(tree, Literal):
        return _literal(tree.value)
    if isinstance(tree, Call):
        return f"{tree.function}({', '.join(map(unparse, tree.arguments))})"
    if isinstance(tree, Unary):
        return f"{tree.operator}{_text(tree.operand, len(LEVELS))}"
    if isinstance(tree, Binary):
        own = LEVEL[tree.operator]
        text = f"{_text(tree.left, own)} {tree.operator} {_text(tree.right, own + 1)}"
        return f"({text})" if own < level else text
    return str(tree)


def _literal(value: Decimal | str | bool | None) -> str:
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, Decimal):
        return f"{value:f}"
    return {None: "NULL", True: "TRUE", False: "FALSE"}[value]
