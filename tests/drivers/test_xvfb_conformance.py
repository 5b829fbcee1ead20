"""A desktop on a private X display does with every canonical action what the catalogue says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from .conformance import LONGEST, Case, alike, parameters
from .desktop_probe import DesktopProbe
from .guests import Guest, needs_desktop

pytestmark = needs_desktop


@pytest.fixture(scope="module")
def probe() -> Iterator[DesktopProbe]:
    """The probe window on a desktop that all cases share."""
    guest = Guest()

    async def request(method: str, path: str, body: Any) -> dict[str, Any]:
        return guest.call(method, path, body)

    probe = DesktopProbe(request)
    asyncio.run(probe.begin())
    yield probe
    guest.close()


@pytest.mark.parametrize("case", parameters("xvfb", slow=alike(1), nightly=LONGEST))
def test_conforms(case: Case, probe: DesktopProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    asyncio.run(probe.play(case))
