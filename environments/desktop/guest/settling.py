"""Waits until the screen has settled: input is consumed, and frames are equal except for a blinking caret."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable

from PIL import Image, ImageChops

from guest.timeouts import scaled

CAP = min(scaled(3.0), 15.0)  # seconds to wait at most
QUIET = scaled(0.06)  # seconds without a change: four frames of a usual toolkit
_UNCONFIRMED_QUIET = scaled(0.2)  # the same for programs that do not confirm their input
_EVERY = 0.012  # seconds between two frames
_IDLE_FOR, _IDLE = 0.3, 0.03  # seconds, and how many of them an idle desktop may use the processor
_CARET = (4, 64)  # pixels: maximum size of a caret
_POINTER = 800  # pixels: more than a pointer has


async def wait_until_idle(used: Callable[[], float], seconds: float) -> bool:
    """Wait until programs hardly use the processor; return whether they did in time.

    A browser's window has read its keys before its page has, which nothing else tells.
    """
    clock = asyncio.get_running_loop().time
    end, before = clock() + seconds, used()
    while clock() < end:
        await asyncio.sleep(_IDLE_FOR)
        now = used()
        if now - before <= _IDLE:
            return True
        before = now
    return False


def blank(frame: bytes, size: tuple[int, int]) -> bool:
    """Whether a frame shows one grey and no more than a pointer on it: an empty screen, or a window not yet drawn."""
    picture = Image.frombuffer("RGB", size, frame, "raw", "BGRX", len(frame) // size[1], 1)
    return max(picture.convert("L").histogram()) >= size[0] * size[1] - _POINTER


class Watch:
    """Detects changes of a screen to frames not seen before."""

    def __init__(self, frame: Callable[[], Awaitable[bytes]], size: tuple[int, int]) -> None:
        self._frame, self._size = frame, size
        self._last = b""
        self._seen: set[int] = set()

    async def news(self) -> bool:
        """Whether the screen shows a new frame.

        A frame seen before (something blinks) is not new, nor is a change of the size of a caret.
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
    """Wait until the programs have consumed their input and the screen shows nothing new for `quiet` seconds.

    The programs are pinged again at the end: one that was busy has not drawn yet. `quiet` is at least `QUIET`.

    Returns:
        Whether it settled before the cap (seconds).
    """
    clock = asyncio.get_running_loop().time
    end, watch = clock() + cap, Watch(frame, size)
    quiet = max(quiet, QUIET if await consumed() else _UNCONFIRMED_QUIET)
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
