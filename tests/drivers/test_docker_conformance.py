"""A desktop in a container does with every canonical action what the catalogue says."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_cuabench.drivers.desktop.connecting import connect
from pytest_cuabench.drivers.desktop.docker import Docker
from pytest_cuabench.drivers.leases import Leases
from pytest_cuabench.task.action import Size

from .conformance import Case, alike, parameters
from .desktop_probe import DesktopProbe
from .machines_here import client_of, container_image

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DesktopProbe]:
    """The probe window in a container that all cases share."""
    leases: Path = tmp_path_factory.mktemp("leases")
    machine = Docker(Size(1280, 800), Leases(leases), container_image())
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


@pytest.mark.parametrize("case", parameters("docker", nightly=alike(1)))
def test_conforms(case: Case, probe: DesktopProbe) -> None:
    """The actions of a case leave the events and the field contents that the catalogue demands."""
    asyncio.run(probe.play(case))
