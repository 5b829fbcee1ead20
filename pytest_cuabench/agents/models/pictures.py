"""Pictures as models take them: resized by us, so that nobody else does it and clicks do not drift."""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.action import Size


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

    def __post_init__(self) -> None:
        """Refuse what no picture can be.

        Raises:
            ValueError: A number is less than 1.
        """
        given = (self.long_edge, self.pixels, self.tile, self.least)
        if any(value is not None and value < 1 for value in given):
            raise ValueError("long_edge, pixels, tile and least must be 1 or more")

    def fit(self, size: Size) -> Size:
        """Return the largest size within the limit, never larger than it was but to reach `least` and the tile."""
        scale = self._scale(size)
        fitted = self._tiled(size, scale, round)
        if not self._within(fitted):
            fitted = self._slim(self._tiled(size, scale, math.floor))
        if fitted.width * fitted.height < self.least:
            fitted = self._tiled(size, math.sqrt(self.least / (size.width * size.height)), math.ceil)
        return fitted

    def _scale(self, size: Size) -> float:
        by_edge = self.long_edge / max(size) if self.long_edge else 1.0
        by_pixels = math.sqrt(self.pixels / (size.width * size.height)) if self.pixels else 1.0
        return min(1.0, by_edge, by_pixels)

    def _tiled(self, size: Size, scale: float, whole: Callable[[float], int]) -> Size:
        return Size(*(self.tile * max(1, whole(side * scale / self.tile)) for side in size))

    def _slim(self, size: Size) -> Size:
        """Shorten what is so slim that its short side could not shrink with the long one."""
        if self._within(size) or self.pixels is None:
            return size
        longest = self.tile * max(1, self.pixels // (min(size) * self.tile))
        return Size(*(min(side, longest) if side == max(size) else side for side in size))

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
    # Pillow raises a SyntaxError for a broken PNG.
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise EnvironmentFailure(f"invalid screenshot: {error}") from error


def size_of(png: bytes) -> Size:
    """Return the size of a picture.

    Raises:
        EnvironmentFailure: It is no picture.
    """
    try:
        with Image.open(io.BytesIO(png)) as picture:
            return Size(*picture.size)
    except OSError as error:
        raise EnvironmentFailure(f"invalid screenshot: {error}") from error


def data_url(png: bytes) -> str:
    """Return the picture as a `data:` URL."""
    return f"data:image/png;base64,{base64.b64encode(png).decode()}"
