"""Memory of a worker process with the browsers and worlds that it started."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_EVERY = 5.0  # seconds to keep a reading, which takes some milliseconds per process
_SHARE = 0.01  # of the time that reading may take, with many processes

_kept = (0, 0.0)  # bytes, and until when


def worker_memory() -> int:
    """Return the memory in bytes of this process and its children; shared pages count proportionally.

    On systems other than Linux only private pages are counted.
    """
    global _kept
    start = time.monotonic()
    if start >= _kept[1]:
        held = _read()
        end = time.monotonic()
        _kept = held, end + max(_EVERY, (end - start) / _SHARE)
    return _kept[0]


def forget() -> None:
    """Read again at the next call."""
    global _kept
    _kept = (0, 0.0)


def _read() -> int:
    import psutil

    worker = psutil.Process()
    return sum(_held(process) for process in (worker, *worker.children(recursive=True)))


def _held(process: psutil.Process) -> int:
    import psutil

    try:
        full = process.memory_full_info()
    except psutil.Error:  # it ended meanwhile
        return 0
    return int(getattr(full, "pss", full.uss))
