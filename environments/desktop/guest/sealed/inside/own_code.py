"""Watches which code runs in a program, and tells the judge before it is code that others brought.

It uses Python's audit events, which no code can switch off. Code is the program's own if its file lies in a folder
that only the system can write. Text that the program itself compiles for its user, such as an expression for labels,
may do no more than compute with names, or call one of the program's own commands with plain values: these lead to no
other code without an event of their own.
"""

from __future__ import annotations

import ast
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_SYSTEM = ("/usr/lib/", "/usr/share/", "<frozen ")
_IMPORTS = "<frozen importlib"  # the files of the machinery that loads modules
_CODE_FILES = (".py", ".pyc", ".pyo", ".so", ".pth")
_PASSED_ON = (  # of the standard library
    "code.py", "codeop.py", "rlcompleter.py", "runpy.py", "timeit.py", "pdb.py", "bdb.py", "cProfile.py", "profile.py",
    "trace.py", "doctest.py",
)  # fmt: skip
_HARMLESS = (
    ast.Module, ast.Expression, ast.Interactive, ast.Expr, ast.Constant, ast.Name, ast.expr_context, ast.Tuple,
    ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.BinOp, ast.operator, ast.BoolOp, ast.boolop, ast.Compare,
    ast.cmpop,
    ast.IfExp, ast.JoinedStr, ast.FormattedValue, ast.keyword, ast.Slice, ast.Subscript,
    ast.Assign, ast.AugAssign, ast.Pass,
)  # fmt: skip

_FUNCTIONS = (
    "abs", "dict", "float", "int", "len", "list", "max", "min", "print", "repr", "round", "set", "sorted", "str", "sum",
    "tuple",
)  # fmt: skip
_GROWING = ("add", "append")  # methods of lists and sets

Tell = Callable[[str], None]


