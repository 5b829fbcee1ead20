"""Memory of a worker process with the browsers and worlds that it started."""

from __future__ import annotations

import os
import time
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_EVERY = 60.0  # seconds to cache a reading, which takes the kernel about 8 ms per process of a browser


def worker_memory() -> int:
    """Return the memory in bytes of this process and its children; shared pages count proportionally.

    On systems other than Linux only private pages are counted.
    """
    return _read(os.getpid(), int(time.monotonic() / _EVERY))


@lru_cache(maxsize=1)
def _read(pid: int, _: int) -> int:
    import psutil

    worker = psutil.Process(pid)
    return sum(_held(process) for process in (worker, *worker.children(recursive=True)))


def _held(process: psutil.Process) -> int:
    import psutil

    try:
        full = process.memory_full_info()
    except psutil.Error:  # it ended meanwhile
        return 0
    return int(getattr(full, "pss", full.uss))
