"""Small records of our own making."""

from __future__ import annotations

import copy
from typing import Any

from cuabench_suite_scienceboard.upstream.records import Record, read_record

SMALL: dict[str, Any] = {
    "type": "KAlgebra",
    "sort": "VM",
    "steps": 5,
    "instruction": "Store one half in p.",
    "version": "0.1",
    "snapshot": "sci_bench",
    "initialize": [
        {"func": "launch", "wait": 2.5, "command": "/app/bin/kalgebra «PORTLIKE»", "shell": True},
        {"func": "tab", "index": 0},
    ],
    "evaluate": [{"type": "val", "key": "p", "value": 0.5}],
}


def small(name: str = "A-01", **changes: Any) -> Record:
    """Return a small record of our own; `changes` replace its fields, None takes one away."""
    data = {**copy.deepcopy(SMALL), **changes}
    return read_record({key: value for key, value in data.items() if value is not None}, name, name)
