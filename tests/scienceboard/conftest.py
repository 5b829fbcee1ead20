"""An upstream machine of fakes, and the published records where they lie beside the project."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from scienceboard.fakes.chimerax import FakeChimeraX
from scienceboard.fakes.guest import FakeGuest
from scienceboard.fakes.serving import Fake, serving

from pytest_cuabench.scienceboard.machine import Machine

settings.register_profile("busy", deadline=None)  # a busy machine is no failure
settings.load_profile("busy")


@pytest.fixture(scope="session")
def published(pytestconfig: pytest.Config) -> Path:
    """The folder of the published records."""
    folder = pytestconfig.rootpath.parent / "shared" / "upstream" / "scienceboard" / "tasks"
    if not folder.is_dir():
        pytest.skip(f"the published records are not here: put ScienceBoard's folder tasks to {folder}")
    return folder


@dataclass
class Lab:
    """A fake application beside a fake guest, and the clients of both."""

    guest: FakeGuest
    application: Any
    machine: Machine
    url: str


@pytest.fixture
def make_lab() -> Iterator[Any]:
    """Return a function that starts a machine with an application in it."""
    with ExitStack() as stack:

        def make(application: Fake | None = None) -> Lab:
            guest = FakeGuest()
            inner = application or guest.chimerax
            if isinstance(inner, FakeChimeraX):
                inner.files = guest.files
            url = stack.enter_context(serving(guest.app()))
            return Lab(guest, inner, Machine.at(url, stack.enter_context(serving(inner.app()))), url)

        yield make
