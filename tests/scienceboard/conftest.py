"""An upstream machine of fakes, and the published records where they lie beside the project."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cuabench_suite_scienceboard.upstream.machine import Machine

from pytest_cuabench.task import library
from scienceboard.fakes.guest import FakeGuest
from scienceboard.fakes.serving import Fake, Hall, serving
from scienceboard.lab import Lab


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published records."""
    folder = library.ROOT.parent / "shared" / "upstream" / "scienceboard" / "tasks"
    if not folder.is_dir():
        pytest.skip(f"the published records are not here: put ScienceBoard's folder tasks to {folder}")
    return folder


@pytest.fixture(scope="session")
def hall() -> Iterator[Hall]:
    """Where all fakes are served."""
    with serving() as running:
        yield running


@pytest.fixture
def make_lab(hall: Hall) -> Callable[..., Lab]:
    """Return a function that starts a machine with an application in it."""

    def make(application: Fake | None = None) -> Lab:
        guest = FakeGuest()
        inner = application or guest.chimerax
        url = hall.admit(guest)
        return Lab(guest, inner, Machine.at(url, hall.admit(inner)), url)

    return make
