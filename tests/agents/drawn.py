"""Small screens that are drawn, for players that read pixels."""

from __future__ import annotations

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFont

SIZE = (640, 360)
_INK, _PAPER, _LINE, _GROUND = (28, 34, 44), (255, 255, 255), (140, 150, 165), (240, 243, 246)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class Drawing:
    """A page to draw labels, fields and buttons on."""

    def __init__(self) -> None:
        self._image = Image.new("RGB", SIZE, _GROUND)
        self._draw = ImageDraw.Draw(self._image)

    def text(self, x: int, y: int, words: str, size: int = 16) -> Drawing:
        """Write words; the point is their top left corner."""
        self._draw.text((x, y), words, fill=_INK, font=_font(size))
        return self

    def field(self, x: int, y: int, width: int, holds: str = "", height: int = 30) -> Drawing:
        """Draw an input field with what it holds."""
        self._draw.rectangle((x, y, x + width, y + height), fill=_PAPER, outline=_LINE)
        return self.text(x + 8, y + 6, holds) if holds else self

    def button(self, x: int, y: int, words: str, width: int = 110, height: int = 32) -> Drawing:
        """Draw a button with its words on a ground of its own."""
        self._draw.rectangle((x, y, x + width, y + height), fill=(24, 96, 122))
        self._draw.text((x + 14, y + 7), words, fill=(255, 255, 255), font=_font(16))
        return self

    def png(self) -> bytes:
        """Return the picture."""
        out = io.BytesIO()
        self._image.save(out, "PNG")
        return out.getvalue()
