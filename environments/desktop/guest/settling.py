"""When the screen has come to rest: frames stop differing, a blinking caret aside."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable

from PIL import Image, ImageChops

from guest.screen import Screen

CAP = 3.0  # seconds that are waited at most
QUIET = 0.1  # seconds without news that count as rest
_EVERY = 0.015  # seconds between two looks
_CARET = (4, 64)  # pixels: a change as thin as this is a text cursor


async def settle(screen: Screen, cap: float = CAP, quiet: float = QUIET) -> bool:
    """Wait until the screen shows nothing new; return whether it came to rest before the cap.

    A frame that was there before is no news (blinking), nor is a change as thin as a text cursor.
    """
    return await _rest(screen.frame, screen.size, cap, quiet)


async def _rest(
    frame: Callable[[], Awaitable[bytes]], size: tuple[int, int], cap: float, quiet: float
) -> bool:
    clock = asyncio.get_running_loop().time
    end, last = clock() + cap, await frame()
    seen, news = {zlib.crc32(last)}, clock()
    while clock() < end:
        if clock() - news >= quiet:
            return True
        await asyncio.sleep(_EVERY)
        now = await frame()
        if now == last:
            continue
        mark = zlib.crc32(now)
        if mark not in seen and not _thin(last, now, size):
            news = clock()
        seen.add(mark)
        last = now
    return False


def _thin(before: bytes, after: bytes, size: tuple[int, int]) -> bool:
    stride = len(before) // size[1]
    first, second = (Image.frombuffer("RGB", size, raw, "raw", "BGRX", stride, 1) for raw in (before, after))
    box = ImageChops.difference(first, second).getbbox()
    return box is None or (box[2] - box[0] <= _CARET[0] and box[3] - box[1] <= _CARET[1])
