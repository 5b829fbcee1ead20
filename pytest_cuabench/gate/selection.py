"""Marker expressions such as `hard and task(domain='ICU')`, evaluated on planned or recorded instances.

The syntax is that of pytest's `-m`; values are read from the record, so that a run can be judged where its suite is
not installed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.mark import expression

from pytest_cuabench.errors import SettingError
from pytest_cuabench.ledger.markers import marker_names
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.text import short

if TYPE_CHECKING:
    from pytest_cuabench.ledger.plan import Planned

_TASK = ("id", "suite", "application", "domain", "difficulty", "variant", "seed", "template")
# What an expression that cannot be read raises depends on pytest's version.
_MALFORMED = (SyntaxError, pytest.UsageError, getattr(expression, "ParseError", SyntaxError))


@dataclass(frozen=True, slots=True)
class Where:
    """A compiled marker expression."""

    text: str
    _compiled: expression.Expression

    @classmethod
    def compile(cls, text: str) -> Where:
        """Compile a marker expression.

        Raises:
            SettingError: The expression is malformed, or uses an unknown argument of `task`.
        """
        try:
            compiled = expression.Expression.compile(text)
            for truth in (False, True):  # either leaves out what the other decides
                compiled.evaluate(_Names(truth))
        except (*_MALFORMED, RecursionError, MemoryError) as error:
            problem = "it is nested too deeply" if isinstance(error, RecursionError | MemoryError) else error
            raise SettingError(
                f"{short(repr(text), 100)} is not a valid marker expression: {problem}"
            ) from None
        return cls(text, compiled)

    def __call__(self, item: Planned) -> bool:
        """Whether an instance matches."""
        return self._compiled.evaluate(_Markers(item))


@dataclass(frozen=True, slots=True)
class _Names:
    """Markers of all instances or of none, to check an expression's arguments."""

    truth: bool

    def __call__(self, name: str, /, **about: Any) -> bool:
        _check(name, about)
        return self.truth


def _check(name: str, about: Iterable[str]) -> None:
    if name != "task" and (first := next(iter(about), "")):
        raise SettingError(f"{name}({first}=...): only task(...) takes arguments")
    if unknown := sorted(set(about) - set(_TASK)):
        raise SettingError(f"task: {unknown_name('argument', unknown[0], _TASK)}")


class _Markers:
    """The markers of one instance."""

    def __init__(self, item: Planned) -> None:
        self._names = {"task", *marker_names(item), *item.markers}
        self._task = {name: getattr(item, name) for name in _TASK[1:]}
        self._task["id"] = f"{item.application}/{item.task}"

    def __call__(self, name: str, /, **about: Any) -> bool:
        _check(name, about)
        return name in self._names and all(self._task[key] == value for key, value in about.items())
