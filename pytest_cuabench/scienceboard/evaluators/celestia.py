"""Celestia: values found in a dump of time, bodies and settings."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.scienceboard.evaluators.finding import Finding, compared
from pytest_cuabench.scienceboard.items import Info


def info(item: Info, dump: Any) -> Finding:
    """Return whether the value found in the dump compares as said."""
    return compared(item.key, item.pred, item.value, dump)
