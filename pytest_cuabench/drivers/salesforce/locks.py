"""Locks on the resources of an org that several workers share.

Every resource is a file that is locked during an episode that uses it; an exclusive task locks the whole org. Locks
are acquired in the same order, which avoids deadlocks, and are released when their process ends.
"""

from __future__ import annotations

import asyncio
import fcntl  # not filelock, which has no shared locks
import os
import re
from collections.abc import Iterable
from pathlib import Path

from pytest_cuabench.errors import EnvironmentFailure

_RETRY_DELAYS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)  # seconds; the last one is repeated
WHOLE = "org"


class OrgLocks:
    """The locks of one org that this process holds."""

    def __init__(self, folder: Path, patience: float = 3600.0) -> None:
        self._folder, self._patience = folder, patience
        self._held: list[int] = []

    async def take(self, resources: Iterable[str], *, exclusive: bool = False) -> None:
        """Wait for locks on the resources; `exclusive` locks the whole org.

        Raises:
            EnvironmentFailure: The timeout expired.
        """
        try:
            async with asyncio.timeout(self._patience):
                await self._wait(WHOLE, shared=not exclusive)
                for name in () if exclusive else sorted(set(resources)):
                    await self._wait(f"resource-{name}", shared=False)
        except TimeoutError:
            self.release()
            raise EnvironmentFailure(
                f"other workers touched the same parts of the org for more than {self._patience:g} s"
            ) from None
        except BaseException:
            self.release()
            raise

    def take_whole(self) -> bool:
        """Lock the whole org without waiting, if no other process holds a lock."""
        return self._try(WHOLE, shared=False)

    def release(self) -> None:
        """Release all locks."""
        while self._held:
            os.close(self._held.pop())

    async def _wait(self, name: str, *, shared: bool) -> None:
        # Asked for again and again: a lock that blocks would stop the event loop.
        number = 0
        while not self._try(name, shared=shared):
            await asyncio.sleep(_RETRY_DELAYS[min(number, len(_RETRY_DELAYS) - 1)])
            number += 1

    def _try(self, name: str, *, shared: bool) -> bool:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self._folder / f"{re.sub(r'[^A-Za-z0-9._-]', '_', name)}.lock"
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return False
        self._held.append(descriptor)
        return True
