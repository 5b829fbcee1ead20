"""How long this machine may take, and the one way to wait for what programs do in their own time."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from guest.errors import NotYet, Trouble

VARIABLE = "CUABENCH_PATIENCE"
# Seconds that the plugin adds to its own deadline for each of these (pytest_cuabench/task/durations.py): the guest
# gives up on typing and dragging before the plugin gives up on the guest.
CHARACTER, POINT = 0.1, 0.25

_T = TypeVar("_T")


def patient(seconds: float) -> float:
    """Return a limit for this machine: the usual one, times what `CUABENCH_PATIENCE` says.

    An emulated processor is many times slower than the one that limits are meant for.
    """
    said = os.environ.get(VARIABLE, "1")
    return seconds * (int(said) if re.fullmatch(r"[1-9]\d?", said) else 1)


STEP = patient(30.0)  # seconds for one step of preparing, on a machine with much else to do
_EVERY = 0.05


async def until(
    ask: Callable[[], Awaitable[_T]], complaint: str, seconds: float = STEP, every: float = _EVERY
) -> _T:
    """Ask again and again while the answer is `NotYet`, and return what came then.

    Raises:
        Trouble: It was not yet for all that time; the sentence is the complaint and why not, as told last.
    """
    clock = asyncio.get_running_loop().time
    end, told = clock() + seconds, "there was no answer"
    while clock() < end:
        try:
            async with asyncio.timeout_at(end):
                return await ask()
        except NotYet as reason:
            told = str(reason)
        except TimeoutError:
            break
        await asyncio.sleep(every)
    raise Trouble(f"{complaint} within {seconds:g} s: {told}")
