"""Small painting helpers for what the driver draws itself."""

from __future__ import annotations

import io
import zlib
from functools import cache
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont

if TYPE_CHECKING:
    from pytest_cuabench.task.action import Size

_PNG, _HEADER = b"\x89PNG\r\n\x1a\n", 33  # how it begins, and how long its beginning is in bytes
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_FACES = {
    False: ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf"),
    True: ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "Arialbd.ttf"),
}


@cache
def font(size: int, bold: bool = False) -> Font:
    """Return a readable font: one of the system, else the one Pillow brings."""
    for face in _FACES[bold]:
        try:
            return ImageFont.truetype(face, size)
        except OSError:
            continue  # not on this computer
    return ImageFont.load_default(size)


def width(text: str, face: Font) -> int:
    """Return how many pixels a line of text takes."""
    return int(face.getlength(text)) + 1


def shortened(text: str, face: Font, room: int) -> str:
    """Return the text, cut with an ellipsis where it does not fit."""
    if width(text, face) <= room:
        return text
    while text and width(text + "…", face) > room:
        text = text[:-1]
    return text + "…"


def wrapped(text: str, face: Font, room: int) -> list[str]:
    """Break a text into lines that fit; words longer than a line are cut."""
    lines = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in paragraph.split(" "):
            joined = f"{line} {word}" if line else word
            if width(joined, face) <= room:
                line = joined
                continue
            if line:
                lines.append(line)
            *whole, line = _cut(word, face, room)
            lines.extend(whole)
        lines.append(line)
    return lines


def _cut(word: str, face: Font, room: int) -> list[str]:
    """Cut a word into parts that fit."""
    parts = [""]
    for character in word:
        if parts[-1] and width(parts[-1] + character, face) > room:
            parts.append("")
        parts[-1] += character
    return parts


def picture(png: bytes) -> Image.Image:
    """Return the decoded picture."""
    return Image.open(io.BytesIO(png)).convert("RGB")


def checked(png: bytes, size: Size) -> bytes:
    """Return a picture that a machine sent: a PNG of this size that can be decoded.

    Raises:
        ValueError: It is another one; the message says what it is.
    """
    told = (int.from_bytes(png[16:20]), int.from_bytes(png[20:24]))  # before anything is decoded
    if not png.startswith(_PNG) or len(png) < _HEADER:
        raise ValueError("is no PNG")
    if told != size:
        raise ValueError("is of {}x{} pixels, not of {}x{}".format(*told, *size))
    try:
        with Image.open(io.BytesIO(png), formats=["PNG"]) as image:
            if image.size == size:
                image.load()
                return png
    except (OSError, SyntaxError, ValueError, zlib.error, Image.DecompressionBombError) as error:
        raise ValueError(f"cannot be decoded: {error}") from None
    raise ValueError("is of two sizes")


def png(image: Image.Image) -> bytes:
    """Return the picture as PNG, fast rather than small."""
    buffer = io.BytesIO()
    image.save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def zoomed(image: bytes, region: tuple[int, int, int, int], screen: Size) -> bytes:
    """Return a region scaled up as far as the screen's size allows, its proportions kept."""
    part = picture(image).crop(region)
    factor = min(screen.width / part.width, screen.height / part.height)
    size = (max(1, round(part.width * factor)), max(1, round(part.height * factor)))
    return png(part.resize(size, Image.Resampling.LANCZOS))


def blank(image: bytes) -> bool:
    """Whether a picture is of one single colour."""
    return all(low == high for low, high in picture(image).getextrema())  # type: ignore[misc]


def canvas(image: Image.Image) -> ImageDraw.ImageDraw:
    """Return a pen for a picture."""
    return ImageDraw.Draw(image)
