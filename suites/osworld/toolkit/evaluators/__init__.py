"""The evaluators that records may name: functions of evidence with typed options, and nothing else.

An evaluator returns what is wrong as a sentence, or None if what the record asks for holds. Its first argument is the
`result`, its second one (if it has two) the `expected`; `bytes` is the content of a file, which is None if there is no
such file on the desktop. Anything else is a rule of the record, which is checked against the type when it is read; so
are the options, which are keyword arguments.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from pytest_cuabench.errors import SettingError

from ..records import Unsupported

try:
    from . import browser, data, pictures, settings, slides, tables, texts
except ModuleNotFoundError as error:
    raise SettingError(
        f"records of OSWorld need the module {error.name}; type: pip install 'pytest-cuabench[osworld]'"
    ) from None

Fault = str | None
_MODULES = (browser, data, pictures, settings, slides, tables, texts)


@dataclass(frozen=True, slots=True)
class Evaluator:
    """One evaluator with the types of its arguments; `expected` is None for one that has none."""

    name: str
    function: Callable[..., Fault]
    result: Any
    expected: Any
    options: Mapping[str, TypeAdapter[Any]] = field(repr=False)

    @property
    def reads_file(self) -> bool:
        """Whether the result is the content of a file."""
        return bool(self.result == bytes | None)

    @property
    def compares_files(self) -> bool:
        """Whether the expected value is the content of a file, too."""
        return self.expected in (bytes, bytes | None)

    def rules(self, given: Any) -> Any:
        """Return the rules of a record, typed.

        Raises:
            Unsupported: They are of another form.
        """
        return _typed(TypeAdapter(self.expected), given, self.name, "rules")

    def typed_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of a record, typed.

        Raises:
            Unsupported: One is unknown, or of another form.
        """
        for name in given:
            if name not in self.options:
                raise Unsupported("options", f"{self.name}.{name}")
        return {name: _typed(self.options[name], value, self.name, name) for name, value in given.items()}


def evaluator(name: str) -> Evaluator:
    """Return the evaluator of a name.

    Raises:
        Unsupported: It is unknown.
    """
    if name not in known():
        raise Unsupported("evaluators", name)
    return known()[name]


@cache
def known() -> Mapping[str, Evaluator]:
    """Return all evaluators by name."""
    return {
        name: _described(name, function)
        for module in _MODULES
        for name, function in module.EVALUATORS.items()
    }


def _described(name: str, function: Callable[..., Fault]) -> Evaluator:
    types = get_type_hints(function)
    parameters = inspect.signature(function).parameters.values()
    first, *rest = [one.name for one in parameters if one.kind is not inspect.Parameter.KEYWORD_ONLY]
    options = {
        one.name: TypeAdapter(types[one.name])
        for one in parameters
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    }
    return Evaluator(name, function, types[first], types[rest[0]] if rest else None, options)


def _typed(adapter: TypeAdapter[Any], value: Any, name: str, what: str) -> Any:
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise Unsupported("options", f"{name}.{what}", f"{where}: {first['msg']}".lstrip(": ")) from None
