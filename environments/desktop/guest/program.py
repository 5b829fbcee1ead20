"""One running program of the desktop, inside its box."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from guest import processes
from guest.box import Box
from guest.places import Place

_LAST_WORDS = 400  # characters


@dataclass(frozen=True, slots=True)
class Done:
    """What a program that has ended said; `code` is negative for the signal that ended it."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Program:
    """A program that runs beside us."""

    name: str
    process: asyncio.subprocess.Process
    log: Path

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.returncode is None

    @property
    def end(self) -> str:
        """How it ended, in words, with the last line it wrote."""
        code = self.process.returncode or 0
        how = f"with signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        return f"{how}{self._last_words()}"

    async def kill(self) -> None:
        """End it with everything it started, at once."""
        await processes.end(self.process)

    def _last_words(self) -> str:
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - _LAST_WORDS))
            lines = file.read().decode(errors="replace").strip().splitlines()
        return f" ({lines[-1].strip()})" if lines else ""


async def start(
    box: Box,
    argv: Sequence[str],
    environment: Mapping[str, str],
    log: Path,
    folder: str = ".",
    binds: Sequence[Place] = (),
) -> Program:
    """Start a program in a box; what it writes goes to a log that it cannot read."""
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *box.wrap(argv, folder, binds),
            env=dict(environment),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    return Program(log.stem, process, log)


async def run(
    box: Box,
    argv: Sequence[str],
    environment: Mapping[str, str],
    folder: str = ".",
    stdin: bytes = b"",
    seconds: float = 20,
) -> Done:
    """Run a program in a box to its end.

    Raises:
        TimeoutError: It did not end in time; it and all that it started are gone.
    """
    process = await asyncio.create_subprocess_exec(
        *box.wrap(argv, folder),
        env=dict(environment),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        out, err = await asyncio.wait_for(process.communicate(stdin), seconds)
    finally:
        if process.returncode is None:
            await processes.end(process)
    return Done(process.returncode or 0, out, err)
