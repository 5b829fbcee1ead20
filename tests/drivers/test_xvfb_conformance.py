"""A desktop on a private X display does with every canonical action what the catalogue says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from .conformance import CASES, Case
from .desktop_probe import DESKTOP_CASES, EXCLUDED, DesktopProbe
from .guests import Guest, needs_desktop

pytestmark = needs_desktop

# One key is pressed as another, and `type-signs` writes every symbol: the breadth is left to runs of everything.
ALIKE = ("symbol-", "key-", "click-at-")
UNLIKE = (
    "key-A", "key-+", "key-enter", "key-menu", "key-capslock", "key-f13", "key-repeat", "key-down-and-up", "symbol-^",
    "click-at-0-0", "click-at-1279-799",
)  # fmt: skip


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
    for case in DESKTOP_CASES:
        alike = case.name.startswith(ALIKE) and case.name not in UNLIKE
        yield pytest.param(case, id=case.name, marks=(pytest.mark.slow,) if alike else ())


@pytest.mark.parametrize("case", list(_cases()))
def test_conforms(case: Case, probe: DesktopProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    asyncio.run(probe.play(case))


def test_what_is_excluded_exists() -> None:
    """Every exclusion names a case of the catalogue and says why."""
    assert set(EXCLUDED) <= {case.name for case in CASES}
    assert all(EXCLUDED.values())
    assert set(UNLIKE) <= {case.name for case in DESKTOP_CASES}
