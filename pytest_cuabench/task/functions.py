"""The Python file of a task: names and signatures are read without import; functions are imported when called.

    def case(state, random) -> Values            the values for goal and check, taken from the world's state
    def case(state, random, values) -> Values    the same in a template, with the values of one of its tasks
    def check(evidence, case) -> Findings        milestones and violations
    async def solve(pilot, case)                 the reference solution
    def setup(random) -> steps                   steps that prepare the world, beyond its seed (optional)
    def setup(random, values) -> steps           the same in a template, if it needs the task's values
    def upstream(evidence, case) -> Findings     the check by the benchmark authors' rules (optional)
    def infeasible(state, values) -> bool        whether the task is impossible in this world (optional)
    @wrong("dimension/severity") async def ...   a plausible wrong solution, and why it has to fail
    @also async def ...                          a further, independent solution

Any of them may be imported from another module instead of defined, and other functions begin with an underscore.
"""

from __future__ import annotations

import dis
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any, overload

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.case import Case, Solution, Wrong
from pytest_cuabench.task.names import did_you_mean
from pytest_cuabench.task.tracebacks import told

_CHECK = ("evidence", "case")
_SOLUTION = ("pilot", "case")
SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "case": ("state", "random"),
    "check": _CHECK,
    "solve": _SOLUTION,
    "setup": ("random",),
    "upstream": _CHECK,
    "infeasible": ("state", "values"),
}
_REQUIRED = {"case", "check", "solve"}


@dataclass(frozen=True)
class Functions:
    """The functions of one Python file of a suite, by name.

    Attributes:
        module: Its full name, under which it is imported.
    """

    file: Path
    module: str
    code: CodeType = field(repr=False)

    @cached_property
    def defined(self) -> Mapping[str, CodeType]:
        """The functions that are defined at the top of the file."""
        constants = (each for each in self.code.co_consts if isinstance(each, CodeType))
        # The code of a class lacks this flag.
        return {each.co_name: each for each in constants if each.co_flags & inspect.CO_NEWLOCALS}

    def __contains__(self, name: str) -> bool:
        return name in self.defined or name in self.code.co_names

    @cached_property
    def imported(self) -> Mapping[str, Any]:
        """The file's names and their values, imported when first asked for.

        Raises:
            SettingError: The import fails.
        """
        try:
            return vars(importlib.import_module(self.module))
        except Exception as error:
            package = error.name if isinstance(error, ModuleNotFoundError) else None
            advice = f"; if the name is right, type: pip install {package}" if package else ""
            raise SettingError(f"cannot import {self.file}: {told(error)}{advice}") from error

    def late(self, name: str) -> LazyFunction:
        """Return a function of the file that is imported when it is first called."""
        return LazyFunction(self, name)

    def setup(self, values: Mapping[str, Any]) -> LazyFunction | None:
        """Return the setup of a task with these values, if the file has one."""
        if "setup" not in self:
            return None
        return LazyFunction(self, "setup", (values,) if self.setup_takes_values else ())

    def get(self, name: str) -> Callable[..., Any]:
        """Return a function of the file.

        Raises:
            SettingError: The import fails, or there is no such function.
        """
        function = self.imported.get(name)
        if not callable(function):
            raise SettingError(f"{self.file}: no function named {name}")
        return function  # type: ignore[no-any-return]

    def wrong(self) -> Iterator[Wrong]:
        """Yield the file's wrong solutions, including imported ones."""
        for name, function in self.imported.items():
            if declared := getattr(function, "fails_for", None):
                reason, score = declared
                yield Wrong(name, reason, function, score)

    @property
    def setup_takes_values(self) -> bool:
        """Whether the setup of a template is given the values of the task."""
        function = self.defined.get("setup")
        return function is not None and _taken(function) == (*SIGNATURES["setup"], "values")

    def also(self) -> Iterator[tuple[str, Solution]]:
        """Yield the file's further solutions by name."""
        for name, function in self.imported.items():
            if getattr(function, "solves_too", False):
                yield name, function

    def faults(self, *, template: bool) -> Iterator[str]:
        """Yield the errors in names and signatures of a task's file, each with file and line.

        Args:
            template: Whether the tasks have values, which `case` is given, or which are the case without one.
        """
        for name in sorted(_REQUIRED):
            if name not in self and not (template and name == "case"):
                yield f"{self.file}: {_written(name, _parameters(name, template))} is missing{self._near(name)}"
        for name in sorted(SIGNATURES.keys() - _REQUIRED):
            if name not in self and (near := self._near(name, SIGNATURES[name])):
                yield f"{self.file}: not a function name of tasks{near}"
        for name in SIGNATURES:
            if not (template and name == "setup" and self.setup_takes_values):
                yield from self.signature_faults(name, _parameters(name, template))

    @cached_property
    def offered(self) -> frozenset[str]:
        """The public functions of the file, with those that are another name of one (`letter = mail = note`)."""
        names, named = set(self.defined), False
        for step in dis.get_instructions(self.code):
            if step.opname == "STORE_NAME" and named:
                names.add(step.argval)
            elif step.opname != "COPY":  # of a value that is given to several names
                named = step.opname == "LOAD_NAME" and step.argval in self.defined
        return frozenset(name for name in names if not name.startswith("_"))

    def unknown(self, tasks: Iterable[str]) -> Iterator[str]:
        """Yield the errors in the names and signatures of second solutions, which are named as one of these tasks."""
        known = set(tasks)
        for name in sorted(self.offered):
            yield from self.signature_faults(name, _SOLUTION)
            if name not in known:
                yield f"{self.file}: {name} is not a task of the application{did_you_mean(name, known)}"

    def signature_faults(self, name: str, expected: tuple[str, ...]) -> Iterator[str]:
        """Yield the errors in the signature of a function defined in the file."""
        function = self.defined.get(name)
        if function is None:
            return
        found = _taken(function)
        awaited = bool(function.co_flags & inspect.CO_COROUTINE)
        right = (found, awaited) == (expected, expected == _SOLUTION)
        if not right and not self._decorated(function):  # a decorator may change the signature
            shown = f"{'async ' * awaited}def {name}({', '.join(found)})"
            near = "".join(did_you_mean(each, expected) for each in found if each not in expected)
            yield (
                f"{self.file}:{function.co_firstlineno}: expected {_written(name, expected)}, not {shown}{near}"
            )

    def _decorated(self, function: CodeType) -> bool:
        lines = self.file.read_text(encoding="utf-8").splitlines()
        # The first line of a decorated function is that of its first decorator.
        return lines[function.co_firstlineno - 1].startswith("@")

    def _near(self, name: str, parameters: tuple[str, ...] = ()) -> str:
        """Return the public function that may be meant by a fixed name, with its line."""
        for other, function in self.defined.items():
            if (
                other.startswith("_")
                or other in SIGNATURES
                or (parameters and _taken(function) != parameters)
            ):
                continue
            if did_you_mean(other, [name]):
                return f"; did you mean {name!r} by {other!r} (line {function.co_firstlineno})?"
        return ""


