"""The sample suite in sessions: key 'n' notes, 'x' harms, 'b' breaks the world."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from phases import PAGE, PHASES, add_phases

from pytest_cuabench.serving.catalogue import Catalogue, collect

PLAIN = ("-p", "no:anyio", "-p", "no:hypothesispytest", "-p", "no:cacheprovider", "-p", "no:allure_pytest")
NOTE, COUNT = "desk/note-intent", "desk/count-intent"


def keys(*names: str) -> dict[str, Any]:
    """Return a step that presses keys one after the other."""
    return {"actions": [{"kind": "key", "keys": [name]} for name in names]}


def answer(text: str) -> dict[str, Any]:
    """Return a step that answers."""
    return {"actions": [{"kind": "answer", "text": text}]}


STOP = {"actions": [{"kind": "terminate", "status": "success"}]}
NAMED = answer(PAGE)
_LIBRARY_DRIVER = '''
"""The library of `phases.py` on a screen of its own, as a driver whose environments may be played in together."""
from phases import Library, react

from pytest_cuabench.drivers.driver import Driver


class LibraryDriver(Driver):
    def concurrent(self, suite, place):
        return True

    def open(self, context):
        return Library({}, react, context.suite.screen)
'''


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


@pytest.fixture
def phased(desk: pytest.Pytester) -> None:
    """Add a phase to the sample suite."""
    suite = desk.path / "suites" / "sample"
    add_phases(suite)
    (suite / "library.py").write_text(_LIBRARY_DRIVER)
    about = suite / "suite.toml"
    own = PHASES.replace("open_library", "LibraryDriver").replace("[640, 480]", "[320, 240]")
    about.write_text(about.read_text().replace(PHASES, own))
