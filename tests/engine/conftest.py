"""A small world to play in, without a computer and without pytest."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))  # `small_world` lies here, and importlib mode adds no path

from small_world import Table

settings.register_profile("busy", deadline=None)  # a busy machine is no failure
settings.load_profile("busy")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A place to play at, with a run's folder of its own."""
    return Table(tmp_path / "run")
