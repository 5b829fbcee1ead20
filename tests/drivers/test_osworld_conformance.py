"""The client of OSWorld machines conforms on our own guest, used as a foreign machine.

The actions go through `/execute` as programs, the record is read by our own protocol.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from pytest_cuabench.drivers.desktop.machine import Address
from pytest_cuabench.drivers.desktop.osworld.client import OSWorldClient
from pytest_cuabench.task.action import parse_action

from .conformance import CASES, Case, parameters
from .desktop_probe import DesktopProbe
from .guests import Guest, needs_desktop

pytestmark = [
    pytest.mark.slow,
    needs_desktop,
    pytest.mark.skipif(
        find_spec("Xlib") is None, reason="OSWorld's clients need more; type: pip install pyautogui"
    ),
]

# A program for each action takes a while: a few by default, all of them where there is time.
SHORT = ("click-back-1", "symbol-<", "type-mathematics", "keypad-7", "dead-acute")


@pytest.fixture(scope="module")
def probe() -> Iterator[DesktopProbe]:
    """The probe window on a desktop whose actions come by OSWorld's calls."""
    guest = Guest()
    address = Address("http://guest", guest.folder / "socket")

    async def request(method: str, path: str, body: Any) -> dict[str, Any]:
        if path != "/actions":
            return guest.call(method, path, body)
        client = OSWorldClient(address)
        try:
            await client.open()
            results = await client.perform([parse_action(action) for action in body["actions"]])
        finally:
            await client.close()
        return {"results": [{"error": result.error} for result in results]}

    probe = DesktopProbe(request)
    asyncio.run(probe.begin())
    yield probe
    guest.close()


@pytest.mark.parametrize("case", parameters("osworld", nightly={case.name for case in CASES} - set(SHORT)))
def test_conforms(case: Case, probe: DesktopProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    asyncio.run(probe.play(case))
