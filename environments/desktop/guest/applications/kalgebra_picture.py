"""Reads from KAlgebra's picture the colour of a plot, and whether a surface was redrawn.

Measured on 22.12 with the Fusion style: the colour of a plot is a square in the second fifth of its cell; the highlight
of a selected row covers it with 30 % opacity. Surfaces are drawn in yellow.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from PIL import Image, ImageChops, ImageFilter

if TYPE_CHECKING:
    from guest.nodes import Box

Colour = tuple[int, int, int]

_SQUARE = 0.62  # of the cell's height: the sampled part
_PLAIN = 0.5  # share of equal pixels, below which the square is covered
_LAID_OVER = 0.3
_FEW = 40  # yellow pixels without a surface
_SAME_VIEW = 0.01  # share of the pixels outside of surfaces that may differ in the same view


def swatch(picture: Image.Image, cell: Box, selected: bool) -> str | None:
    """Return the colour of a plot as #rrggbb; None if it is covered or white."""
    x, y, _, height = cell
    half = round(height * _SQUARE / 2)
    middle = (x + round(height * 1.63), y + height // 2)
    colour = _main(picture.crop((middle[0] - half, middle[1] - half, middle[0] + half, middle[1] + half)))
    beside = _main(picture.crop((x + round(height * 0.95), y + 2, x + round(height * 1.05), y + height - 2)))
    if colour is None or beside is None or colour == beside:
        return None
    return "#{:02x}{:02x}{:02x}".format(*(_uncovered(colour, beside) if selected else colour))


def _main(part: Image.Image) -> Colour | None:
    """Return the most frequent colour."""
    pixels = Counter(part.getdata())
    total = part.width * part.height
    if not total:
        return None
    ((colour, count),) = pixels.most_common(1)
    return colour if count >= _PLAIN * total else None


def _uncovered(seen: Colour, over: Colour) -> Colour:
    red, green, blue = (
        max(0, min(255, round((a - _LAID_OVER * b) / (1 - _LAID_OVER))))
        for a, b in zip(seen, over, strict=True)
    )
    return red, green, blue


def yellow(picture: Image.Image) -> Image.Image:
    """Return a mask of the pixels that belong to a surface: as much red as green, and less blue."""
    red, green, blue = picture.split()
    alike = ImageChops.difference(red, green).point(lambda value: 255 if value <= 40 else 0)
    strong = ImageChops.subtract(ImageChops.darker(red, green), blue).point(
        lambda value: 255 if value >= 48 else 0
    )
    return ImageChops.darker(alike, strong)


def drawn(picture: Image.Image) -> bool:
    """Whether a surface is visible."""
    return yellow(picture).histogram()[255] >= _FEW


def same_view(before: Image.Image, after: Image.Image) -> bool:
    """Whether two pictures have the same view: axes and floor are equal outside of surfaces."""
    if before.size != after.size:
        return False
    beside = ImageChops.invert(ImageChops.lighter(_surface(before), _surface(after)))
    differs = ImageChops.difference(before, after).convert("L").point(lambda value: 255 if value > 24 else 0)
    changed = ImageChops.darker(differs, beside).histogram()[255]
    return changed <= _SAME_VIEW * max(1, _lines(before) + _lines(after))


def _lines(picture: Image.Image) -> int:
    """Return the number of pixels of axes and floor, which are neither black nor a surface."""
    lit = picture.convert("L").point(lambda value: 255 if value > 24 else 0)
    return ImageChops.darker(lit, ImageChops.invert(_surface(picture))).histogram()[255]


def _surface(picture: Image.Image) -> Image.Image:
    """Return a mask of a surface with the dark specks that KAlgebra leaves in that of an equation."""
    return yellow(picture).filter(ImageFilter.MaxFilter(3))
