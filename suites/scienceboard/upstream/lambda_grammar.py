"""What a lambda of a task record may be made of: exactly what the published records use, and nothing else.

A record is a file from somewhere; its text is never handed to Python. It is parsed, every node is looked at here,
and what passes is walked by `lambdas.py`. `__import__` is no name of this grammar: its three published uses are
shapes of their own. Two stand for a square root and for today's date. The third looks from the frames of upstream's
evaluator at its screen, and says itself that the result is false where there is no such frame; here there is none.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import Literal

from .lambda_work import MAX_BITS

MAX_SOURCE = 4_000  # characters; the longest published one has 507
MAX_DEPTH = 40
MAX_BRACKETS = 60  # that are open at a time
METHODS = frozenset({"endswith", "startswith", "split", "join", "strip", "lower", "get"})
FUNCTIONS = frozenset({"abs", "any", "all", "dict", "isinstance", "len", "range", "str"})
TYPES = {"dict": dict, "list": list, "str": str}  # that `isinstance` is asked about
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
    ast.DictComp,
    ast.Lambda,
    ast.List,
    ast.Tuple,
    ast.NamedExpr,
    ast.Constant,
    ast.Name,
    ast.Call,
)
OPERATORS: tuple[type[ast.AST], ...] = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.Pow),
    *(ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.In, ast.NotIn, ast.Is, ast.IsNot),
    *(ast.And, ast.Or, ast.USub),
)

Special = Literal["sqrt", "today", "elsewhere"]


class Forbidden(ValueError):
    """The text is no lambda of the allowed kind; the sentence says what is wrong."""


def parse(source: str) -> ast.Lambda:
    """Return the lambda that a text is, looked at down to its last node.

    Raises:
        Forbidden: It is too long, no lambda, or holds something that is not allowed.
    """
    if len(source) > MAX_SOURCE:
        raise Forbidden(f"the lambda has {len(source)} characters, at most {MAX_SOURCE} are allowed")
    _brackets(source)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(source.strip(), mode="eval").body
        if not isinstance(tree, ast.Lambda):
            raise Forbidden(f"a lambda is expected, not {_named(tree)}")
        _parameters(tree.args)
        _look(tree.body, 1)
        _functions(tree)
    except Forbidden:
        raise
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError) as error:  # of a deep text
        raise Forbidden(f"this is no Python expression: {error}") from None
    return tree


def _functions(tree: ast.Lambda) -> None:
    """Refuse calls of names that are no function of ours and that nothing in the lambda binds."""
    nodes = list(_within(tree))
    bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=name)) if name not in FUNCTIONS | bound:
                raise Forbidden(f"the function {name} is not allowed")


def _within(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not (isinstance(node, ast.Call) and special(node)):
        for child in ast.iter_child_nodes(node):
            yield from _within(child)


def _brackets(source: str) -> None:
    """Refuse what Python's parser could take long for."""
    depth = 0
    for sign in source:
        depth += (sign in "([{") - (sign in ")]}")
        if depth > MAX_BRACKETS:
            raise Forbidden(f"more than {MAX_BRACKETS} brackets are open at a time")


def special(call: ast.Call) -> Special | None:
    """Return which of the three published uses of `__import__` a call is, None for any other call."""
    if isinstance(call.func, ast.Lambda):
        return "elsewhere" if _elsewhere(call.func, call.args) else None
    if not (isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)):
        return None
    if ast.dump(call.func) == _SQRT and len(call.args) == 1 and not call.keywords:
        return "sqrt"
    return "today" if ast.dump(call) == _TODAY else None


def _elsewhere(function: ast.Lambda, arguments: list[ast.expr]) -> bool:
    """Whether a lambda is given a frame of upstream's evaluator, and is false where there is none."""
    if len(arguments) != 1 or len(function.args.args) != 1 or ast.dump(arguments[0]) != _FRAME:
        return False
    match function.body:
        case ast.IfExp(test=ast.BoolOp(op=ast.Or(), values=[test, *_]), body=ast.Constant(value=False)):
            return ast.dump(test) == ast.dump(_dumped(f"{function.args.args[0].arg} is None"))
    return False


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
        case ast.Constant(value=value):
            _constant(value)
        case ast.Name(id=name):
            _known(name)
        case ast.ListComp() | ast.DictComp():
            _look_at_comprehension(node, depth)
            return
        case ast.Lambda(args=arguments, body=body):
            _parameters(arguments)
            _look(body, depth + 1)
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


def _constant(value: object) -> None:
    if type(value) not in CONSTANTS:
        raise Forbidden(f"a constant of the kind {type(value).__name__} is not allowed")
    if isinstance(value, int) and value.bit_length() > MAX_BITS:
        raise Forbidden(f"a number of more than {MAX_BITS} bits is not allowed")


def _known(name: str) -> None:
    """Refuse the names that Python keeps for itself; one that nothing binds is found missing when it is used."""
    if name.startswith("__"):
        raise Forbidden(f"the name {name} is not allowed")


def _look_at_call(call: ast.Call, depth: int) -> None:
    which = special(call)
    if call.keywords or any(isinstance(argument, ast.Starred) for argument in call.args):
        raise Forbidden("a call takes plain arguments only")
    match call.func:
        case _ if which:
            pass
        case ast.Name(id="isinstance"):
            _isinstance(call.args)
        case ast.Name(id=name):
            _known(name)
        case ast.Lambda() as function:
            _look(function, depth + 1)
        case ast.Attribute(value=value, attr=method) if method in METHODS:
            _look(value, depth + 1)
        case ast.Attribute(attr=name):
            raise Forbidden(f"the method {name} is not allowed")
        case other:
            raise Forbidden(f"a call of {_named(other)} is not allowed")
    for argument in () if which in ("today", "elsewhere") else call.args:
        _look(argument, depth + 1)


def _isinstance(arguments: list[ast.expr]) -> None:
    match arguments:
        case [_, ast.Name(id=name)] if name in TYPES:
            return
    raise Forbidden(f"isinstance asks of one value whether it is one of {', '.join(TYPES)}")


def _look_at_comprehension(node: ast.ListComp | ast.DictComp, depth: int) -> None:
    made = [node.elt] if isinstance(node, ast.ListComp) else [node.key, node.value]
    if any(isinstance(inner, ast.NamedExpr) for inner in ast.walk(node)):
        raise Forbidden("a comprehension binds no names but its own")
    for loop in node.generators:
        if loop.is_async or not isinstance(loop.target, ast.Name):
            raise Forbidden("a loop of a comprehension is plain and binds one name")
        _own_name(loop.target.id)
        made += [loop.iter, *loop.ifs]
    for part in made:
        _look(part, depth + 1)


def _named(node: ast.AST) -> str:
    return type(node).__name__


def _dumped(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


_FRAME = ast.dump(_dumped("__import__('inspect').currentframe().f_back.f_back"))
_SQRT = ast.dump(_dumped("__import__('math').sqrt"))
_TODAY = ast.dump(_dumped(f"__import__('datetime').datetime.today().strftime('{DATE_FORMAT}')"))
