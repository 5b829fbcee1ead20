"""Waits until a screen has settled, by comparing screenshots."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Awaitable, Callable

from PIL import Image, ImageChops

QUIET = 0.25  # seconds without a change
CAP = 3.0  # seconds to wait at most
_POLL = 0.05  # seconds between pictures
_CARET = (8, 64)  # pixels: maximum size of a blinking caret


async def wait_until_settled(look: Callable[[], Awaitable[bytes]], cap: float = CAP) -> None:
    """Wait until nothing but a caret has changed for `QUIET` seconds, at most `cap` seconds."""
    end = time.monotonic() + cap
    last = await _pixels(look)
    since = time.monotonic()
    while time.monotonic() < end and time.monotonic() - since < QUIET:
        await asyncio.sleep(_POLL)
        now = await _pixels(look)
        if changed(last, now):
            last, since = now, time.monotonic()


def changed(before: Image.Image, after: Image.Image) -> bool:
    """Whether more than a caret differs."""
    if before.size != after.size:
        return True
    box = ImageChops.difference(before, after).getbbox()
    return box is not None and (box[2] - box[0] > _CARET[0] or box[3] - box[1] > _CARET[1])


async def _pixels(look: Callable[[], Awaitable[bytes]]) -> Image.Image:
    return Image.open(io.BytesIO(await look())).convert("RGB")
