"""Slices of bodies that do not exist: anatomy from ellipses, noise, and one lesion of known place and size.

A slice is drawn when it is asked for. Values are Hounsfield units in CT, and arbitrary ones elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SIZE = 256  # pixels of an edge
Image = NDArray[np.float32]
Shape = tuple[float, float, float, float, float]  # centre across and down, half axes, value


@dataclass(frozen=True)
class Lesion:
    """A ball: its centre in pixels across and down, the slice of its middle (from 0), and millimetres across."""

    x: float
    y: float
    slice: int
    mm: float


@dataclass(frozen=True)
class Kind:
    """A kind of examination.

    Attributes:
        name: Of the series.
        spacing: Millimetres of a pixel.
        step: Millimetres from slice to slice.
        window: Width and centre that the images come with.
        lesion: The value of a lesion.
        noise: The deviation of the noise.
        shapes: What is drawn, the later over the earlier.
        sites: Where a lesion may lie, in pixels across and down; those on the left of the picture first.
        edge: Pixels by which the soft edge of a lesion reaches further out, so that its size is right between the
            window that the images come with, which hides a part of an edge against air, and that of the lungs.
    """

    key: str
    modality: str
    description: str
    name: str
    part: str
    slices: int
    spacing: float
    step: float
    window: tuple[int, int]
    air: float
    lesion: float
    noise: float
    shapes: tuple[Shape, ...]
    sites: tuple[tuple[float, float], ...]
    edge: float = 0.0


_TORSO: tuple[Shape, ...] = ((128, 128, 112, 82, -100), (128, 128, 104, 74, 45))
_SPINE: tuple[Shape, ...] = ((128, 176, 14, 13, 350), (128, 190, 5, 5, 20), (128, 203, 4, 9, 400))
_LUNGS: tuple[Shape, ...] = (
    (78, 122, 40, 56, -840),
    (178, 122, 40, 56, -840),
    (136, 112, 30, 34, 45),
    (128, 92, 6, 6, -950),
    (145, 163, 9, 9, 130),
)
_ABDOMEN: tuple[Shape, ...] = (
    (84, 118, 56, 48, 105),
    (200, 140, 22, 32, 120),
    (92, 172, 16, 20, 160),
    (168, 172, 16, 20, 160),
    (168, 104, 30, 22, 20),
    (134, 152, 9, 9, 150),
)
_NECK: tuple[Shape, ...] = (
    (128, 128, 78, 70, -100),
    (128, 130, 72, 64, 50),
    (128, 162, 18, 15, 400),
    (128, 184, 5, 5, 20),
    (128, 102, 11, 14, -990),
    (92, 124, 9, 9, 170),
    (164, 124, 9, 9, 170),
    (106, 96, 10, 15, 100),
    (150, 96, 10, 15, 100),
)
_HEAD: tuple[Shape, ...] = (
    (128, 128, 84, 104, 40),
    (128, 128, 80, 100, 950),
    (128, 128, 73, 93, 35),
    (128, 118, 1.2, 86, 60),
    (116, 120, 7, 26, 8),
    (140, 120, 7, 26, 8),
)


def _mr(shapes: tuple[Shape, ...], values: dict[float, float]) -> tuple[Shape, ...]:
    return tuple((*shape[:4], values.get(shape[4], 90)) for shape in shapes)


_CHEST_SITES = ((66.0, 112.0), (76.0, 146.0), (192.0, 112.0), (182.0, 146.0))
_LIVER_SITES = ((66.0, 108.0), (80.0, 128.0), (94.0, 104.0), (72.0, 120.0))
KINDS = {
    kind.key: kind
    for kind in (
        Kind("chest", "CT", "CT Chest", "Axial 5 mm", "CHEST", 30, 1.4, 5, (400, 40), -1000, 35, 12,
             (*_TORSO, *_LUNGS, *_SPINE), _CHEST_SITES, 0.2),
        Kind("abdomen", "CT", "CT Abdomen", "Axial 5 mm", "ABDOMEN", 28, 1.4, 5, (400, 40), -1000, 25, 10,
             (*_TORSO, *_ABDOMEN, *_SPINE), _LIVER_SITES),
        Kind("neck", "CT", "CT Neck", "Axial 3 mm", "NECK", 32, 0.9, 3, (400, 40), -1000, 115, 10,
             _NECK, ((74.0, 134.0), (78.0, 148.0), (182.0, 134.0), (178.0, 148.0))),
        Kind("head", "CT", "CT Head", "Axial 5 mm", "HEAD", 26, 0.9, 5, (80, 40), -1000, 72, 4,
             _HEAD, ((88.0, 100.0), (86.0, 150.0), (168.0, 100.0), (170.0, 150.0))),
        Kind("liver", "MR", "MR Liver", "T2 axial", "ABDOMEN", 24, 1.4, 6, (400, 200), 0, 330, 10,
             _mr((*_TORSO, *_ABDOMEN, *_SPINE), {-100: 240, 105: 110, 120: 200, 160: 260, 20: 380, 150: 10}),
             _LIVER_SITES),
        Kind("brain", "MR", "MR Brain", "T1 axial", "HEAD", 22, 0.9, 5, (400, 200), 0, 330, 8,
             _mr(_HEAD, {40: 240, 950: 20, 35: 150, 60: 60, 8: 40}),
             ((88.0, 100.0), (86.0, 150.0), (168.0, 100.0), (170.0, 150.0))),
        Kind("chest_film", "CR", "Chest PA", "PA", "CHEST", 1, 1.4, 5, (2000, 1000), 100, 900, 25,
             ((128, 128, 116, 110, 1200), (78, 116, 38, 72, 500), (178, 116, 38, 72, 500),
              (138, 150, 36, 40, 1400), (128, 128, 10, 110, 1700)), _CHEST_SITES),
    )
}  # fmt: skip
_ACROSS = np.arange(SIZE, dtype=np.float32)[np.newaxis, :]
_DOWN = np.arange(SIZE, dtype=np.float32)[:, np.newaxis]
_ALL = slice(None)


@lru_cache(maxsize=1024)
def pixels(key: str, variation: int, lesion: Lesion | None, number: int) -> bytes:
    """Return one slice as little-endian 16-bit values.

    Args:
        variation: Tells bodies of a kind apart.
        number: The slice, from 0.
    """
    kind = KINDS[key]
    random = np.random.default_rng((variation, number))
    image = np.full((SIZE, SIZE), kind.air, np.float32)
    for place, shape in enumerate(kind.shapes):
        _paint(image, *_ellipse(key, variation, number, place), shape[4])
    if key == "chest":
        _vessels(image, random)
    if lesion is not None:
        away = (number - lesion.slice) * kind.step
        radius = ((lesion.mm / 2) ** 2 - away**2) ** 0.5 / kind.spacing if abs(away) < lesion.mm / 2 else 0
        if radius:
            _paint(image, lesion.x, lesion.y, radius + kind.edge, radius + kind.edge, kind.lesion)
    image += random.normal(0, kind.noise, image.shape).astype(np.float32)
    return image.round().clip(-1024, 3000).astype("<i2").tobytes()


def outline(
    key: str, variation: int, number: int, place: int, shift: tuple[int, int] = (0, 0)
) -> NDArray[np.bool_]:
    """Return the pixels of one of the shapes of a body in a slice, moved by some."""
    x, y, wide, high = _ellipse(key, variation, number, place)
    inside: NDArray[np.bool_] = _away(x + shift[0], y + shift[1], wide, high) <= 1
    return inside


def _ellipse(key: str, variation: int, number: int, place: int) -> tuple[float, float, float, float]:
    """Return where one of the shapes of a body is in a slice: its centre and half axes, in pixels."""
    kind = KINDS[key]
    body = np.random.default_rng(variation).uniform(0.96, 1.04, 2)
    taper = 1 - 0.12 * abs(number / max(1, kind.slices - 1) - 0.5)  # a body is narrower at its ends
    across, down = taper * body
    x, y, wide, high, _ = kind.shapes[place]
    return 128 + (x - 128) * across, 128 + (y - 128) * down, wide * across, high * down


def _away(x: float, y: float, wide: float, high: float, part: tuple[slice, slice] = (_ALL, _ALL)) -> Image:
    """Return how far pixels are from the middle of an ellipse, on whose edge it is 1."""
    rows, columns = part
    away: Image = np.hypot((_ACROSS[:, columns] - x) / wide, (_DOWN[rows] - y) / high)
    return away


def _paint(image: Image, x: float, y: float, wide: float, high: float, value: float) -> None:
    """Fill an ellipse; a pixel on its edge takes a part of the value, as a scanner's does."""
    rows = slice(max(0, int(y - high) - 1), int(y + high) + 3)
    columns = slice(max(0, int(x - wide) - 1), int(x + wide) + 3)
    cover = ((1 - _away(x, y, wide, high, (rows, columns))) * min(wide, high) + 0.5).clip(0, 1)
    image[rows, columns] += cover * (value - image[rows, columns])


def _vessels(image: Image, random: np.random.Generator) -> None:
    """Draw what crosses the lungs; far smaller than any lesion."""
    for x, y in zip(random.uniform(45, 210, 26), random.uniform(75, 170, 26), strict=True):
        if image[int(y), int(x)] < -500:
            _paint(image, x, y, 1.3, 1.3, -20)
