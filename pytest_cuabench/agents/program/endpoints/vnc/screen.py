"""The live screen, and its pixels as a VNC client wants them."""

from __future__ import annotations

import asyncio
import struct
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from pytest_cuabench.agents.program.endpoints.exchange import Exchange
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Screenshot, Size
from pytest_cuabench.task.observation import ActionResult

Pixels = np.ndarray[Any, np.dtype[np.uint8]]
RAW, ZLIB, ZRLE = 0, 6, 16
_EACH = 0.2  # seconds between two looks at the screen
_TILE = 64
_LEVEL = 1  # of compression: the way is short


class ProtocolError(Exception):
    """Raised when a client sends what the protocol does not allow, or what this server does not know."""


class Box(NamedTuple):
    """A part of the screen in pixels."""

    x: int
    y: int
    width: int
    height: int


class LiveScreen:
    """Looks at the environment's screen between steps, for all clients together."""

    def __init__(self, exchange: Exchange, environment: Environment) -> None:
        self.size: Size = environment.screen
        self._exchange, self._environment = exchange, environment
        self._lock = asyncio.Lock()
        self._picture: Pixels | None = None
        self._taken, self._step = -_EACH, -1

    async def picture(self) -> Pixels | None:
        """Return the screen in RGB; None after the end. Looked at again after a step, but not too often otherwise."""
        async with self._lock:
            while True:
                after = self._exchange.steps
                wait = 0.0 if after != self._step else self._taken + _EACH - time.monotonic()
                if self._picture is not None and wait > 0:
                    return self._picture
                seen = await self._exchange.look(self._look)
                if seen is not None:
                    self._picture = await asyncio.to_thread(_decoded, seen, self.size)
                    self._taken, self._step = time.monotonic(), after
                    return self._picture
                if self._exchange.ended.is_set():
                    return None
                await asyncio.sleep(_EACH)  # the episode is about to end

    async def _look(self) -> bytes:
        seen: ActionResult = await self._environment.perform(Screenshot())
        if seen.image is None:
            raise EnvironmentFailure(f"the screen cannot be looked at: {seen.error or 'no picture came'}")
        return seen.image


def _decoded(png: bytes, size: Size) -> Pixels:
    """Return a picture in the size that clients were told, cut or with black around it where it is another."""
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB").crop((0, 0, *size)))


def changed(before: Pixels | None, now: Pixels, part: Box) -> Box | None:
    """Return the smallest box within a part that holds all changes; None if nothing changed."""
    if before is None:
        return part
    inside = np.s_[part.y : part.y + part.height, part.x : part.x + part.width]
    differs = (before[inside] != now[inside]).any(axis=2)
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not len(rows):
        return None
    top, bottom, left, right = int(rows[0]), int(rows[-1]), int(columns[0]), int(columns[-1])
    return Box(part.x + left, part.y + top, right - left + 1, bottom - top + 1)


def merged(before: Pixels | None, now: Pixels, part: Box) -> Pixels:
    """Return a picture that is new in a part only."""
    if before is None or (part.width, part.height) == now.shape[1::-1]:
        return now
    inside = np.s_[part.y : part.y + part.height, part.x : part.x + part.width]
    after = before.copy()
    after[inside] = now[inside]
    return after


@dataclass(frozen=True)
class PixelFormat:
    """How a client wants pixels."""

    bits: int = 32
    depth: int = 24
    big: bool = False
    most: tuple[int, int, int] = (255, 255, 255)
    shifts: tuple[int, int, int] = (16, 8, 0)

    @classmethod
    def parse(cls, data: bytes) -> PixelFormat:
        """Read a format as the protocol writes it.

        Raises:
            ProtocolError: It has a palette, or another number of bits than 8, 16 or 32.
        """
        bits, depth, big, true_colour, *colours = struct.unpack(">BBBBHHHBBB3x", data)
        if not true_colour or bits not in (8, 16, 32) or any(shift >= bits for shift in colours[3:]):
            raise ProtocolError(f"pixels of {bits} bits, true colour {true_colour}")
        red, green, blue, *shifts = colours
        return cls(bits, depth, bool(big), (red, green, blue), (shifts[0], shifts[1], shifts[2]))

    def pack(self) -> bytes:
        """Write the format as the protocol does."""
        return struct.pack(">BBBBHHHBBB3x", self.bits, self.depth, self.big, 1, *self.most, *self.shifts)

    def pixels(self, rgb: Pixels) -> Pixels:
        """Return the bytes of pixels: rows, columns, bytes."""
        # Colours of up to 16 bits, shifted by up to 31, do not fit into 32 bits.
        value = np.zeros(rgb.shape[:2], np.uint64)
        for band, (most, shift) in enumerate(zip(self.most, self.shifts, strict=True)):
            value |= ((rgb[..., band].astype(np.uint64) * most + 127) // 255) << np.uint64(shift)
        width = self.bits // 8
        packed = value.astype(f"{'>' if self.big else '<'}u{width}")
        return np.ascontiguousarray(packed).view(np.uint8).reshape(*rgb.shape[:2], width)

    @property
    def compact(self) -> slice:
        """The bytes of a pixel that ZRLE sends: three of four where all colours lie in them."""
        used = 0
        for most, shift in zip(self.most, self.shifts, strict=True):
            used |= most << shift
        if self.bits != 32 or self.depth > 24 or (used & 0xFF and used >> 24):
            return slice(None)
        low = not used >> 24
        return slice(0, 3) if low != self.big else slice(1, 4)


class Encoder:
    """Encodes parts of the screen for one client, with its streams of compressed data."""

    def __init__(self) -> None:
        self.format = PixelFormat()
        self.encoding = RAW
        self._streams = {kind: zlib.compressobj(_LEVEL) for kind in (ZLIB, ZRLE)}

    def choose(self, wanted: Sequence[int]) -> None:
        """Choose the first encoding that this server knows."""
        self.encoding = next((kind for kind in wanted if kind in (RAW, *self._streams)), RAW)

    def update(self, picture: Pixels, part: Box) -> bytes:
        """Return the message that shows a part of a picture."""
        x, y, width, height = part
        pixels = self.format.pixels(picture[y : y + height, x : x + width])
        if self.encoding == RAW:
            data = pixels.tobytes()
        else:
            # RFB has one stream for the whole connection; a flush makes each update complete.
            stream = self._streams[self.encoding]
            plain = pixels.tobytes() if self.encoding == ZLIB else b"".join(self._tiles(pixels))
            data = stream.compress(plain) + stream.flush(zlib.Z_SYNC_FLUSH)
            data = struct.pack(">I", len(data)) + data
        return struct.pack(">BxHHHHHi", 0, 1, x, y, width, height, self.encoding) + data

    def _tiles(self, pixels: Pixels) -> Iterator[bytes]:
        """Yield tiles: of one colour, or pixel by pixel."""
        compact = pixels[..., self.format.compact]
        for y in range(0, compact.shape[0], _TILE):
            for x in range(0, compact.shape[1], _TILE):
                tile = compact[y : y + _TILE, x : x + _TILE]
                single = bool((tile == tile[0, 0]).all())
                yield b"\1" + tile[0, 0].tobytes() if single else b"\0" + tile.tobytes()