class OwnCode:
    """The rule of one program.

    Attributes:
        own: The beginning of the names of the program's own files, beside the system's.
        interpreters: Beginnings of those files of them that compile what a user types or opens.
        commands: Names of objects whose methods may be called with plain values.
        getters: Those of their methods that return another such object.
        stores: Names of objects that hold a user's values.
        classes: The classes whose objects an opened file may hold.
        texts: Code that the program itself compiles from a text.
    """

    def __init__(
        self,
        tell: Tell,
        own: str,
        interpreters: tuple[str, ...],
        commands: tuple[str, ...] = (),
        getters: tuple[str, ...] = (),
        stores: tuple[str, ...] = (),
        classes: tuple[str, ...] = (),
        texts: tuple[bytes | str, ...] = (),
    ) -> None:
        self._tell, self._system = tell, (*_SYSTEM, own)
        self._interpreters, self._stores = interpreters, stores
        self._commands, self._getters = commands, getters
        self._classes, self._texts = classes, texts
        self._here = threading.local()
        self._told = False

    def watch(self) -> None:
        """Watch from now on."""
        sys.addaudithook(self._event)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Do not judge what this thread does, since it is ours."""
        before, self._here.busy = getattr(self._here, "busy", False), True
        try:
            yield
        finally:
            self._here.busy = before

    def _event(self, event: str, arguments: tuple[Any, ...]) -> None:
        check = _CHECKS.get(event)
        if check is None or self._told or getattr(self._here, "busy", False):
            return
        caller = sys._getframe(1).f_code.co_filename
        with self.aside():
            try:
                why = check(self, caller, *arguments)
            except Exception as error:
                why = f"{event} could not be judged ({type(error).__name__})"
            if why is not None:
                self._told = True
                self._tell(why)

    def _compiled(self, caller: str, source: Any, name: Any) -> str | None:
        if self._is_own(name) or not self._is_users(caller) or isinstance(source, ast.AST):
            return None
        if source is None or not (source in self._texts or self.harmless(source)):
            instead = " (its commands, print and lists of one's own may be used)" if self._commands else ""
            return f"Python code of others runs in it: {str(source).strip()[:80]!r}{instead}"
        return None

    def _opened(self, caller: str, name: Any, *rest: Any) -> str | None:
        """Judge the files that are loaded as code."""
        if isinstance(name, bytes):
            name = name.decode(errors="replace")
        if not isinstance(name, str) or not name.endswith(_CODE_FILES) or not caller.startswith(_IMPORTS):
            return None
        return None if self._is_own(name) else f"a module of others is loaded in it: {name}"

    def _imported(self, caller: str, module: str, name: str | None, *rest: Any) -> str | None:
        return None if name is None or self._is_own(name) else f"a module of others is loaded in it: {name}"

    def _linked(self, caller: str, name: Any) -> str | None:
        """Judge a library that ctypes loads; one without a folder is the system's."""
        if name is None or "/" not in str(name) or self._is_own(name):
            return None
        return f"a library of others is loaded in it: {name}"

    def _unmarshalled(self, caller: str, *content: Any) -> str | None:
        return None if caller.startswith(_IMPORTS) else "compiled code of others is read in it"

    def _unpickled(self, caller: str, module: str, name: str) -> str | None:
        named = f"{module}.{name}"
        return None if named in self._classes else f"a file opened in it names {named}"

    def _is_own(self, name: Any) -> bool:
        return isinstance(name, str) and name.startswith(self._system) and "/.." not in name

    def _is_users(self, caller: str) -> bool:
        """Whether a file compiles what users give it."""
        return (
            not self._is_own(caller) or caller.startswith(self._interpreters) or caller.endswith(_PASSED_ON)
        )

    def harmless(self, text: str | bytes) -> bool:
        """Whether a text can do no more than compute, or call commands with plain values."""
        try:
            nodes = list(ast.walk(ast.parse(text.strip())))
        except (SyntaxError, ValueError):
            return True  # it will not run either
        called = {
            id(node.func) for node in nodes if isinstance(node, ast.Call) and self._is_command(node.func)
        }
        return all(id(node) in called or self._is_harmless(node) for node in nodes)

    def _is_harmless(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Name):
            fixed = (*self._commands, *self._stores, *_FUNCTIONS)
            return "__" not in node.id and (isinstance(node.ctx, ast.Load) or node.id not in fixed)
        if isinstance(node, ast.Call):
            return self._is_command(node.func)
        return isinstance(node, _HARMLESS) or self._is_stored(node)

    def _is_command(self, function: ast.AST) -> bool:
        """Whether a function is such as `cmd.show`, `found.append`, `stored.found.append`, `", ".join` or `print`."""
        if isinstance(function, ast.Name):
            return function.id in _FUNCTIONS
        if not isinstance(function, ast.Attribute) or function.attr.startswith("_"):
            return False
        of = function.value
        if isinstance(of, ast.Name):
            return of.id in self._commands or (function.attr in _GROWING and self._is_users_own(of))
        if isinstance(of, ast.Constant):
            return isinstance(of.value, str) and function.attr == "join"
        return self._is_getter(of) or (function.attr in _GROWING and self._is_stored(of))

    def _is_users_own(self, name: ast.Name) -> bool:
        """Whether a name may hold a list; no more can be done to it than by way of a store, so only where one is."""
        return bool(self._stores) and name.id not in self._stores and self._is_harmless(name)

    def _is_getter(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Call) or node.args or not isinstance(node.func, ast.Attribute):
            return False
        return node.func.attr in self._getters and self._is_command(node.func)

    def _is_stored(self, node: ast.AST) -> bool:
        if not isinstance(node, ast.Attribute) or node.attr.startswith("_"):
            return False
        return isinstance(node.value, ast.Name) and node.value.id in self._stores


_CHECKS: dict[str, Callable[..., str | None]] = {
    "compile": OwnCode._compiled,
    "open": OwnCode._opened,
    "import": OwnCode._imported,
    "ctypes.dlopen": OwnCode._linked,
    "marshal.loads": OwnCode._unmarshalled,
    "marshal.load": OwnCode._unmarshalled,
    "pickle.find_class": OwnCode._unpickled,
}
