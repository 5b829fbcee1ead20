"""Sessions for callers without an event loop: they run on a thread, and share the environments of their process."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, ClassVar, TypeVar

from pytest_cuabench.serving.catalogue import Catalogue
from pytest_cuabench.serving.sessions import Session, Sessions

_T = TypeVar("_T")


class Shared:
    """A loop on a thread with the `Sessions` of a catalogue, for as long as they are used."""

    _running: ClassVar[dict[tuple[int, int], Shared]] = {}
    _lock: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, catalogue: Catalogue) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="cuabench", daemon=True)
        self._thread.start()
        self._sessions = self.wait(self._opened(catalogue))
        self._users = 0

    @classmethod
    def enter(cls, catalogue: Catalogue) -> Shared:
        """Return the sessions of this process, which begin with their first user."""
        with cls._lock:
            place = os.getpid(), id(catalogue)  # a forked process has no threads of its parent
            found = cls._running.get(place) or cls(catalogue)
            cls._running[place] = found
            found._users += 1
            return found

    def leave(self) -> None:
        """End them with their last user."""
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._end()

    def session(self) -> Session:
        """Return a new session, whose coroutines are given to `wait`."""
        return self._sessions.session()

    def wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine on the loop, and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    @classmethod
    def end_all(cls) -> None:
        """End what its users did not close."""
        with cls._lock:
            for (process, _), shared in list(cls._running.items()):
                if process == os.getpid():
                    with suppress(ExceptionGroup):
                        shared._end()

    async def _opened(self, catalogue: Catalogue) -> Sessions:
        return Sessions(catalogue)

    def _end(self) -> None:
        for place in [place for place, shared in self._running.items() if shared is self]:
            del self._running[place]
        try:
            self.wait(self._sessions.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()


atexit.register(Shared.end_all)
