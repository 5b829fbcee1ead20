"""How many files a reader needs for one task of a shipped suite."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pytest_cuabench.task import library

APPLICATIONS = sorted(file.parent for file in library.SUITES.glob("*/*/application.toml"))
LIMIT = 3  # the two files of the task and one that several tasks share


@cache
def neighbours(file: Path) -> frozenset[Path]:
    """Return the modules of applications that a file imports; what lies in other folders is the suite's library."""
    found: set[Path] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            place = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names = [f"{each.name}.py" for each in node.names]
            found |= {place / name for name in names} if place.is_dir() else {place.with_suffix(".py")}
    return frozenset(each for each in found if (each.parent / "application.toml").is_file())


def task_files(folder: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the two files of each task; several tasks may share the module that their application names."""
    application = tomllib.loads((folder / "application.toml").read_text(encoding="utf-8"))
    module = application.get("module", "").replace(".", "/")
    for name in application["tasks"]:
        own = folder / f"{name}.py"
        shared = module and not own.is_file()
        yield folder / f"{name}.toml", folder.parent / f"{module}.py" if shared else own


@pytest.mark.parametrize("folder", APPLICATIONS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_a_task_takes_three_files_at_most(folder: Path) -> None:
    """A task imports one module of its application at most; the suite's toolkit is known from the other tasks."""
    needed = {toml.stem: {toml, python} | neighbours(python) for toml, python in task_files(folder)}
    assert all(file.is_file() for own in needed.values() for file in own)
    assert [name for name, own in needed.items() if len(own) > LIMIT] == []


@pytest.mark.parametrize("folder", APPLICATIONS, ids=lambda folder: f"{folder.parent.name}-{folder.name}")
def test_no_module_needs_a_task(folder: Path) -> None:
    """What several tasks share does not lie in the file of one of them."""
    own = {python for toml, python in task_files(folder) if python.stem == toml.stem}
    users = {file.name: neighbours(file) & own for file in folder.parent.glob("*/*.py")}
    assert {name: sorted(map(str, found)) for name, found in users.items() if found} == {}
