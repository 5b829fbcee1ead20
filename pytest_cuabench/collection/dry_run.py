"""`--cua-dry-run`: an estimate of a run's steps, tokens and cost, without playing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from pytest_cuabench.agents.profile import ChosenAgent, Profile
from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.settings import Settings
from pytest_cuabench.task.text import tell

if TYPE_CHECKING:
    from pytest_cuabench.task.model import Instance


def prepare(config: pytest.Config, settings: Settings, chosen: ChosenAgent) -> None:
    """Check that `--cua-max-cost` can be enforced, and register the dry run if requested.

    Raises:
        SettingError: The cost is limited, but the model's prices are unknown; or the profile is invalid.
    """
    player = _model_player(chosen)
    if player and settings.max_cost and (unpriced := player.unpriced()):
        raise SettingError(unpriced)
    if settings.dry_run:
        config.option.dist, config.option.tx, config.option.numprocesses = "no", [], 0  # xdist workers
        config.pluginmanager.register(DryRun(settings, chosen, player), "cuabench-dry-run")


class DryRun:
    """Plugin that deselects the instances and sums up their budgets."""

    def __init__(self, settings: Settings, chosen: ChosenAgent, player: Any | None) -> None:
        self._settings = settings
        self._chosen = chosen
        self._player = player
        self._planned: list[pytest.Function] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Deselect all instances."""
        self._planned = [
            item for item in items if isinstance(item, pytest.Function) and "attempt" in item.fixturenames
        ]
        items[:] = [item for item in items if item not in set(self._planned)]
        config.hook.pytest_deselected(items=self._planned)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Make the session succeed although no tests ran."""
        if self._planned and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the estimate."""
        terminalreporter.section("cuabench: dry run, nothing was played", "=")
        for line in self._lines():
            tell(terminalreporter, line)

    def _lines(self) -> Iterator[str]:
        from pytest_cuabench.agents.models.estimate import estimated
        from pytest_cuabench.collection.items import observation_of

        budgets = [self._budget(item) for item in self._planned]
        profile = self._chosen.profile
        yield f"instances   {len(budgets):,} with budgets of {sum(steps for steps, _ in budgets):,} steps in total"
        if profile.model is None:
            yield f"agent       {self._chosen.name} has no model, so there is nothing to estimate"
            return
        yield f"agent       {self._chosen.name} ({profile.model})"
        observation = observation_of(self._settings, self._chosen)
        yield from estimated(budgets, profile, self._player, observation, self._settings.max_cost)

    def _budget(self, item: Any) -> tuple[int, Any]:
        """Return an instance's budget of steps, and its screen."""
        from pytest_cuabench.collection.items import suite_of

        instance: Instance = item.callspec.params["instance"]
        return self._settings.max_steps or instance.task.budget.steps, suite_of(item).screen


def _model_player(chosen: ChosenAgent) -> Any | None:
    """Return an agent to read prices and picture sizes from; None if it is not a `ModelAgent`."""
    module = sys.modules.get(
        "pytest_cuabench.agents.models.model"
    )  # creating the agent has imported it by now
    factory = chosen.factory
    if module is None or not isinstance(factory, type) or not issubclass(factory, module.ModelAgent):
        return None
    try:
        with _some_key(chosen.profile):
            return factory(chosen.profile)
    except CuabenchError:
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
        raise SettingError(f"cannot create agent {chosen.name!r}: {problem}") from error


@contextmanager
def _some_key(profile: Profile) -> Iterator[None]:
    """Set a placeholder key if there is none, so that a client can be created; it sends no requests."""
    if profile.key is None or os.environ.get(profile.key):
        yield
        return
    os.environ[profile.key] = "none"
    try:
        yield
    finally:
        del os.environ[profile.key]
