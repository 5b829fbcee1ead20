"""Slices: a synthesised cross-section in Hounsfield units, seen through a window; MR and phantom beside it."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from clinic.toolkit import pictures
from clinic.toolkit.pictures import Picture

SIZE = 400
MIDDLE = SIZE / 2
AIR, FAT, WATER, MUSCLE, BRAIN, BLOOD, LIVER, BONE, LUNG = -1000, -100, 0, 55, 35, 42, 58, 700, -850
ENHANCED = 130
GRAIN = {"smooth": 3, "standard": 2, "sharp": 1, "bone": 1}
NOISE = {"smooth": 0.7, "standard": 1.0, "sharp": 1.8, "bone": 2.4}


@dataclass(frozen=True)
class Look:
    """What a CT slice depends on: where it lies, how it was scanned, and the window."""

    seed: int
    level: str  # head, chest or abdomen
    depth: float  # 0 at the top of that part, 1 at its bottom
    contrast: bool
    dose_mgy: float
    slice_mm: float
    kernel: str
    window: tuple[int, int]


def level_of(marks: dict[str, int], at: int) -> tuple[str, float]:
    """Return which part of the body a table position lies in, and how deep in it."""
    edges = (
        ("head", marks["vertex"], marks["apex"] - 30),
        ("chest", marks["apex"] - 30, marks["dome"] + 20),
        ("abdomen", marks["dome"] + 20, marks["symphysis"] + 60),
    )
    for name, low, high in edges:
        if at < high:
            return name, max(0.0, (at - low) / (high - low))
    return "abdomen", 1.0


@lru_cache(maxsize=16)
def ct(look: Look) -> Picture:
    """Return a CT slice as it looks on the screen."""
    parts = {"head": _head, "chest": _chest, "abdomen": _abdomen}
    hounsfield = parts[look.level](look)
    spread = 55.0 * NOISE[look.kernel] / np.sqrt(max(look.dose_mgy, 0.3) * look.slice_mm)
    grains = pictures.noise(look.seed, SIZE, SIZE, GRAIN[look.kernel]) - 0.5
    return through_window(hounsfield + grains * spread * 3.4, *look.window)


def through_window(hounsfield: Picture, width: int, level: int) -> Picture:
    """Return grey values of a window: black below it, white above it."""
    seen: Picture = np.clip((hounsfield - level) / width + 0.5, 0.0, 1.0)
    return seen


def _paint(
    picture: Picture, value: float, centre: tuple[float, float], radii: tuple[float, float]
) -> Picture:
    """Fill an ellipse with a value, in place; places are fractions of the picture from its middle."""
    row, column = MIDDLE + centre[0] * SIZE, MIDDLE + centre[1] * SIZE
    tall, wide = radii[0] * SIZE, radii[1] * SIZE
    top, bottom = max(0, int(row - tall) - 2), min(SIZE, int(row + tall) + 3)
    left, right = max(0, int(column - wide) - 2), min(SIZE, int(column + wide) + 3)
    part = picture[top:bottom, left:right]  # only what the ellipse can reach
    centre_here = (row - top, column - left)
    inside = pictures.ellipse(bottom - top, right - left, centre_here, (tall, wide), soft=1.5)
    part += (value - part) * inside
    return picture


def _body(radii: tuple[float, float], fat: float) -> Picture:
    picture = np.full((SIZE, SIZE), AIR, dtype=np.float32)
    picture = _paint(picture, FAT, (0, 0), radii)
    return _paint(picture, MUSCLE, (0, 0), (radii[0] - fat, radii[1] - fat))


def _spine(picture: Picture, row: float) -> Picture:
    picture = _paint(picture, BONE * 0.55, (row, 0), (0.045, 0.055))
    picture = _paint(picture, BONE, (row + 0.085, 0), (0.035, 0.012))
    return _paint(picture, WATER + 10, (row + 0.05, 0), (0.02, 0.024))


def _head(look: Look) -> Picture:
    size = 0.2 + 0.16 * np.sin(min(1.0, look.depth + 0.15) * np.pi / 1.4)
    picture = np.full((SIZE, SIZE), AIR, dtype=np.float32)
    picture = _paint(picture, MUSCLE, (0, 0), (size + 0.03, size * 0.82 + 0.03))
    picture = _paint(picture, BONE * 1.3, (0, 0), (size + 0.015, size * 0.82 + 0.015))
    picture = _paint(picture, BRAIN, (0, 0), (size - 0.012, size * 0.82 - 0.012))
    for side in (-1, 1):
        picture = _paint(picture, WATER + 6, (-0.05, side * 0.035), (0.075, 0.016))
    return _paint(picture, WATER + 8, (0.02, 0), (size - 0.05, 0.003))


def _chest(look: Look) -> Picture:
    picture = _body((0.28, 0.4), 0.025)
    blood = BLOOD + (ENHANCED if look.contrast else 0)
    wide = 0.1 + 0.06 * min(1.0, look.depth * 1.6)
    for side in (-1, 1):
        picture = _paint(picture, LUNG, (-0.01, side * 0.2), (0.19, wide))
        for number in range(4):
            place = (-0.1 + 0.055 * number, side * (0.14 + 0.03 * (number % 2)))
            picture = _paint(picture, blood - 20, place, (0.006, 0.006))
        picture = _paint(picture, BONE, (0.1, side * 0.34), (0.06, 0.012))
    heart = 0.05 + 0.09 * look.depth
    picture = _paint(picture, blood, (-0.07, 0.045), (heart, heart * 1.15))
    picture = _paint(picture, blood + 15, (0.09, 0.045), (0.026, 0.026))
    picture = _paint(picture, BONE, (-0.235, 0), (0.012, 0.04))
    return _spine(picture, 0.16)


def _abdomen(look: Look) -> Picture:
    picture = _body((0.27, 0.38), 0.04)
    boost = ENHANCED if look.contrast else 0
    picture = _paint(picture, FAT + 10, (-0.02, 0.03), (0.16, 0.26))
    if look.depth < 0.45:
        picture = _paint(picture, LIVER + boost * 0.4, (-0.04, -0.17), (0.17, 0.15))
        picture = _paint(picture, LIVER - 8 + boost * 0.5, (0.0, 0.25), (0.08, 0.06))
        for side in (-1, 1):
            picture = _paint(picture, BLOOD - 8 + boost, (0.1, side * 0.16), (0.055, 0.04))
    if look.depth > 0.6:
        picture = _paint(picture, WATER + 8, (-0.06, 0), (0.075, 0.1))
        for side in (-1, 1):
            picture = _paint(picture, BONE, (0.04, side * 0.25), (0.1, 0.03))
    for number in range(5):
        row = -0.1 + 0.05 * (number % 2)
        picture = _paint(picture, MUSCLE - 15 + boost * 0.3, (row, -0.12 + 0.07 * number), (0.028, 0.032))
    picture = _paint(picture, BLOOD + boost * 1.2, (0.07, 0.025), (0.024, 0.024))
    return _spine(picture, 0.15)


@lru_cache(maxsize=16)
def mr(region: str, seed: int, at: int, window: tuple[int, int]) -> Picture:
    """Return an MR slice; its values have no absolute meaning, so the window only stretches them."""
    values: Picture = (pictures.noise(seed, SIZE, SIZE) - 0.5) * 40
    if region == "Brain":
        size = 0.2 + 0.14 * float(np.sin((at / 100 * 0.8 + 0.1) * np.pi))
        values = _paint(values, 620, (0, 0), (size + 0.03, size * 0.82 + 0.03))
        values = _paint(values, 60, (0, 0), (size + 0.012, size * 0.82 + 0.012))
        values = _paint(values, 330, (0, 0), (size, size * 0.82))
        values = _paint(values, 250, (0, 0), (size - 0.05, size * 0.82 - 0.05))
        for side in (-1, 1):
            values = _paint(values, 850, (-0.03, side * 0.035), (0.07, 0.018))
    elif region == "Spine":
        for number in range(7):
            values = _paint(values, 300, (-0.4 + 0.13 * number, -0.03), (0.048, 0.065))
            values = _paint(values, 520, (-0.335 + 0.13 * number, -0.03), (0.012, 0.055))
        values = _paint(values, 880, (0, 0.075), (0.6, 0.022))
        values = _paint(values, 400, (0, 0.075), (0.2, 0.008))
    else:
        values = _paint(values, 480, (-0.26, 0), (0.24, 0.17))
        values = _paint(values, 460, (0.28, 0), (0.24, 0.15))
        values = _paint(values, 150, (0.01, 0), (0.02, 0.15))
        values = _paint(values, 760, (-0.02, 0.0), (0.012, 0.12))
    return through_window(values + 10, window[0] + 500, window[1] + 320)


@lru_cache(maxsize=8)
def phantom(seed: int, noise: float, ring: bool) -> Picture:
    """Return the water phantom in a narrow window, with the five regions that are measured."""
    values = np.full((SIZE, SIZE), AIR, dtype=np.float32)
    values = _paint(values, 120, (0, 0), (0.42, 0.42))
    values = _paint(values, WATER, (0, 0), (0.4, 0.4))
    if ring:
        y, x = pictures.grid(SIZE, SIZE)
        away = np.abs(np.hypot(y - MIDDLE, x - MIDDLE) - SIZE * 0.21)
        values += 26.0 * np.clip(2.4 - away, 0.0, 1.0)
    values += (pictures.noise(seed, SIZE, SIZE, 2) - 0.5) * noise * 3.4
    image = Image.fromarray((through_window(values, 100, 0) * 255).astype(np.uint8))
    pen = ImageDraw.Draw(image)
    for row, column in ((0, 0), (-0.3, 0), (0.3, 0), (0, -0.3), (0, 0.3)):
        y0, x0 = MIDDLE + row * SIZE, MIDDLE + column * SIZE
        pen.ellipse((x0 - 24, y0 - 24, x0 + 24, y0 + 24), outline=235)
    return np.asarray(np.asarray(image) / 255, np.float32)
