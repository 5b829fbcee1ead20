"""The sample suite in sessions: key 'n' notes, 'x' harms, 'b' breaks the world."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_cuabench.serving.catalogue import Catalogue, collect

PLAIN = ("-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:cacheprovider", "-p", "no:allure_pytest")
NOTE, COUNT = "desk/note-intent", "desk/count-intent"


def keys(*names: str) -> dict[str, Any]:
    """Return a step that presses keys one after the other."""
    return {"actions": [{"kind": "key", "keys": [name]} for name in names]}


STOP = {"actions": [{"kind": "terminate", "status": "success"}]}


@pytest.fixture(scope="session")
def openenv_package() -> None:
    """Import the package and its many dependencies before the first test, since each test forgets what it imports."""
    pytest.importorskip("openenv", reason="type: pip install 'pytest-cuabench[openenv]'")
    importlib.import_module("openenv.core")
    importlib.import_module("pytest_cuabench.serving.openenv")


@pytest.fixture
def collected(desk: pytest.Pytester) -> Iterator[Callable[..., Catalogue]]:
    """Collect the sample suite in this process."""

    def collecting(*options: str, **more: Any) -> Catalogue:
        sys.modules.pop("test_sample", None)
        return collect("suites/sample", (*PLAIN, *options), **more)

    yield collecting
    sys.modules.pop("test_sample", None)
