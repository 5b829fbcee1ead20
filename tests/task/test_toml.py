"""Mistakes in TOML files: all at once, each with its line and the nearest word that is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict

from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.names import did_you_mean, unknown_name
from pytest_cuabench.task.toml import lines_of, read_strict

TEXT = '''# a comment
title = "x"

[a.b]
words = """
[not.a.table]
key = 1
"""
c.d = { e = [1,
  { f = 2 }] }

[[task]]
id = "one"
[task.values]
n = 1
[[task]]
id = "two"  # with [brackets]
[[task.part]]
[[task.part]]
size = 3
'''


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("title",), 2),
        (("a", "b"), 4),
        (("a", "b", "words"), 5),
        (("a", "b", "c", "d"), 9),
        (("a", "b", "c", "d", "e", 1, "f"), 9),
        (("task", 0, "id"), 13),
        (("task", 0, "values", "n"), 15),
        (("task", 1, "id"), 17),
        (("task", 1, "part", 0), 18),
        (("task", 1, "part", 1, "size"), 20),
    ],
)
def test_lines(key: tuple[str | int, ...], line: int) -> None:
    """Every table and key has the line that its statement begins in, whatever stands in strings and arrays."""
    assert lines_of(TEXT)[key] == line


def test_no_line_of_text_within_a_string() -> None:
    """What only looks like a table is none."""
    assert ("not",) not in lines_of(TEXT)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Part(_Strict):
    """A table."""

    size: int
    colour: Literal["red", "green"]


class File(_Strict):
    """A file."""

    name: str
    owner: str
    part: Part


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    """Missing, unknown and wrong keys are told together, each in a sentence with its line."""
    file = tmp_path / "file.toml"
    file.write_text("ownr = 'me'\n\n[part]\ncolour = 'gren'\n")
    with pytest.raises(SettingError) as refused:
        read_strict(file, File)
    assert str(refused.value).splitlines() == [
        f"{file}:1: name is missing",
        f"{file}:1: owner is missing",
        f"{file}:3: part.size is missing",
        f"{file}:4: part.colour: input should be 'red' or 'green', not 'gren'; did you mean 'green'?",
        f"{file}:1: unknown key ownr; known: name, owner, part; did you mean 'owner'?",
    ]


def test_nearest_name() -> None:
    """The nearest name is suggested whatever its case, and none where none is near."""
    assert unknown_name("suite", "MedCu", ["scuba", "medcua"]) == (
        "no suite named 'MedCu'; known: medcua, scuba; did you mean 'medcua'?"
    )
    assert did_you_mean("zzz", ["medcua"]) == did_you_mean("x", []) == ""
