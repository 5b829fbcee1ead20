"""Calls written as Python: parsed, with literal arguments only, and never executed.

Makers' own parsers read texts with line breaks and quotes that Python would want escaped, and calls whose bracket is
missing at the end; so does `mended_calls`. Imports have no effect, as nothing is executed.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from pytest_cuabench.agents.makers.chat.action_spaces.base import Arguments, Mark, Repair, shortened
from pytest_cuabench.errors import ActionError

_MAX_SOURCE = 50_000
_IMPORTS = frozenset({"pyautogui", "time"})
_SETTINGS = frozenset({"pyautogui.PAUSE", "pyautogui.FAILSAFE", "pyautogui.MINIMUM_DURATION"})
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
            raise ActionError(f"{self.name}: duplicate argument {min(twice)}")
        return Arguments(self.name, by_place | self.named)


def calls(source: str) -> Iterator[Call]:
    """Yield the calls of code, statement by statement; known imports are ignored.

    Raises:
        ActionError: It is not Python, or the next statement is not a call with literal arguments.
    """
    for statement in _parsed(source):
        if not _is_import(statement, _IMPORTS):
            yield _call_of(statement)


def mended_calls(source: str, *, close: bool = False) -> Iterator[Call | Repair]:
    """Yield the calls of code like `calls`, and before them what was repaired to read it.

    Args:
        close: Whether a bracket may be missing at the end.

    Raises:
        ActionError: It cannot be repaired, or the next statement is not a call with literal arguments.
    """
    statements, repairs = _mended(source, close=close)
    yield from map(Repair, repairs)
    for statement in statements:
        if _is_setting(statement):
            yield Repair("setting")
        elif not _is_import(statement):
            yield _call_of(statement)
        elif not _is_import(statement, _IMPORTS):
            yield Repair("import")


def _is_import(statement: ast.stmt, names: Collection[str] | None = None) -> bool:
    """Whether a statement imports modules, and only those of these names."""
    match statement:
        case ast.Import(names=imported):
            return names is None or all(one.name in names for one in imported)
        case ast.ImportFrom():
            return names is None
        case ast.Try(body=body):  # and what it would install where a module is missing
            return names is None and all(map(_is_import, body))
    return False


def _is_setting(statement: ast.stmt) -> bool:
    """Whether a statement sets how fast and how carefully pyautogui works, which nothing here depends on."""
    match statement:
        case ast.Assign(targets=[ast.Attribute() as target], value=ast.Constant()):
            return ast.unparse(target) in _SETTINGS
    return False


def _call_of(statement: ast.stmt) -> Call:
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return _call(statement.value)
    kind = type(statement.value if isinstance(statement, ast.Expr) else statement).__name__.lower()
    raise ActionError(f"line {statement.lineno}: only calls with literal arguments are allowed, not {kind}")


def _mended(source: str, *, close: bool) -> tuple[list[ast.stmt], tuple[str, ...]]:
    """Return the statements, and the kinds of repairs that it took to read them."""
    try:
        return _parsed(source), ()
    except ActionError as error:
        if len(source) > _MAX_SOURCE:
            raise
        for repairs in _CLOSING if close else _LADDER:
            mended = source
            for kind in repairs:
                mended = _MENDING[kind](mended)
            with suppress(ActionError):
                return _parsed(mended), repairs
        raise error from None


def _parsed(source: str) -> list[ast.stmt]:
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


def _with_escaped_breaks(source: str) -> str:
    """Escape the line breaks within texts in single quotes or double quotes."""
    parts = _TEXTS.split(source)  # code and texts in turn
    return "".join(part.replace("\n", "\\n") if number % 2 else part for number, part in enumerate(parts))


def _with_escaped_quotes(source: str) -> str:
    """Escape the quotes within the only text of each call, one call a line."""
    return _ONE_TEXT.sub(lambda found: found[1] + _escaped(found[3], found[2]) + found[4], source)


def _escaped(text: str, quote: str) -> str:
    return re.sub(rf"(?<!\\){quote}", rf"\\{quote}", text)


def _closed(source: str) -> str:
    return f"{source.rstrip()})"


def _quoted(source: str) -> str:
    """Close the only text of each call that a line leaves open, before the bracket at its end if there is one."""
    return _OPEN_TEXT.sub(lambda found: f"{found[1]}{found[3].rstrip()}{found[2]})", source)


def _narrow(source: str) -> str:
    """Write brackets, commas and quotes of Chinese texts as Python does, outside of texts that are closed."""
    parts = _TEXTS.split(source)
    return "".join(part if number % 2 else part.translate(_WIDE) for number, part in enumerate(parts))


_WIDE = str.maketrans("（），＝：‘’“”＇＂", "(),=:''\"\"'\"")
_OPEN_TEXT = re.compile(
    r"""^([ \t]*[\w.]+\((?:[^'"\n]*|.*,\s*)(?<!\w)\w+=(["']))((?:(?!\2).)*?)\)?[ \t]*$""", re.M
)


_TEXTS = re.compile(r"""((?<!["'])"(?!"")(?:\\.|[^"\\])*"|(?<!["'])'(?!'')(?:\\.|[^'\\])*')""", re.S)
_ONE_TEXT = re.compile(r"""^([ \t]*[\w.]+\((?:\w+=)?(["']))(?!.*\2\s*,\s*\w+=)(.*)(\2\)\s*)$""", re.M)
_MENDING: Mapping[str, Callable[[str], str]] = {
    "line break in a text": _with_escaped_breaks,
    "quote in a text": _with_escaped_quotes,
    "unclosed bracket": _closed,
    "unclosed quote": _quoted,
    "full-width marks": _narrow,
}
_LADDER: tuple[tuple[str, ...], ...] = (
    ("line break in a text",),
    ("quote in a text",),
)
_CLOSING: tuple[tuple[str, ...], ...] = (
    *_LADDER,
    ("unclosed bracket",),
    ("line break in a text", "unclosed bracket"),
    ("unclosed bracket", "quote in a text"),
    ("unclosed quote",),
    ("full-width marks",),
    ("full-width marks", "unclosed bracket"),
)


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
