"""Celestia and GRASS: values found in a dump of the application, or in what one of its modules printed."""

from __future__ import annotations

from typing import Any

from pytest_cuabench.scienceboard.evaluators.finding import Finding, compared
from pytest_cuabench.scienceboard.items import Db, Info


def info(item: Info, dump: Any) -> Finding:
    """Return whether the value found in the dump compares as said."""
    return compared(item.key, item.pred, item.value, dump)


def db(item: Db, printed: Any) -> Finding:
    """Return whether the value found in a module's output compares as said.

    The reply is `{"returncode", "output"}`, and the output plain data where JSON was asked for; null where the module
    failed, which an agent can bring about by removing the map.
    """
    return compared(item.key, item.pred, item.value, printed["output"])
