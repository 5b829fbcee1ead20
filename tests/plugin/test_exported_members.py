"""The package's front door: what is named there is there, and nothing is imported before it is asked for."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import get_type_hints

import pytest

import pytest_cuabench

HEAVY = ("pydantic", "playwright", "PIL", "httpx2", "allure", "allure_commons", "jinja2", "pytest", "asyncio")


ALIASES = ("Findings", "Values")  # names for the types of annotations


def test_all_is_sorted_and_complete() -> None:
    """`__all__` is sorted, names nothing twice, and a star imports exactly that."""
    assert pytest_cuabench.__all__ == sorted(set(pytest_cuabench.__all__))
    names: dict[str, object] = {}
    exec("from pytest_cuabench import *", names)
    assert names.keys() - {"__builtins__"} == set(pytest_cuabench.__all__)


def test_version() -> None:
    """`__version__` is the installed distribution's."""
    assert pytest_cuabench.__version__ == version("pytest-cuabench")


def test_docs_list_the_same_names() -> None:
    """The first table of docs/api.md names exactly what `__all__` has."""
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    table = page.partition("## Names")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert sorted(named) == pytest_cuabench.__all__


def test_docs_list_the_entry_point_groups() -> None:
    """docs/api.md names every group of entry points that is read."""
    root = Path(__file__).parents[2]
    sources = "".join(file.read_text(encoding="utf-8") for file in (root / "pytest_cuabench").rglob("*.py"))
    page = (root / "docs" / "api.md").read_text(encoding="utf-8")
    groups = set(re.findall(r'^(?:GROUP|EXPORTERS) = "(pytest_cuabench\.\w+)"', sources, re.MULTILINE))
    assert groups >= {
        f"pytest_cuabench.{kind}" for kind in ("agents", "drivers", "exporters", "suites", "worlds")
    }
    assert groups == set(re.findall(r"^\| `(pytest_cuabench\.\w+)` \|", page, re.MULTILINE))


@pytest.mark.parametrize("name", pytest_cuabench._modules())
def test_member(name: str) -> None:
    """Each name is the very object that its module defines."""
    module = import_module(pytest_cuabench._modules()[name])
    member = getattr(pytest_cuabench, name)
    assert member is getattr(module, name)
    assert name in ALIASES or member.__module__ == module.__name__


def test_unknown_member() -> None:
    """A name that is not there is an `AttributeError`, as of any module."""
    with pytest.raises(AttributeError, match="module 'pytest_cuabench' has no attribute 'Nothing'"):
        pytest_cuabench.Nothing  # noqa: B018
    assert not hasattr(pytest_cuabench, "__wrapped__")


def test_nothing_heavy_is_imported() -> None:
    """Importing the package imports none of its modules, and nothing of others."""
    code = (
        "import sys; before = set(sys.modules); import pytest_cuabench;"
        "print('\\n'.join(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    new = set(done.stdout.split())
    assert {name for name in new if name.startswith("pytest_cuabench")} == {"pytest_cuabench"}
    assert not {name for name in new if name.partition(".")[0] in HEAVY}


@pytest.mark.parametrize("name", ["Evidence", "Verdict", "Observation", "Decision"])
def test_annotations_can_be_resolved(name: str) -> None:
    """The types that suites and agents exchange can be inspected at run time."""
    assert get_type_hints(getattr(pytest_cuabench, name))
