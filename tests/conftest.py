"""An environment without a user's settings, and a small suite to run inside of tests."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

collect_ignore = [
    "sample_suite",
    "desktop_suite",
]  # it is copied into projects that tests make, and never run where it lies
sys.path.insert(0, str(Path(__file__).parent))  # a folder's helpers are imported as `drivers.probe_page`
SAMPLE = Path(__file__).parent / "sample_suite"
PACKAGE = "cuabench_suite_sample"

# A shell starts its background jobs deaf to Ctrl-C, and what a test starts and interrupts would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def hermetic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a user's settings, keys and terminal out of the tests."""
    for name in os.environ:
        if name.startswith(("CUABENCH_", "ALLURE_")) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    for name in ("PY_COLORS", "NO_COLOR", "FORCE_COLOR", "PYTEST_ADDOPTS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture(autouse=True)
def sample_forgotten() -> Iterator[None]:
    """The sample suite that a test loads is forgotten after it: the next test has its own in another folder."""
    before = {name for name in sys.modules if name.startswith(PACKAGE)}
    yield
    for name in [name for name in sys.modules if name.startswith(PACKAGE) and name not in before]:
        del sys.modules[name]


@pytest.fixture
def sample(pytester: pytest.Pytester) -> pytest.Pytester:
    """A project with a suite of three tasks on a fake world, to be run with `pytest suites/sample`."""
    shutil.copytree(SAMPLE, pytester.path / "suites" / "sample", ignore=shutil.ignore_patterns("__pycache__"))
    pytester.makeini("[pytest]\n")
    return pytester
