"""Chromium does with every canonical action what the catalogue says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.chromium import Chromium, ChromiumEnvironment
from pytest_cuabench.task.action import Navigate, Size
from pytest_cuabench.testing.probe_page import Record, Server

from .conformance import CASES, EXCLUDED, LONGEST, SCREEN, Case, alike, fits, missing, parameters
from .conftest import FakeWorld, instance
from .desktop_probe import as_browser

# Keys that the page alone gets while others are held on the keyboard.
OF_A_WINDOW = {"keypad-down-and-up", "held-ctrl-writes-no-text"}
pytestmark = pytest.mark.asyncio(loop_scope="module")


class ChromiumProbe:
    """The probe page in a Chromium environment."""

    def __init__(self, environment: ChromiumEnvironment, record: Record) -> None:
        self.environment, self._record = environment, record

    async def clear(self) -> None:
        await self.environment.perform(Navigate("/"))
        self._record.clear()

    async def events(self) -> list[dict[str, Any]]:
        return self._record.events

    async def fields(self) -> dict[str, str]:
        return self._record.fields


async def _probing(browser: Chromium, folder: Path) -> AsyncIterator[ChromiumProbe]:
    """Yield the probe page on the screen of one episode that all cases share."""
    record = Record()
    server = Server(record.app())
    environment = ChromiumEnvironment(browser, FakeWorld(server.port), SCREEN, downloads=folder)
    await environment.reset(instance())
    yield ChromiumProbe(environment, record)
    await environment.close()
    server.stop()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def probe(browser: Chromium, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ChromiumProbe]:
    """The probe page in a browser without a window."""
    async for one in _probing(browser, tmp_path_factory.mktemp("downloads")):
        yield one


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def probe_in_window(
    windows: Callable[[Size], Chromium], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ChromiumProbe]:
    """The probe page in a window."""
    async for one in _probing(windows(SCREEN), tmp_path_factory.mktemp("downloads")):
        yield one


# The probe page notes each key: minutes for the longest texts, whose keys test_chromium_typing counts in CI.
@pytest.mark.parametrize(
    "case", parameters("chromium", slow=alike(2), nightly={*LONGEST, "type-longest-mixed"})
)
async def test_conforms(case: Case, probe: ChromiumProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    await _conforms(case, probe)


@pytest.mark.slow
@pytest.mark.parametrize("case", parameters("window", nightly=alike(1) - OF_A_WINDOW))
async def test_conforms_in_a_window(case: Case, probe_in_window: ChromiumProbe) -> None:
    """A window passes the same catalogue, with input that no program can tell from a person's."""
    await _conforms(case, probe_in_window)


async def _conforms(case: Case, probe: ChromiumProbe) -> None:
    await probe.clear()
    for action in case.actions:
        result = await probe.environment.perform(action)
        assert result.error is None
    events, fields = list(as_browser(await probe.events(), case)), await probe.fields()
    for action in case.locks:
        await probe.environment.perform(action)
    assert missing(case, events) is None, events
    for partial in case.lacks:
        assert not any(fits(partial, recorded) for recorded in events)
    for kind, count in case.counts.items():
        assert sum(recorded["type"] == kind for recorded in events) == count
    assert {name: fields.get(name) for name in case.fields} == dict(case.fields)


async def test_what_is_excluded_exists() -> None:
    """The catalogue has no name twice, and every exclusion names one of its cases and says why."""
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names)
    assert {name for excluded in EXCLUDED.values() for name in excluded} | set(LONGEST) <= set(names)
    assert all(why for excluded in EXCLUDED.values() for why in excluded.values())
