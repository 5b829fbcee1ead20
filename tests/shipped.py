"""The suites of this checkout, loaded once in a process for all test files that ask."""

from functools import cache

from pytest_cuabench.task import library
from pytest_cuabench.task.model import SuiteInfo
from pytest_cuabench.task.suite import load_suite


@cache
def shipped(name: str) -> SuiteInfo:
    """Return a shipped suite by its folder's name."""
    return load_suite(library.SUITES / name)
