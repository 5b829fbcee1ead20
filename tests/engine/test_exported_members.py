"""The package's front door: what is named there is there, and nothing is imported before it is asked for."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import get_type_hints

import pytest

import pytest_cuabench

HEAVY = ("pydantic", "playwright", "PIL", "httpx2", "allure", "allure_commons", "jinja2", "pytest", "asyncio")


def test_all_is_sorted_and_complete() -> None:
    """`__all__` is sorted, and is exactly what can be imported lazily."""
    assert pytest_cuabench.__all__ == sorted(pytest_cuabench.__all__)
    assert set(pytest_cuabench.__all__) == set(pytest_cuabench._MODULES)
    assert len(pytest_cuabench.__all__) == len(pytest_cuabench._MODULES)


@pytest.mark.parametrize("name", pytest_cuabench.__all__)
def test_member(name: str) -> None:
    """Each name is the very object that its module defines."""
    module = import_module(f"pytest_cuabench.{pytest_cuabench._MODULES[name]}")
    member = getattr(pytest_cuabench, name)
    assert member is getattr(module, name)
    assert member.__module__ == module.__name__


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
