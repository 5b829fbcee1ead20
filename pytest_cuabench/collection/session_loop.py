"""Items that play run on pytest-asyncio's session loop, with their async fixtures, in auto and in strict mode.

Browsers and worlds are shared by the tests of a worker, so they belong to the loop that lives as long as the
session. Awaiting them on another loop hangs or fails.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import warnings
from collections.abc import Iterable
from types import MethodType
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.errors import SettingError

PLAYING = frozenset(
    {"cua_pool", "cua_run"}
)  # what items that play need, whatever rungs their suite overrides


def require_asyncio(config: pytest.Config) -> None:
    """Refuse a session that is to play without pytest-asyncio.

    Raises:
        SettingError: It is turned off.
    """
    if not config.pluginmanager.hasplugin("asyncio"):
        raise SettingError(
            "pytest-cuabench plays on the event loop of pytest-asyncio, which is turned off; drop -p no:asyncio "
            "(where plugins are not loaded automatically, add -p asyncio)"
        )


def ignore_unset_scope() -> None:
    """Keep pytest-asyncio from warning projects that only have it because of this plugin.

    It warns while it is configured, so this is called before; pytest takes the filter off at the session's end.
    """
    warnings.filterwarnings(
        "ignore", r"The configuration option \"asyncio_default_fixture_loop_scope\" is unset"
    )


def place_tests(items: Iterable[pytest.Item]) -> None:
    """Let async tests that play run on the session loop.

    Raises:
        SettingError: One asks for another loop.
    """
    for item in items:
        if pytest_asyncio.is_async_test(item) and not PLAYING.isdisjoint(item.fixturenames):
            marker = item.get_closest_marker("asyncio")
            scope = marker and (marker.kwargs.get("loop_scope") or marker.kwargs.get("scope"))
            if scope not in (None, "session"):
                raise SettingError(
                    f"{item.nodeid}: loop_scope={scope!r} is not possible for a test that plays, because environments "
                    "live on the session's loop; write @pytest.mark.asyncio(loop_scope='session')"
                )
            # In front of the item's own marks: pytest-asyncio reads the closest one.
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


def needs_session_loop(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> bool:
    """Whether a fixture is async and made for an item that plays."""
    function = fixturedef.func
    return (
        (inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function))
        and not PLAYING.isdisjoint(request.fixturenames)
        and "anyio_backend" not in request.fixturenames  # then the fixture is AnyIO's
    )


def refuse_running_loop() -> None:
    """Check that no event loop runs already, within which the session loop could not run.

    Raises:
        SettingError: One does.
    """
    if asyncio._get_running_loop() is not None:
        raise SettingError(
            "an event loop runs already, and a suite cannot be played within it: a test before has started "
            "Playwright's sync API for the session, as pytest-playwright's fixtures do; run those tests in a session "
            "of their own, such as pytest suites/NAME alone"
        )


def on_session_loop(function: Any, instance: object) -> Any:
    """Return an async fixture function as one that pytest-asyncio runs on the session loop.

    The function itself stays as it is: other items may use it on a loop of theirs.
    """
    if isinstance(function, MethodType) and isinstance(instance, type(function.__self__)):
        function = MethodType(function.__func__, instance)  # of the test's own object
    same = functools.update_wrapper(functools.partial(function), function)
    pytest_asyncio.fixture(same, loop_scope="session")
    return same
