"""How the programs of worlds and desktops are ended."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress

_POLITE = 5.0  # seconds between SIGTERM and SIGKILL


async def stop(process: asyncio.subprocess.Process) -> None:
    """Terminate a program, so that it ends what it started; kill it after 5 s. Close its pipes, however it ended."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.send_signal(number)
            with suppress(TimeoutError):
                await asyncio.wait_for(_ended(process), _POLITE)
    with suppress(TimeoutError):
        await asyncio.wait_for(process.communicate(b""), 1)
    process._transport.close()  # type: ignore[attr-defined]  # a program that it left behind may hold its pipes


async def _ended(process: asyncio.subprocess.Process) -> None:
    while process.returncode is None:  # `wait` also waits for a program that holds its pipes
        await asyncio.sleep(0.01)
