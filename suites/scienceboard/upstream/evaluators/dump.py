"""Celestia and GRASS: values found in a dump of the application, or in what one of its modules printed."""

from __future__ import annotations

from typing import Any

from ..items import Db, Info
from ..lambdas import Meter
from .finding import Finding, compared


def info(item: Info, dump: Any, *, meter: Meter) -> Finding:
    """Return whether the value found in the dump compares as said."""
    return compared(item.key, item.pred, item.value, dump, meter)


def db(item: Db, printed: Any, *, meter: Meter) -> Finding:
    """Return whether the value found in a module's output compares as said.

    The reply is `{"returncode", "output"}`, and the output plain data where JSON was asked for; null where the module
    failed, which an agent can bring about by removing the map.
    """
    return compared(item.key, item.pred, item.value, printed["output"], meter)
