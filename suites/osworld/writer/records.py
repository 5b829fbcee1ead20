"""Records of LibreOffice Writer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import Any

from pytest_cuabench import Values

from ..toolkit.plays import case, check, left_unsaved, setup_of, slipped, solve

__all__ = ["case", "check", "left_unsaved", "setup", "slipped", "solve"]


def setup(random: Random, values: Values) -> Iterable[Mapping[str, Any]]:
    """Prepare the desktop as the record says."""
    return setup_of(values)
