"""When the screen has come to rest: input is consumed and frames stop differing, a blinking caret aside."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable

from PIL import Image, ImageChops

from guest.patience import patient

CAP = min(patient(3.0), 15.0)  # seconds that are waited at most
QUIET = patient(0.06)  # seconds without news that count as rest: four frames of a usual toolkit
_DEAF = patient(0.2)  # the same for programs that do not tell whether they have consumed their input
_EVERY = 0.012  # seconds between two looks
_CARET = (4, 64)  # pixels: a change as thin as this is a text cursor


class Watch:
    """Tells news on a screen from what was there before."""

    def __init__(self, frame: Callable[[], Awaitable[bytes]], size: tuple[int, int]) -> None:
        self._frame, self._size = frame, size
        self._last = b""
        self._seen: set[int] = set()

    async def news(self) -> bool:
        """Whether the screen shows what it did not show at any look before.

        A frame that was there already is no news (something blinks), nor is a change as thin as a text cursor.
        """
        now, before = await self._frame(), self._last
        if now == before:
            return False
        self._last = now
        mark = zlib.crc32(now)
        known = mark in self._seen
        self._seen.add(mark)
        return not known and not (before and self._thin(before, now))

    def _thin(self, before: bytes, after: bytes) -> bool:
        stride = len(before) // self._size[1]
        pictures = [
            Image.frombuffer("RGB", self._size, raw, "raw", "BGRX", stride, 1) for raw in (before, after)
        ]
        box = ImageChops.difference(*pictures).getbbox()
        return box is None or (box[2] - box[0] <= _CARET[0] and box[3] - box[1] <= _CARET[1])


async def settle(
    frame: Callable[[], Awaitable[bytes]],
    size: tuple[int, int],
    consumed: Callable[[], Awaitable[bool]],
    cap: float = CAP,
    quiet: float = QUIET,
) -> bool:
    """Wait until the programs have consumed their input and the screen shows nothing new for a while.

    The programs are asked again at the end: one that was busy meanwhile did not draw, but may yet. The while is
    `quiet` seconds, and never less than usual.

    Returns:
        Whether it came to rest before the cap (seconds).
    """
    clock = asyncio.get_running_loop().time
    end, watch = clock() + cap, Watch(frame, size)
    quiet = max(quiet, QUIET if await consumed() else _DEAF)
    await watch.news()
    since = clock()
    while clock() < end:
        await asyncio.sleep(_EVERY)
        if await watch.news():
            since = clock()
        elif clock() - since >= quiet:
            await consumed()
            if clock() - since < 2 * quiet and not await watch.news():
                return True
            since = clock()
    return False
