"""Checks of worlds before the run: a set-up mistake is a usage error (exit code 4).

Settings and the agent are checked when the session is configured; worlds are checked after collection, in the
controller process.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.agents.base import ChecksDriver
from pytest_cuabench.agents.profile import FIXTURE
from pytest_cuabench.collection.items import find_instances, suite_of
from pytest_cuabench.collection.stash import CHOSEN, SUITES
from pytest_cuabench.drivers.backend import place_of, refuse_unknown_worlds
from pytest_cuabench.drivers.driver import PlannedSuite
from pytest_cuabench.drivers.registry import find_driver
from pytest_cuabench.errors import SettingError, needing
from pytest_cuabench.proof.claims import FURTHER_KINDS
from pytest_cuabench.proof.collateral import is_claimed
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.model import SuiteInfo, phase_places
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.suite import known_suites

_OURS = "pytest_cuabench.plugin"


class Preflight:
    """Plugin that checks the worlds of collected suites, unless the user overrides their fixtures."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._done = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Check without xdist."""
        ours = [item for item in session.items if "attempt" in getattr(item, "fixturenames", ())]
        suites = [suite_of(item) for item in ours if hasattr(item, "callspec")]
        self._look({(suite.name, suite.world): suite for suite in suites}.values())

    @pytest.hookimpl(optionalhook=True, tryfirst=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Check once with xdist."""
        if not self._done:
            instances = find_instances(self._config, ids)
            suites = {(suite.name, suite.world): suite for _, suite in instances}
            self._look(suites.values())
        self._done = True

    def _look(self, suites: Iterable[SuiteInfo]) -> None:
        try:
            if suites:
                collected = [*self._config.stash.get(SUITES, {}).values(), *suites]
                refuse_unknown_worlds(self._settings, collected)
                _refuse_unknown_suites(self._settings, {suite.name for suite in collected})
            for suite in suites:
                self._look_at(suite)
                for place in phase_places(suite):
                    self._check(place)
        except SettingError as error:
            raise pytest.UsageError(str(error)) from error

    def _look_at(self, suite: SuiteInfo) -> None:
        if self._settings.audit in FURTHER_KINDS and is_claimed(suite.folder):
            with needing("audit", f"{self._settings.sources['audit']} of {suite.name}"):
                import pytest_cuabench.proof.collateral.claims  # noqa: F401
        chosen = self._config.stash.get(CHOSEN, None)
        if chosen and chosen.profile.adapter == FIXTURE and not self._overridden("agent", suite):
            chosen.make()  # the error says what to write
        if not self._overridden("environment", suite):
            self._check(suite)

    def _check(self, suite: SuiteInfo) -> None:
        chosen = self._config.stash.get(CHOSEN, None)
        place = place_of(suite, self._settings)
        workers = max(1, len(self._config.getoption("tx", None) or ()))
        planned = PlannedSuite(suite, self._settings, place, bool(chosen and chosen.headed), workers)
        driver = find_driver(place.driver, suite)
        driver.check(planned)
        if chosen and chosen.profile.adapter != FIXTURE and isinstance(agent := chosen.make(), ChecksDriver):
            agent.check_driver(driver)

    def _overridden(self, fixture: str, suite: SuiteInfo) -> bool:
        """Whether a fixture of the plugin is overridden, as far as is known without importing a test module."""
        manager = self._config.pluginmanager
        others = (plugin for plugin in manager.get_plugins() if getattr(plugin, "__name__", "") != _OURS)
        if any(hasattr(plugin, fixture) for plugin in others):
            return True
        return _written(fixture, suite.folder, self._config.rootpath)


def _refuse_unknown_suites(settings: Settings, collected: set[str]) -> None:
    known = collected | set(known_suites())
    for name, _ in settings.tasks:
        if name not in known:
            raise SettingError(f"{settings.sources['tasks']}: {unknown_name('suite', name, known)}")


@cache
def _written(fixture: str, folder: Path, root: Path) -> bool:
    """Whether the Python files of a suite define this name."""
    above = [parent / "conftest.py" for parent in folder.parents if parent.is_relative_to(root)]
    files = [*folder.glob("*.py"), *(file for file in above if file.is_file())]
    words = re.compile(
        rf"\bdef\s+{fixture}\s*\(|\bname\s*=\s*[\"']{fixture}[\"']|^{fixture}\s*=", re.MULTILINE
    )
    return any(words.search(file.read_text(encoding="utf-8", errors="replace")) for file in files)


def look_for_chosen_browser(settings: Settings) -> None:
    """Check that the Chromium of `--cua-chromium` can be run.

    Raises:
        SettingError: It cannot be run.
    """
    if settings.chromium:
        from pytest_cuabench.drivers.chromium.browser.executable import find_chromium

        try:
            find_chromium(settings.chromium)
        except SettingError as error:
            raise SettingError(f"{settings.sources['chromium']}: {error}") from None
