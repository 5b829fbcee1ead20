"""Records of LibreOffice Writer that cannot be done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Values

from ..toolkit.plays import case, check, claimed_it, setup_of
from ..toolkit.plays import give_up as solve

__all__ = ["case", "check", "claimed_it", "setup", "solve"]


def setup(random: Random, values: Values) -> Iterable[Mapping[str, Any]]:
    """Prepare the desktop as the record says."""
    return setup_of(values)
