"""Calls written as Python: parsed, with literal arguments only, and never executed."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pytest_cuabench.agents.action_spaces.base import Arguments, Mark, shortened
from pytest_cuabench.errors import ActionError

_MAX_SOURCE = 50_000
_IMPORTS = frozenset({"pyautogui", "time"})
_MARK = re.compile(r"tag_(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: `name` may have dots."""

    name: str
    given: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)

    def bind(self, *names: str) -> Arguments:
        """Return the arguments by name; positional ones take the names in order.

        Raises:
            ActionError: There are too many arguments, or one is given twice.
        """
        if len(self.given) > len(names):
            raise ActionError(f"{self.name}: takes at most {len(names)} arguments, not {len(self.given)}")
        by_place = dict(zip(names, self.given, strict=False))
        if twice := by_place.keys() & self.named.keys():
            raise ActionError(f"{self.name}: {min(twice)} is given twice")
        return Arguments(self.name, by_place | self.named)


def calls(source: str) -> Iterator[Call]:
    """Yield the calls of code, statement by statement; known imports are ignored.

    Raises:
        ActionError: It is not Python, or the next statement is not a call with literal arguments.
    """
    for statement in _statements(source):
        match statement:
            case ast.Import(names=names) if all(name.name in _IMPORTS for name in names):
                continue
            case ast.Expr(value=ast.Call() as call):
                yield _call(call)
            case _:
                found = statement.value if isinstance(statement, ast.Expr) else statement
                kind = type(found).__name__.lower()
                raise ActionError(
                    f"line {statement.lineno}: only calls with literal arguments are allowed, not {kind}"
                )


def _statements(source: str) -> list[ast.stmt]:
    if len(source) > _MAX_SOURCE:
        raise ActionError(f"the code is longer than {_MAX_SOURCE} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # ignore invalid escapes in the model's texts
            return ast.parse(source).body
    except SyntaxError as error:
        raise ActionError(f"line {error.lineno}: invalid Python ({shortened(error.msg)})") from None
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes, or too deeply nested
        raise ActionError(f"invalid Python ({shortened(str(error)) or type(error).__name__})") from None


def _call(node: ast.Call) -> Call:
    name = _name(node.func)
    try:
        given = tuple(_literal(argument) for argument in node.args)
        named = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise ActionError("write the arguments out, not with **")
            named[keyword.arg] = _literal(keyword.value)
    except ActionError as error:
        raise ActionError(f"{name}: {error}") from None
    except RecursionError:
        raise ActionError(f"{name}: an argument is nested too deeply") from None
    return Call(name, given, named)


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute) and len(parts) < 4:
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise ActionError("a call must name its function, as in pyautogui.click(10, 20)")
    return shortened(".".join(reversed([*parts, node.id])))


def _literal(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=bool() | str() | float() | int() | None as value):
            return value
        case ast.UnaryOp(
            op=ast.USub() | ast.UAdd() as sign, operand=ast.Constant(value=int() | float() as value)
        ):
            positive = _literal(ast.Constant(value))
            return -positive if isinstance(sign, ast.USub) else positive
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_literal(item) for item in items]
        case ast.Name(id=name) | ast.Starred(value=ast.Name(id=name)) if found := _MARK.fullmatch(name):
            return Mark(int(found[1]))
    raise ActionError(f"an argument is a {type(node).__name__.lower()}; write numbers and texts out")
