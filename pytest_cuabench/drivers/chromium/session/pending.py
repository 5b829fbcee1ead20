"""Operations in progress that the screen waits for: requests, navigations, new tabs, downloads."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from contextlib import suppress


class Pending:
    """A set of things in progress, with an event for the moment it becomes empty."""

    def __init__(self) -> None:
        self._expiry: dict[Hashable, asyncio.TimerHandle | None] = {}
        self._empty = asyncio.Event()
        self._empty.set()

    def __bool__(self) -> bool:
        return bool(self._expiry)

    def begin(self, thing: Hashable, expires: float | None = None) -> None:
        """Add an operation; after `expires` seconds it no longer counts, since it may never end."""
        before = self._expiry.get(thing)
        if before is not None:
            before.cancel()
        loop = asyncio.get_running_loop()
        self._expiry[thing] = loop.call_later(expires, self.end, thing) if expires else None
        self._empty.clear()

    def end(self, thing: Hashable) -> None:
        """Remove an operation, if it is known."""
        if thing in self._expiry:
            timer = self._expiry.pop(thing)
            if timer is not None:
                timer.cancel()
        if not self._expiry:
            self._empty.set()

    def things(self) -> list[Hashable]:
        """Return the operations in progress."""
        return list(self._expiry)

    def clear(self) -> None:
        """Remove all operations."""
        for thing in self.things():
            self.end(thing)

    async def over(self, seconds: float) -> bool:
        """Wait until nothing is in progress; False when that took longer than `seconds`."""
        with suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                while self._expiry:  # includes operations that begin meanwhile
                    await self._empty.wait()
        return not self._expiry
