"""What a lambda of a task record may be made of: exactly what the published records use, and nothing else.

A record is a file from somewhere; its text is never handed to Python. It is parsed, every node is looked at here,
and what passes is walked by `lambdas.py`. `__import__` is no name of this grammar: its two published uses are
shapes of their own, and stand for a square root and for today's date.
"""

from __future__ import annotations

import ast
import warnings
from typing import Literal

MAX_SOURCE = 4_000  # characters; the longest published one has 507
MAX_DEPTH = 40
METHODS = frozenset({"endswith", "startswith", "split", "join", "strip"})  # of texts
FUNCTIONS = frozenset({"abs", "any", "all", "range"})
CONSTANTS = (str, int, float, bool, type(None))
DATE_FORMAT = "%Y-%m-%d"

_NODES: tuple[type[ast.AST], ...] = (
    ast.Subscript,
    ast.Slice,
    ast.Compare,
    ast.BoolOp,
    ast.BinOp,
    ast.UnaryOp,
    ast.ListComp,
    ast.List,
    ast.Tuple,
    ast.NamedExpr,
    ast.Constant,
    ast.Name,
    ast.Call,
)
OPERATORS: tuple[type[ast.AST], ...] = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.In),
    *(ast.And, ast.USub),
)

Special = Literal["sqrt", "today"]


class Forbidden(ValueError):
    """The text is no lambda of the allowed kind; the sentence says what is wrong."""


def parse(source: str) -> ast.Lambda:
    """Return the lambda that a text is, looked at down to its last node.

    Raises:
        Forbidden: It is too long, no lambda, or holds something that is not allowed.
    """
    if len(source) > MAX_SOURCE:
        raise Forbidden(f"the lambda has {len(source)} characters, at most {MAX_SOURCE} are allowed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(source.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Forbidden(f"this is no Python expression: {error}") from None
    if not isinstance(tree, ast.Lambda):
        raise Forbidden(f"a lambda is expected, not {_named(tree)}")
    _parameters(tree.args)
    _look(tree.body, 1)
    return tree


def special(call: ast.Call) -> Special | None:
    """Return which of the two published uses of `__import__` a call is, None for any other call."""
    if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)):
        return None  # the cheap way out: conditions of a search are asked a hundred thousand times
    if ast.dump(call.func) == _SQRT and len(call.args) == 1 and not call.keywords:
        return "sqrt"
    return "today" if ast.dump(call) == _TODAY else None


def _parameters(given: ast.arguments) -> None:
    if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
        raise Forbidden("a lambda takes plain parameters only")
    for parameter in given.args:
        _own_name(parameter.arg)


def _own_name(name: str) -> None:
    if name.startswith("__"):
        raise Forbidden(f"the name {name} is not allowed")
    if name in FUNCTIONS:
        raise Forbidden(f"{name} cannot be given another meaning")


def _look(node: ast.AST, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise Forbidden(f"the lambda is nested more than {MAX_DEPTH} deep")
    if isinstance(node, ast.Call):
        _look_at_call(node, depth)
        return
    if not isinstance(node, _NODES):
        raise Forbidden(f"{_named(node)} is not allowed")
    match node:
        case ast.Constant(value=value) if type(value) not in CONSTANTS:
            raise Forbidden(f"the constant {value!r} is not allowed")
        case ast.Name(id=name):
            _known(name)
        case ast.ListComp():
            _look_at_comprehension(node, depth)
            return
        case ast.NamedExpr(target=ast.Name(id=name)):
            _own_name(name)
    _look_within(node, depth)


def _look_within(node: ast.AST, depth: int) -> None:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr_context | ast.operator | ast.cmpop | ast.boolop | ast.unaryop):
            if not isinstance(child, (*OPERATORS, ast.Load, ast.Store)):
                raise Forbidden(f"the operator {_named(child)} is not allowed")
        else:
            _look(child, depth + 1)


def _known(name: str) -> None:
    """Refuse the names of Python that are not ours; a name that nothing binds is found when it is used."""
    if name.startswith("__"):
        raise Forbidden(f"the name {name} is not allowed")


def _look_at_call(call: ast.Call, depth: int) -> None:
    which = special(call)
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        raise Forbidden("a call takes plain arguments only")
    match call.func:
        case _ if which:
            pass
        case ast.Name(id=name) if name in FUNCTIONS:
            pass
        case ast.Attribute(value=value, attr=method) if method in METHODS:
            _look(value, depth + 1)
        case ast.Attribute(attr=name):
            raise Forbidden(f"the method {name} is not allowed")
        case other:
            raise Forbidden(f"a call of {_named(other)} is not allowed")
    for argument in () if which == "today" else call.args:
        _look(argument, depth + 1)


def _look_at_comprehension(node: ast.ListComp, depth: int) -> None:
    if len(node.generators) != 1 or node.generators[0].is_async:
        raise Forbidden("a list comprehension has one plain loop")
    loop = node.generators[0]
    if not isinstance(loop.target, ast.Name):
        raise Forbidden("the loop of a list comprehension binds one name")
    _own_name(loop.target.id)
    for part in (loop.iter, *loop.ifs, node.elt):
        if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(part)):
            raise Forbidden("a list comprehension binds no names but its own")
        _look(part, depth + 1)


def _named(node: ast.AST) -> str:
    return type(node).__name__


def _dumped(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


_SQRT = ast.dump(_dumped("__import__('math').sqrt"))
_TODAY = ast.dump(_dumped(f"__import__('datetime').datetime.today().strftime('{DATE_FORMAT}')"))
