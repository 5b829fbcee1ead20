"""The CPU seconds of this process and all below it, which depend less on what else runs than the time on a clock."""

from __future__ import annotations

import time
from contextlib import suppress

import psutil


class Processor:
    """Reads what was spent since it was made; the reading itself does not count.

    A process that ended counts as it was when it was last read.

    Args:
        without: A process below this one that does not count.
    """

    def __init__(self, without: int | None = None) -> None:
        self._without, self._reading, self._before = without, 0.0, 0.0
        self._seen: dict[psutil.Process, float] = {}
        self._before = self.spent()

    def spent(self) -> float:
        """Return the CPU seconds so far."""
        began, this = time.process_time(), psutil.Process()
        for process in (this, *this.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                self._seen[process] = times.user + times.system if process.pid != self._without else 0.0
        total = sum(self._seen.values()) - self._reading - self._before
        self._reading += time.process_time() - began
        return total