def read_functions(file: Path, module: str) -> Functions:
    """Read a Python file without importing it.

    Raises:
        SettingError: The file is missing, or not valid Python.
    """
    try:
        # Like an import, this reads the compiled code from `__pycache__`, and keeps it there.
        code = SourceFileLoader(module, str(file)).get_code(module)
    except FileNotFoundError:
        raise SettingError(f"{file} is missing") from None
    except SyntaxError as error:
        raise SettingError(f"{file}:{error.lineno}: {error.msg}") from None
    except (OSError, ValueError) as error:
        raise SettingError(f"cannot read {file}: {error}") from None
    assert code is not None
    return Functions(file, module, code)


@dataclass(frozen=True)
class LazyFunction:
    """A function of a suite, imported on the first call; `more` are arguments after those of the call."""

    functions: Functions
    name: str
    more: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        return self.functions.get(self.name)(*arguments, *self.more)

    @property
    def __code__(self) -> CodeType | None:  # where errors of what it returns are said to be
        return self.functions.defined.get(self.name)


@dataclass(frozen=True)
class Second:
    """A second solution, by somebody who has not read the check: of the case it gets what the goal tells.

    Attributes:
        told: Names of the values in the goal.
    """

    solution: LazyFunction
    told: frozenset[str]

    async def __call__(self, pilot: Any, case: Case) -> None:
        shown = {name: value for name, value in case.values.items() if name in self.told}
        await self.solution(pilot, Case(case.goal, shown))

    @property
    def __code__(self) -> CodeType | None:  # where its errors are said to be
        return self.solution.__code__


class WrongSolutions(Sequence[Wrong]):
    """The wrong solutions of a task, imported on first access."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions

    @cached_property
    def _found(self) -> tuple[Wrong, ...]:
        return tuple(self._functions.wrong())

    @overload
    def __getitem__(self, index: int) -> Wrong: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Wrong, ...]: ...
    def __getitem__(self, index: int | slice) -> Wrong | tuple[Wrong, ...]:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)


def _taken(function: CodeType) -> tuple[str, ...]:
    """Return the names of a function's parameters, where an underscore before a name says that it is not used."""
    return tuple(each.lstrip("_") for each in function.co_varnames[: function.co_argcount])


def _parameters(name: str, template: bool) -> tuple[str, ...]:
    return (*SIGNATURES[name], "values") if template and name == "case" else SIGNATURES[name]


def _written(name: str, parameters: Iterable[str]) -> str:
    awaited = "async " if tuple(parameters) == _SOLUTION else ""
    return f"{awaited}def {name}({', '.join(parameters)})"
