"""A desktop on a private X display does with every canonical action what the catalogue says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from .conformance import CASES, Case, alike
from .desktop_probe import DESKTOP_CASES, EXCLUDED, LONGEST, NOT_ALIKE, DesktopProbe
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


def _cases() -> Iterator[Any]:
    slow = alike(DESKTOP_CASES, 1)
    for case in DESKTOP_CASES:
        mark = pytest.mark.nightly if case.name in LONGEST else pytest.mark.slow
        marks = (mark,) if case.name in slow or case.name in LONGEST else ()
        yield pytest.param(case, id=case.name, marks=marks)


@pytest.mark.parametrize("case", list(_cases()))
def test_conforms(case: Case, probe: DesktopProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    asyncio.run(probe.play(case))


def test_what_is_excluded_exists() -> None:
    """Every exclusion names a case of the catalogue and says why."""
    assert set(EXCLUDED) <= {case.name for case in CASES}
    assert all(EXCLUDED.values())
    assert set(LONGEST) | set(NOT_ALIKE) <= {case.name for case in DESKTOP_CASES}
