"""A browser and makers' servers for players, and what their tests tell the report of `scripts/conformance`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from pytest_cuabench.drivers.chromium import Chromium
from pytest_cuabench.drivers.chromium.browser.executable import find_chromium
from pytest_cuabench.errors import SettingError

from .tally import READ

if TYPE_CHECKING:
    from small_world import Table

    from .desk import Desk
    from .speaking import Line, Speaker


@pytest.fixture(autouse=True)
def tallied(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Record how many inputs a test gave to readers."""
    before = READ.copy()
    yield
    for (reader, came), count in (READ - before).items():
        record_property("read", json.dumps([reader, came, count]))


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def chromium() -> AsyncIterator[Chromium]:
    """One browser for all tests."""
    try:
        found = Chromium(find_chromium(None))
    except SettingError as error:
        pytest.skip(str(error))
    yield found
    await found.close()


@pytest.fixture(scope="module")
def lines() -> Iterator[Callable[[Speaker], Line]]:
    """Servers of the makers, one of each kind, kept until all tests are over."""
    running: dict[Speaker, Any] = {}

    def of(speaker: Speaker) -> Line:
        if speaker not in running:
            serving = speaker.serve()
            running[speaker] = (serving, serving.__enter__())
        line: Line = running[speaker][1]
        return line

    yield of
    with ThreadPoolExecutor() as pool:  # each takes a moment
        list(pool.map(lambda one: one[0].__exit__(None, None, None), running.values()))


@pytest.fixture
def seated(
    lines: Callable[[Speaker], Line], table: Table, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Speaker], Desk]:
    """Seat a model at the desk, with the key of its server."""
    from .desk import VARIABLE, Desk

    def of(speaker: Speaker) -> Desk:
        monkeypatch.setenv(VARIABLE, speaker.key)
        return Desk(speaker, lines(speaker), table)

    return of


@pytest.fixture
def keyed(monkeypatch: pytest.MonkeyPatch) -> Callable[[Speaker], None]:
    """Put a speaker's key where its profile looks for it."""

    def put(speaker: Speaker) -> None:
        if variable := speaker.profile("").key:
            monkeypatch.setenv(variable, speaker.key)

    return put
