"""Stands for pytest's terminal reporter where `-p no:terminal` turned it off: nothing is printed."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

_NAME = "cuabench-silent"


class Silent:
    """Calls this package's `pytest_terminal_summary` hooks at the end, and drops what they print."""

    isatty = False
    verbosity = 0

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> Generator[None, None, None]:
        """Have the reports of the run written."""
        yield
        manager = self._config.pluginmanager
        others = [
            one for one in manager.get_plugins() if not (manager.get_name(one) or "").startswith("cuabench-")
        ]
        hook = manager.subset_hook_caller("pytest_terminal_summary", others)
        hook(terminalreporter=self, exitstatus=exitstatus, config=self._config)

    def write_line(self, *line: str, **markup: bool) -> None:
        """Print nothing."""

    section = rewrite = write_line


def reporter_of(config: pytest.Config) -> Any:
    """Return what prints: pytest's terminal reporter, or the silent one."""
    manager = config.pluginmanager
    found = manager.get_plugin("terminalreporter") or manager.get_plugin(_NAME)
    if found is None:
        found = Silent(config)
        manager.register(found, _NAME)
    return found
