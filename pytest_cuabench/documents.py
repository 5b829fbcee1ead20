"""Something to read with a task: a Markdown file, with TOML between two lines `+++` at its top.

+++
shows = ["new_lead_1", "new_lead_2"]     the tasks that it shows being done
+++
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from pytest_cuabench.declared import Identifier
from pytest_cuabench.errors import SettingError
from pytest_cuabench.strict import fit_strict
from pytest_cuabench.task import Document

_LINE = "+++\n"


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    shows: tuple[Identifier, ...] = ()


def read_document(file: Path) -> Document:
    """Read a document; what stands at its top is not for the reader.

    Raises:
        SettingError: It is missing, empty, or its top is malformed.
    """
    head, text = _parts(file)
    if not text:
        raise SettingError(f"{file} is empty")
    return Document(text, fit_strict(head, _Head, str(file)).shows)


def _parts(file: Path) -> tuple[dict[str, Any], str]:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise SettingError(f"{file} is missing") from None
    except UnicodeDecodeError as error:
        raise SettingError(f"{file} is no text: {error}") from None
    if not text.startswith(_LINE):
        return {}, text.strip()
    head, found, rest = text[len(_LINE) :].partition(f"\n{_LINE}")
    if not found:
        raise SettingError(f"{file}: the top that a line +++ begins has no end")
    try:
        return tomllib.loads(head), rest.strip()
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{file}: its top is not valid TOML: {error}") from None
