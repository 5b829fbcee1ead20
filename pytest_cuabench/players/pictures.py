"""Pictures as models take them: resized by us, so that nobody else does it and clicks do not drift."""

from __future__ import annotations

import base64
import io
import math
from dataclasses import dataclass

from PIL import Image

from pytest_cuabench.action import Size
from pytest_cuabench.errors import EnvironmentFailure


@dataclass(frozen=True, slots=True)
class Limit:
    """What a maker takes without shrinking it; the picture's shape is kept as nearly as whole pixels allow.

    Attributes:
        long_edge: Pixels of the longer side.
        pixels: Pixels in all.
        tile: Both sides are multiples of this.
        least: Pixels there must be at least.
    """

    long_edge: int | None = None
    pixels: int | None = None
    tile: int = 1
    least: int = 1

    def fit(self, size: Size) -> Size:
        """Return the largest size within the limit, never larger than it was but to reach `least` and the tile."""
        scale = 1.0
        if self.long_edge:
            scale = min(scale, self.long_edge / max(size))
        if self.pixels:
            scale = min(scale, math.sqrt(self.pixels / (size.width * size.height)))
        if size.width * size.height * scale**2 < self.least:
            scale = math.sqrt(self.least / (size.width * size.height))
            return Size(*(self.tile * math.ceil(side * scale / self.tile) for side in size))
        fitted = Size(*(max(self.tile, self.tile * round(side * scale / self.tile)) for side in size))
        if not self._within(fitted):
            fitted = Size(*(max(self.tile, self.tile * int(side * scale / self.tile)) for side in size))
        return fitted

    def _within(self, size: Size) -> bool:
        long_edge = self.long_edge or max(size)
        pixels = self.pixels or size.width * size.height
        return max(size) <= long_edge and size.width * size.height <= pixels


ANY = Limit()


def resized(png: bytes, size: Size) -> bytes:
    """Return the picture as PNG of a size, unchanged if it has it already.

    Raises:
        EnvironmentFailure: It is no picture.
    """
    try:
        with Image.open(io.BytesIO(png)) as picture:
            if picture.size == tuple(size):
                return png
            out = io.BytesIO()
            picture.convert("RGB").resize(size, Image.Resampling.LANCZOS).save(out, "PNG", compress_level=1)
            return out.getvalue()
    except OSError as error:
        raise EnvironmentFailure(f"the screenshot is no picture: {error}") from error


def size_of(png: bytes) -> Size:
    """Return the size of a picture.

    Raises:
        EnvironmentFailure: It is no picture.
    """
    try:
        with Image.open(io.BytesIO(png)) as picture:
            return Size(*picture.size)
    except OSError as error:
        raise EnvironmentFailure(f"the screenshot is no picture: {error}") from error


def data_url(png: bytes) -> str:
    """Return the picture as a `data:` URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
