"""Documents of a task: Markdown files with TOML front matter between two lines `+++`.

+++
shows = ["new_lead_1", "new_lead_2"]     the tasks that it demonstrates
+++
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.bounded import parse_toml
from pytest_cuabench.task.parts import Document
from pytest_cuabench.task.schema import Identifier
from pytest_cuabench.task.toml import fit_strict

_LINE = "+++\n"


class _Head(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    shows: tuple[Identifier, ...] = ()


def read_document(file: Path) -> Document:
    """Read a document, without its front matter.

    Raises:
        SettingError: The file is missing or empty, or its front matter is malformed.
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
        raise SettingError(f"{file} is not a text file: {error}") from None
    if not text.startswith(_LINE):
        return {}, text.strip()
    head, found, rest = text[len(_LINE) :].partition(f"\n{_LINE}")
    if not found:
        raise SettingError(f"{file}: the front matter has no closing line +++")
    try:
        return parse_toml(head), rest.strip()
    except ValueError as error:
        raise SettingError(f"{file}: the front matter is not valid TOML: {error}") from None
