"""`--cua-dry-run`: what a run would take and cost, said before anything is played or paid."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from pytest_cuabench.errors import CuabenchError, SettingError
from pytest_cuabench.profile import ChosenAgent, Profile
from pytest_cuabench.settings import Settings


def prepare(config: pytest.Config, settings: Settings, chosen: ChosenAgent) -> None:
    """See to it that `--cua-max-cost` can be held, and take the playing out of a dry run.

    Raises:
        SettingError: Money is limited, but nobody knows what the model costs; or the profile is no good.
    """
    player = _model_player(chosen)
    if player and settings.max_cost and (unpriced := player.unpriced()):
        raise SettingError(unpriced)
    if settings.dry_run:
        config.option.dist, config.option.tx, config.option.numprocesses = "no", [], 0  # workers of xdist
        config.pluginmanager.register(DryRun(settings, chosen, player), "cuabench-dry-run")


class DryRun:
    """Takes the instances out of the session and counts what they would have taken."""

    def __init__(self, settings: Settings, chosen: ChosenAgent, player: Any | None) -> None:
        self._settings = settings
        self._chosen = chosen
        self._player = player
        self._planned: list[pytest.Function] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out what would be played."""
        self._planned = [
            item for item in items if isinstance(item, pytest.Function) and "attempt" in item.fixturenames
        ]
        items[:] = [item for item in items if item not in set(self._planned)]
        config.hook.pytest_deselected(items=self._planned)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """A session from which everything was taken out on purpose is no mistake."""
        if self._planned and session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED:
            session.exitstatus = pytest.ExitCode.OK

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the estimate."""
        terminalreporter.section("cuabench: a dry run, nothing was played", "=")
        for line in self._lines():
            terminalreporter.write_line(line)

    def _lines(self) -> Iterator[str]:
        from pytest_cuabench.attempts import observation_of
        from pytest_cuabench.players.estimate import estimated

        budgets = [self._budget(item) for item in self._planned]
        profile = self._chosen.profile
        yield f"instances   {len(budgets):,} with budgets of {sum(steps for steps, _ in budgets):,} steps in all"
        if profile.model is None:
            yield f"agent       {self._chosen.name} names no model, so there is nothing to estimate"
            return
        yield f"agent       {self._chosen.name} ({profile.model})"
        observation = observation_of(self._settings, self._chosen)
        yield from estimated(budgets, profile, self._player, observation, self._settings.max_cost)

    def _budget(self, item: Any) -> tuple[int, Any]:
        """Return the decisions that an instance allows, and the screen it is played on."""
        from pytest_cuabench.collect import suite_of

        task = item.callspec.params["instance"].task
        return self._settings.max_steps or task.max_steps, suite_of(item).screen


def _model_player(chosen: ChosenAgent) -> Any | None:
    """Return an agent that will not play, to be asked for its prices and pictures; None if it is no model of ours."""
    module = sys.modules.get("pytest_cuabench.players.model")  # an adapter made of it has imported it by now
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
        raise SettingError(f"agent {chosen.name!r} cannot be made: {problem}") from error


@contextmanager
def _some_key(profile: Profile) -> Iterator[None]:
    """Let a client be made where there is no key; it is never asked for anything."""
    if profile.key is None or os.environ.get(profile.key):
        yield
        return
    os.environ[profile.key] = "none"
    try:
        yield
    finally:
        del os.environ[profile.key]
