"""Timeouts scaled to the speed of the machine, and waiting with retries."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from typing import TypeVar

from guest.errors import DesktopFailure, NotReady

VARIABLE = "CUABENCH_PATIENCE"
# Seconds for each character or point, as in the plugin's own deadline (pytest_cuabench/task/action.py): the guest's
# timeout of typing and dragging must come first.
CHARACTER, POINT = 0.1, 0.25

_T = TypeVar("_T")


def scaled(seconds: float) -> float:
    """Return a timeout multiplied by `CUABENCH_PATIENCE`.

    Emulated processors need longer timeouts.
    """
    said = os.environ.get(VARIABLE, "1")
    return seconds * (int(said) if re.fullmatch(r"[1-9]\d?", said) else 1)


STEP = scaled(30.0)  # seconds for one step of a setup
_EVERY = 0.05


async def wait_until(
    check: Callable[[], Awaitable[_T]], complaint: str, seconds: float = STEP, every: float = _EVERY
) -> _T:
    """Call `check` until it does not raise `NotReady`, and return its result.

    Raises:
        DesktopFailure: The timeout expired; the message is `complaint` with the last reason.
    """
    clock = asyncio.get_running_loop().time
    end, last_reason = clock() + seconds, "there was no answer"
    while clock() < end:
        try:
            async with asyncio.timeout_at(end):
                return await check()
        except NotReady as reason:
            last_reason = str(reason)
        except TimeoutError:
            break
        await asyncio.sleep(every)
    raise DesktopFailure(f"{complaint} within {seconds:g} s: {last_reason}")
