"""Screenshots: from Xvfb's memory file if there is one, else by requests."""

from __future__ import annotations

import io
import mmap
import struct
from pathlib import Path
from typing import Protocol

from PIL import Image

import guest.display as displays

_HEADER = struct.Struct(">25I")  # of an XWD file
_FAST = 1  # zlib's level: half the time of its default for pictures hardly larger, measured on application screens
_Z_PIXMAP, _ALL_PLANES = 2, 0xFFFFFFFF
_REPLY = 32  # bytes of each reply before its data


class Frames(Protocol):
    """A source of raw frames."""

    def raw(self) -> bytes:
        """Return the current frame: rows of BGRX pixels."""


class MemoryFile:
    """Frames from Xvfb's memory file, including the pointer."""

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._memory = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        header = _HEADER.unpack_from(self._memory)
        self.size = (header[4], header[5])
        self.stride: int = header[12]
        self._start: int = header[0] + header[19] * 12  # a header of variable length, then a palette

    def raw(self) -> bytes:
        """Copy the frame."""
        return self._memory[self._start : self._start + self.stride * self.size[1]]


class RequestedFrames:
    """Frames requested from the server, without the pointer."""

    def __init__(self, display: displays.Display) -> None:
        self._display = display
        self.size = display.size
        self.stride = self.size[0] * 4

    def raw(self) -> bytes:
        """Request the frame; for use in the display's thread."""
        display = self._display
        asked = display.core.GetImage(_Z_PIXMAP, display.root, 0, 0, *self.size, _ALL_PLANES)
        # Its `reply()` would make a list of all bytes, which takes longer than anything else of a desktop.
        return bytes(display.connection.wait_for_reply(asked.sequence).buf[_REPLY:])


class Screen:
    """The screen of a desktop."""

    def __init__(self, display: displays.Display, memory: Path | None) -> None:
        self._display = display
        self._asked = RequestedFrames(display)
        self._memory = MemoryFile(memory) if memory is not None else None
        self.size = display.size

    async def frame(self) -> bytes:
        """Return the raw bytes of the frame, for comparison."""
        return self._memory.raw() if self._memory else await self._display.run(self._asked.raw)

    async def image(self, cursor: bool = True) -> Image.Image:
        """Return the screen as an RGB picture."""
        if cursor and self._memory:
            return _picture(self._memory.raw(), self.size, self._memory.stride)
        picture = _picture(await self._display.run(self._asked.raw), self.size, self._asked.stride)
        return await self._display.run(lambda: _with_pointer(picture, self._display)) if cursor else picture

    async def cursor(self) -> tuple[int, int]:
        """Return the position of the pointer."""
        return await self._display.run(lambda: where(self._display))


def where(display: displays.Display) -> tuple[int, int]:
    """Return the position of the pointer; for use in the display's thread."""
    reply = display.core.QueryPointer(display.root).reply()
    return reply.root_x, reply.root_y


def png(picture: Image.Image) -> bytes:
    """Return a picture as a PNG file."""
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=_FAST)
    return file.getvalue()


def _picture(raw: bytes, size: tuple[int, int], stride: int) -> Image.Image:
    return Image.frombuffer("RGB", size, raw, "raw", "BGRX", stride, 1)


def _with_pointer(picture: Image.Image, display: displays.Display) -> Image.Image:
    shape = display.xfixes.GetCursorImage().reply()
    pixels = struct.pack(f"={shape.width * shape.height}I", *shape.cursor_image)
    pointer = Image.frombytes("RGBa", (shape.width, shape.height), pixels, "raw", "BGRa").convert("RGBA")
    picture.paste(pointer, (shape.x - shape.xhot, shape.y - shape.yhot), pointer)
    return picture
