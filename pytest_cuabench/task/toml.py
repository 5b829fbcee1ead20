"""Strict TOML files: all mistakes of one are told at once, each with its line, its key and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

from pydantic import BaseModel, ValidationError

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.bounded import parse_toml
from pytest_cuabench.task.names import did_you_mean

_Model = TypeVar("_Model", bound=BaseModel)
Key = tuple[str | int, ...]


def read_strict(file: Path, model: type[_Model], table: Sequence[str] = ()) -> _Model:
    """Read a TOML file, or one table of it, into a model that knows every allowed key.

    Raises:
        SettingError: It is missing, no TOML, has no such table, or does not fit the model.
    """
    text = _text(file)
    data: Any = _parsed(file, text)
    for name in table:
        data = data.get(name) if isinstance(data, dict) else None
    if not isinstance(data, dict):
        raise SettingError(f"{file} has no table [{'.'.join(table)}]; add it or use another file")
    return fit_strict(data, model, str(file), text, table)


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingError: It is missing, or no TOML.
    """
    return _parsed(file, _text(file))


def fit_strict(
    data: Mapping[str, Any], model: type[_Model], place: str, text: str = "", table: Sequence[str] = ()
) -> _Model:
    """Fit what a TOML file says, or a table of it, into a model that knows every allowed key.

    Args:
        place: The file, or what else the sentences begin with.
        text: The text of the file, to tell the lines of mistakes.
        table: Where `data` stands in the file.

    Raises:
        SettingError: It does not fit; there is a sentence for each mistake.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        mistakes = [
            ((*table, *each["loc"]), _sentence(dict(each), data, model, table)) for each in error.errors()
        ]
    lines = lines_of(text) if text else {}
    raise SettingError("\n".join(f"{_at(place, key, lines)}: {sentence}" for key, sentence in mistakes))


def lines_of(text: str) -> dict[Key, int]:
    """Return the line of every table and key in a TOML text; the entries of arrays of tables are numbered from 0."""
    found: dict[Key, int] = {}
    table: Key = ()
    lengths: dict[Key, int] = {}
    for line, statement, data in _statements(text):
        if statement.lstrip().startswith("["):
            table = _table(data, lengths, grows=statement.lstrip().startswith("[["))
            data = {}
        for key in [table, *((*table, *key) for key in _keys(data))]:
            for length in range(1, len(key) + 1):
                found.setdefault(key[:length], line)
    return found


def _statements(text: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the first line of each statement, its text and what it says by itself."""
    # `tomllib` tells no lines, so each statement is parsed by itself, with more lines until it is whole.
    first, statement = 1, ""
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not statement.strip():
            first, statement = number, ""
        statement += line
        try:
            data = parse_toml(statement)
        except ValueError:  # it goes on in the next line
            continue
        if data:
            yield first, statement, data
        statement = ""


def _table(data: Mapping[str, Any], lengths: dict[Key, int], *, grows: bool) -> Key:
    """Return the place of the table that a header opens, where `lengths` counts the arrays of tables above it."""
    key: Key = ()
    inner: Any = data
    while inner:
        name, inner = next(iter(inner.items()))
        key = (*key, name)
        if isinstance(inner, list):  # the last name of a [[header]]
            inner = inner[0]
            lengths[key] = lengths.get(key, 0) + grows
        if key in lengths:
            key = (*key, lengths[key] - 1)
    return key


def _keys(data: Any) -> Iterator[Key]:
    """Yield the place of every value within tables and arrays."""
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, value in entries:
        yield (name,)
        yield from ((name, *key) for key in _keys(value))


def _at(place: str, key: Key, lines: Mapping[Key, int]) -> str:
    """Return a place with the line of a key, or of the nearest table around it, which may be the file as a whole."""
    around = (key[:length] for length in range(len(key), 0, -1))
    line = next((lines[each] for each in around if each in lines), min(lines.values(), default=None))
    return f"{place}:{line}" if line else place


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingError(f"{file} is missing") from None
    except OSError as error:
        raise SettingError(f"cannot read {file}: {error.strerror}") from None
    except ValueError as error:
        raise SettingError(f"{file} is not valid TOML: {error}") from None


def _parsed(file: Path, text: str) -> dict[str, Any]:
    try:
        return parse_toml(text)
    except ValueError as error:
        raise SettingError(f"{file} is not valid TOML: {error}") from None


def _sentence(
    error: Mapping[str, Any], data: Mapping[str, Any], model: type[BaseModel], table: Sequence[str]
) -> str:
    place = ".".join(map(str, (*table, *error["loc"]))) or "the file"
    if error["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        known = _siblings(model, error["loc"])
        near = did_you_mean(str(error["loc"][-1]), known)
        return f"unknown key {place}; known: {', '.join(known)}{near}"
    if error["type"] == "missing":
        return f"{place} is missing"
    message = error["msg"].removeprefix("Value error, ")
    entry = _task_id(data, error["loc"])
    return f"{place}{entry}: {message[0].lower()}{message[1:]}{_not_this(error)}"


def _not_this(error: Mapping[str, Any]) -> str:
    """Return what stands there instead of what is allowed, and the word that may be meant."""
    value = error["input"]
    if error["type"] == "value_error" or not isinstance(value, str | int | float):
        return ""
    words = re.findall(r"'([^']*)'", error.get("ctx", {}).get("expected", ""))
    return f", not {value!r}" + (did_you_mean(value, words) if isinstance(value, str) else "")


def _task_id(data: Mapping[str, Any], place: Key) -> str:
    if len(place) > 1 and place[0] == "task" and isinstance(place[1], int):
        entry = data["task"][place[1]]
        return f" (task {entry.get('id', '?')})" if isinstance(entry, dict) else ""
    return ""


def _siblings(model: type[Any], place: Key) -> list[str]:
    """Return the keys allowed beside the offending one."""
    for part in place[:-1]:
        annotation = _fields(model).get(str(part))  # none: the index of a list, or the name of a table
        model = _model_within(annotation) or model
    return sorted(_fields(model))


def _fields(model: type[Any]) -> dict[str, Any]:
    if issubclass(model, BaseModel):
        return {name: field.annotation for name, field in model.model_fields.items()}
    return get_type_hints(model)


def _model_within(annotation: Any) -> type[Any] | None:
    """Return the model or data class in an annotation such as `tuple[Model, ...] | None`."""
    if isinstance(annotation, type) and (issubclass(annotation, BaseModel) or is_dataclass(annotation)):
        return annotation
    return next(filter(None, map(_model_within, get_args(annotation))), None)
