"""Marker expressions such as `hard and task(domain='ICU')`, on what was planned or recorded.

The expression is pytest's own, as of `-m`; what it asks for is read from the record, so that a run can be judged
where its suite is not installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.mark import expression

from pytest_cuabench.collect import marker_names
from pytest_cuabench.errors import SettingError

if TYPE_CHECKING:
    from pytest_cuabench.ledger import Attempt
    from pytest_cuabench.plan import Planned

_TASK = ("id", "suite", "application", "domain", "difficulty", "variant", "seed", "template")
_MALFORMED = (SyntaxError, pytest.UsageError, getattr(expression, "ParseError", SyntaxError))


@dataclass(frozen=True, slots=True)
class Where:
    """A compiled expression."""

    text: str
    _compiled: expression.Expression

    @classmethod
    def compile(cls, text: str) -> Where:
        """Compile an expression.

        Raises:
            SettingError: It is malformed, or asks a task for something that tasks do not have.
        """
        try:
            compiled = expression.Expression.compile(text)
            compiled.evaluate(_Names())
        except _MALFORMED as error:
            raise SettingError(f"{text!r} is no marker expression: {error}") from None
        return cls(text, compiled)

    def __call__(self, instance: Attempt | Planned) -> bool:
        """Whether an instance is meant."""
        return self._compiled.evaluate(_Markers(instance))


class _Names:
    """Knows no marker, but what may be asked of one."""

    def __call__(self, name: str, /, **about: Any) -> bool:
        if about and name != "task":
            raise SettingError(f"only task(...) has arguments, and {name}({next(iter(about))}=...) has not")
        if unknown := sorted(set(about) - set(_TASK)):
            raise SettingError(f"task({unknown[0]}=...) is not known; known: {', '.join(_TASK)}")
        return False


class _Markers:
    """The markers of one instance."""

    def __init__(self, instance: Attempt | Planned) -> None:
        self._names = {"task", *marker_names(instance, instance.variant, instance.labels), *instance.markers}
        self._task = {name: getattr(instance, name) for name in _TASK[1:]}
        self._task["id"] = f"{instance.application}/{instance.task}"

    def __call__(self, name: str, /, **about: Any) -> bool:
        return name in self._names and all(self._task[key] == value for key, value in about.items())
