"""A desktop in a virtual machine does with every canonical action what the catalogue says."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.action import Size
from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.qemu import Qemu
from pytest_cuabench.leases import Leases

from .conformance import Case
from .desktop_probe import DESKTOP_CASES, DesktopProbe
from .machines_here import client_of, virtual_machine

pytestmark = pytest.mark.slow
_OF_EACH = 2  # an emulated processor is slow
_LONG = ("type-long", "type-signs")


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DesktopProbe]:
    """The probe window in a virtual machine that all cases share."""
    leases: Path = tmp_path_factory.mktemp("leases")
    machine = Qemu(Size(1280, 800), Leases(leases), str(virtual_machine()))
    with asyncio.Runner() as runner:
        try:
            guest = runner.run(connect(machine, 20))
            runner.run(guest.close())
            with client_of(runner.run(machine.start())) as client:

                async def request(method: str, path: str, body: Any) -> dict[str, Any]:
                    return dict(client.request(method, path, json=body).raise_for_status().json())

                probe = DesktopProbe(request)
                runner.run(probe.begin())
                yield probe
        finally:
            runner.run(machine.close())


def _some() -> Iterator[Case]:
    """Yield two cases of each sequence of kinds of actions, and those that take longest."""
    alike: Counter[tuple[str, ...]] = Counter()
    for case in DESKTOP_CASES:
        kinds = tuple(type(action).__name__ for action in case.actions)
        alike[kinds] += 1
        if alike[kinds] <= _OF_EACH or case.name in _LONG:
            yield case


def test_conforms(probe: DesktopProbe, subtests: pytest.Subtests) -> None:
    """The actions of each case leave the events and the field contents that the catalogue demands."""
    for case in _some():
        with subtests.test(case.name):
            asyncio.run(probe.play(case))


@pytest.mark.nightly
def test_conforms_in_breadth(probe: DesktopProbe, subtests: pytest.Subtests) -> None:
    """So do all cases."""
    for case in DESKTOP_CASES:
        with subtests.test(case.name):
            asyncio.run(probe.play(case))
