"""Turns at this computer, for episodes that are played at the same time.

A few of them use the computer at once and the others wait, which counts neither as the world's time nor towards a
deadline. So a page is not slow, and an action does not time out, because other episodes are busy.

Where the number of players is limited, one more episode than may be played is already reset and waits for a place, so
that its agent sees the first screen as soon as another one has finished.
"""

from __future__ import annotations

import asyncio
import copy
import os
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, nullcontext

_EACH_CORE = 4  # most of what an action takes is waiting for the next frames


class Turns:
    """Takes turns if `shared`; otherwise nobody waits.

    Attributes:
        playing: The number of episodes that have a place.
    """

    def __init__(self, *, shared: bool = False, players: int | None = None) -> None:
        # The cores that this process may use, which may be fewer than the computer has.
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        self._turn = asyncio.Semaphore(_EACH_CORE * cores) if shared else nullcontext()
        self._place = asyncio.Semaphore(players) if players else nullcontext()
        self.playing = 0

    def of_phase(self) -> Turns:
        """Return the turns for a phase of an episode that has a place already."""
        turns = copy.copy(self)
        # With one player a second place would be waited for until the first is free, and so for ever.
        turns._place = nullcontext()
        return turns

    @asynccontextmanager
    async def place(self) -> AsyncIterator[float]:
        """Keep one of the places for players during the block; yield the seconds that were waited for it."""
        start = time.perf_counter()
        async with self._place:
            self.playing += 1
            try:
                yield time.perf_counter() - start
            finally:
                self.playing -= 1

    @asynccontextmanager
    async def take(self, work: object) -> AsyncIterator[float]:
        """Keep a turn during the block, which awaits `work`; yield the seconds that were waited for it."""
        start, started = time.perf_counter(), False
        try:
            async with self._turn:
                started = True
                yield time.perf_counter() - start
        finally:
            if not started and isinstance(work, Coroutine):  # cancelled while waiting
                # Python warns of a coroutine that nobody awaits.
                work.close()
