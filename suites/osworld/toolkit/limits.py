"""A limit of processor time for what reads an agent's documents: few bytes may ask a library for a billion cells."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLong(Exception):
    """The block took more processor time than it may."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise TooLong in the block once the process has used so much processor time in it; in the main thread only."""
    if threading.current_thread() is not threading.main_thread():  # the only one that signals reach
        yield
        return
    before = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)  # again each second, where a library swallows it
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong("it takes too long to read")
