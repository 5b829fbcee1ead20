"""TOML files read strictly: whatever is wrong with one is a sentence with the file, the key and what is allowed."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from pytest_cuabench.errors import SettingError

_Model = TypeVar("_Model", bound=BaseModel)


def read_strict(file: Path, model: type[_Model]) -> _Model:
    """Read a TOML file into a model that knows every allowed key.

    Raises:
        SettingError: It is missing, no TOML, or does not fit the model.
    """
    return fit_strict(read_toml(file), model, str(file))


def read_toml(file: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises:
        SettingError: It is missing, or no TOML.
    """
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingError(f"{file} is missing") from None
    except OSError as error:
        raise SettingError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingError(f"{file} is not valid TOML: {error}") from None


def fit_strict(data: Mapping[str, Any], model: type[_Model], place: str) -> _Model:
    """Fit what a TOML file says, or a table of it, into a model that knows every allowed key.

    Raises:
        SettingError: It does not fit.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise SettingError(f"{place}: {_sentence(error, data, model)}") from None


def _sentence(error: ValidationError, data: Mapping[str, Any], model: type[BaseModel]) -> str:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "the file"
    if first["type"] == "extra_forbidden":
        return f"{place} is not a known key; known there: {', '.join(_siblings(model, first['loc']))}"
    if first["type"] == "missing":
        return f"{place} is missing"
    value = f", not {first['input']!r}" if isinstance(first["input"], str | int | float) else ""
    entry = _task_id(data, first["loc"])
    return f"{place}{entry}: {first['msg'][0].lower()}{first['msg'][1:]}{value}"


def _task_id(data: Mapping[str, Any], place: tuple[str | int, ...]) -> str:
    if len(place) > 1 and place[0] == "task" and isinstance(place[1], int):
        entry = data["task"][place[1]]
        return f" (task {entry.get('id', '?')})" if isinstance(entry, dict) else ""
    return ""


def _siblings(model: type[BaseModel], place: tuple[str | int, ...]) -> list[str]:
    """Return the keys allowed beside the offending one."""
    for part in place[:-1]:
        field = model.model_fields.get(str(part))  # none: the index of a list, or the name of a table
        model = _model_within(field.annotation) or model if field else model
    return sorted(model.model_fields)


def _model_within(annotation: Any) -> type[BaseModel] | None:
    """Return the model in an annotation such as `tuple[Model, ...] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(_model_within, get_args(annotation))), None)
