"""Files and modules that the documentation names are there."""

from __future__ import annotations

import ast
import io
import os
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pkgutil import resolve_name

ROOT = Path(__file__).parents[2]
FOLDERS = (
    *("agents", "benchmarks", "docs", "environments", "examples", "fixtures", "pytest_cuabench", "reports"),
    *("scripts", "suites", "tests", "wheels", ".github"),
)
ENDING = r"\.(?:py|pyi|md|toml|js|sh|css|sql|html)"
FILE = re.compile(rf"(?:[\w.@-]+/)+[\w.-]+{ENDING}(?![\w/])")
NAMES = re.compile(rf"[\w-]+\.py|{FILE.pattern}|(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./-]+")
MODULE = re.compile(r"pytest_cuabench(?:\.\w+)+")
GROUPS = {f"pytest_cuabench.{group}" for group in ("suites", "worlds", "exporters")}  # of entry points alone

# What is named, and is no file of this repository: a user's, another project's, or one that a run writes.
ELSEWHERE = {
    "docs/clusters.md": {"cluster/nightly/job.sh", "reports/nightly"},
    "docs/comparison.md": {"models/trial/error_policy.py"},
    "docs/docos.md": {"checks.py"},
    "docs/scienceboard.md": {"vm_config/manual.md"},
    "docs/worlds.md": {"environments/todo/", "suites/mine"},
}


@cache
def ends() -> frozenset[str]:
    """Return every path of the repository and every end of one, such as `task/model.py`."""
    paths = (
        Path(folder, name).relative_to(ROOT).parts
        for top in FOLDERS
        for folder, folders, files in os.walk(ROOT / top)
        for name in (*folders, *files)
    )
    below = {"/".join(parts[start:]) for parts in paths for start in range(len(parts))}
    return frozenset(below | {path.name for path in ROOT.iterdir()})


def missing(names: set[str], beside: Path) -> set[str]:
    """Return the names that are no file of the repository, seen from its root, a folder in it, or `beside`."""
    return {name for name in names if name.rstrip("/") not in ends() and not (beside / name).exists()}


def named(page: str) -> set[str]:
    """Return the paths between backticks on a page, without those that hold a placeholder."""
    codes = {code.partition(":")[0] for code in re.findall(r"`([^`\n]+)`", page)}
    return {code for code in codes if NAMES.fullmatch(code) and not re.search(r"\b[A-Z]+(?=[/.])", code)}


def said(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def pages() -> list[Path]:
    """Return the pages of the documentation, without the history."""
    found = {*ROOT.glob("[A-Z]*.md"), *(page for top in FOLDERS for page in (ROOT / top).rglob("*.md"))}
    return sorted(page for page in found - {ROOT / "CHANGELOG.md"} if "fixtures" not in page.parts)


def test_paths_on_pages_exist() -> None:
    """A path between backticks is one of the repository, or is listed in `ELSEWHERE`."""
    lost = {
        page.relative_to(ROOT).as_posix(): missing(named(page.read_text("utf-8")), page.parent)
        for page in pages()
    }
    assert {page: names for page, names in lost.items() if names} == ELSEWHERE


def test_paths_in_comments_exist() -> None:
    """A path in a docstring or a comment of Python is one of the repository."""
    lost = {}
    for file in sorted({file for top in FOLDERS for file in (ROOT / top).rglob("*.py")}):
        source = file.read_text("utf-8")
        if names := missing(set(FILE.findall(source)), file.parent):
            text = "\n".join(said(source))
            if names := {name for name in names if name in text}:
                lost[file.relative_to(ROOT).as_posix()] = names
    assert lost == {}


def test_modules_on_pages_exist() -> None:
    """A dotted name of this package on a page is a module, a group of entry points, or what a module has."""
    lost = {}
    for page in pages():
        for name in set(MODULE.findall(page.read_text("utf-8"))) - GROUPS:
            try:
                resolve_name(name)
            except (ImportError, AttributeError) as error:
                lost[f"{page.relative_to(ROOT)}: {name}"] = str(error)
    assert lost == {}
