"""Confined programs of the desktop."""

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
    """The result of a program; `code` is the negative signal number if a signal ended it."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Program:
    """A running program."""

    name: str
    process: asyncio.subprocess.Process
    log: Path

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.process.returncode is None

    @property
    def end(self) -> str:
        """A description of its end, with the last line of its output."""
        code = self.process.returncode or 0
        how = f"with signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
        return f"{how}{self._last_words()}"

    async def kill(self) -> None:
        """Kill it with its descendants."""
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
    stdin: int = asyncio.subprocess.DEVNULL,
    own_processes: bool = True,
) -> Program:
    """Start a program in a box; its output goes to a log that it cannot read."""
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *box.wrap(argv, folder, binds, own_processes),
            env=dict(environment),
            stdin=stdin,
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
    binds: Sequence[Place] = (),
) -> Done:
    """Run a program in a box to its end.

    Raises:
        TimeoutError: It did not end in time and was killed with its descendants.
    """
    process = await asyncio.create_subprocess_exec(
        *box.wrap(argv, folder, binds),
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
