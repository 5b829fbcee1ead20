"""Modules that are imported when a test asks for something of them: each worker collects all test files."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class _Lazy:
    """A module that is imported at the first look at one of its attributes; makers' SDKs take seconds.

    An `importlib.util.LazyLoader` is no help: pytest looks for `__wrapped__` in all that a test file holds.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute == "_mock_name" or attribute.startswith("__"):  # what pytest asks for
            raise AttributeError(attribute)
        return getattr(import_module(self._name), attribute)


def lazily(name: str) -> Any:
    """Return a module that is not imported before something of it is needed."""
    return _Lazy(name)
