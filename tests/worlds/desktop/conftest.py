"""The guest's own package, importable as `guest`; it is a program's, and no part of the plugin."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from drivers.guests import Guest, absent

sys.path.insert(0, str(Path(__file__).parents[3] / "environments" / "desktop"))


@pytest.fixture(scope="module")
def desktop() -> Iterator[Guest]:
    """A guest of the module's own."""
    if reason := absent():
        pytest.skip(reason)
    guest = Guest()
    yield guest
    guest.close()
