"""Waiting until a world says that it is idle."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

_FIRST, _LONGEST = 0.02, 0.5  # seconds between asking twice


async def until_idle(ask: Callable[[], Awaitable[tuple[str, ...] | None]], seconds: float) -> tuple[str, ...]:
    """Ask a world what it still does until that is nothing; return what is left after `seconds`."""
    clock, pause = asyncio.get_running_loop().time, _FIRST
    end = clock() + seconds
    while work := await ask() or ():
        if clock() >= end:
            return work
        await asyncio.sleep(min(pause, max(0.0, end - clock())))
        pause = min(2 * pause, _LONGEST)
    return ()
