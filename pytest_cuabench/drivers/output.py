"""The end of what a program prints, kept in bounded memory: a file of it could fill this computer's disk."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_KEPT = 16_384  # bytes
_LONGEST = 500  # characters of a line
_REST = 1.0  # seconds in which a program's last words are waited for


class Output:
    """What the programs of one pipe print. A thread reads it, so that they never wait for this process's loop."""

    def __init__(self) -> None:
        self._kept = b""
        self._reader: threading.Thread | None = None

    @contextmanager
    def pipe(self) -> Iterator[int]:
        """Open a pipe, and yield the descriptor to start a program with as its output."""
        reading, writing = os.pipe()
        self._reader = threading.Thread(
            target=self._read, args=(reading,), name="cuabench-output", daemon=True
        )
        self._reader.start()
        try:
            yield writing
        finally:
            # The program has a copy of its own; the reader's end comes when all copies are closed.
            os.close(writing)

    async def tail(self) -> bytes:
        """Return the last bytes; of a program that has ended, to its end."""
        if self._reader is not None:
            await asyncio.to_thread(self._reader.join, _REST)
        return self._kept

    async def lines(self) -> list[str]:
        """Return the last lines that are not empty, shortened."""
        lines = (
            line.strip()[:_LONGEST] for line in (await self.tail()).decode(errors="replace").splitlines()
        )
        return [line for line in lines if line]

    async def last_line(self) -> str:
        """Return the last line that is not empty; empty if there is none."""
        return (await self.lines() or [""])[-1]

    def _read(self, reading: int) -> None:
        # Unbuffered: a read returns what there is, and does not wait for more.
        with open(reading, "rb", buffering=0) as pipe:
            while chunk := pipe.read(65_536):
                self._kept = (self._kept + chunk)[-_KEPT:]
