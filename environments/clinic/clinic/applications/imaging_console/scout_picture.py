"""The scout: a projection of the body between two table positions, with a ruler in mm beside it."""

from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from clinic.toolkit import pictures
from clinic.toolkit.pictures import Picture

WIDTH, HEIGHT = 420, 480
BODY_MM = 460  # what the width shows
RULER = 46  # pixels at the left
Marks = tuple[tuple[str, int], ...]


@lru_cache(maxsize=16)
def draw(marks: Marks, seed: int, direction: str, from_mm: int, to_mm: int) -> Picture:
    """Return the picture; `marks` are the landmarks by name."""
    place = dict(marks)
    y = np.linspace(from_mm, to_mm, HEIGHT, dtype=np.float32)[:, None]
    x = np.linspace(-BODY_MM / 2, BODY_MM / 2, WIDTH, dtype=np.float32)[None, :]
    dense = _body(place, y, x, direction)
    if direction == "lateral":
        dense += _lateral_bones(place, y, x)
    else:
        dense += _lungs(place, y, x) + _spine(place, y, x) + _pelvis(place, y, x) + _skull(place, y, x)
    dense += (pictures.noise(seed, HEIGHT, WIDTH) - 0.5) * 0.05
    return _with_ruler(np.clip(dense, 0.0, 1.0), from_mm, to_mm)


def _soft(distance: Any, over: float = 6.0) -> Picture:
    """Return 1 where the distance to an edge is positive, falling off over some mm."""
    soft: Picture = np.clip(distance / over + 0.5, 0.0, 1.0).astype(np.float32)
    return soft


def _ellipse(y: Picture, x: Picture, middle: tuple[float, float], radii: tuple[float, float]) -> Picture:
    distance = np.sqrt(((y - middle[0]) / radii[0]) ** 2 + ((x - middle[1]) / radii[1]) ** 2)
    return _soft((1.0 - distance) * min(radii))


def _body(place: dict[str, int], y: Picture, x: Picture, direction: str) -> Picture:
    """Return the silhouette, thicker in the middle: an egg for the head, a smooth outline below it."""
    torso = place["symphysis"] - place["apex"]
    at = (
        place["skull_base"] + 10,
        place["skull_base"] + 55,
        place["apex"] - 30,
        place["apex"] + 30,
        place["dome"],
        place["apex"] + torso * 0.68,
        place["symphysis"] - 40,
        place["symphysis"] + 160,
    )
    side = direction == "lateral"
    widths = (64, 60, 84, 104, 118, 108, 122, 96) if side else (56, 58, 84, 196, 170, 152, 182, 172)
    half = np.convolve(np.pad(np.interp(y[:, 0], at, widths), 12, "edge"), np.ones(25) / 25, "valid")
    half = half[:, None]
    middle, tall = (place["vertex"] + place["skull_base"]) / 2, (place["skull_base"] - place["vertex"]) / 2
    head = _ellipse(y, x, (middle, 0.0), (tall + 6, 98.0 if side else 80.0))
    below = _soft(half - np.abs(x)) * _soft(y - place["skull_base"] + 12)
    depth = np.sqrt(np.clip(1 - (x / half) ** 2, 0, 1))
    legs = _soft(y - place["symphysis"] - 20) * _soft(14 - np.abs(x)) * (not side)
    torso_shade = below * (0.16 + 0.34 * depth) * (1 - 0.8 * legs)
    return np.asarray(np.maximum(torso_shade, 0.42 * head), np.float32)


def _lungs(place: dict[str, int], y: Picture, x: Picture) -> Picture:
    """Return the dark lungs from the apices to the recesses, and the heart and the domes that cut into them."""
    top, bottom = place["apex"], place["adrenals"] - 12
    middle, tall = (top + bottom) / 2, (bottom - top) / 2
    lungs = np.zeros_like(y + x)
    for side in (-1, 1):
        half = _ellipse(y, x, (middle, side * 84.0), (tall, 66.0))
        dome = place["dome"] + (0 if side < 0 else 14)
        cut = _ellipse(y, x, (dome + 130.0, side * 78.0), (130.0, 84.0))
        lungs += half * (1 - 0.75 * cut)
    heart = _ellipse(y, x, (place["dome"] - 48.0, 26.0), (62.0, 66.0))
    ribs = 0.5 + 0.5 * np.cos((y - top + np.abs(x) * 0.55) / 29.0 * 2 * np.pi)
    cage = _ellipse(y, x, (middle, 0.0), (tall + 20, 166.0))
    return np.asarray(-0.26 * lungs * (1 - heart) + 0.12 * heart + 0.07 * cage * ribs**3, np.float32)


def _spine(place: dict[str, int], y: Picture, x: Picture) -> Picture:
    column = _soft(17 - np.abs(x)) * _soft(y - place["skull_base"]) * _soft(place["symphysis"] - 62 - y)
    bodies = 0.75 + 0.25 * np.cos((y - place["apex"]) / 31.0 * 2 * np.pi)
    return np.asarray(0.28 * column * bodies, np.float32)


def _pelvis(place: dict[str, int], y: Picture, x: Picture) -> Picture:
    end = float(place["symphysis"])
    bones = np.zeros_like(y + x)
    for side in (-1, 1):
        wing = _ellipse(y, x, (end - 105.0, side * 88.0), (74.0, 52.0))
        hollow = _ellipse(y, x, (end - 92.0, side * 74.0), (52.0, 34.0))
        bones += 0.26 * np.clip(wing - 0.7 * hollow, 0, 1)
        bones += 0.26 * _ellipse(y, x, (end - 34.0, side * 92.0), (25.0, 25.0))
        bones += 0.18 * _soft(17 - np.abs(x - side * 104)) * _soft(y - end + 10)
    joint = _soft(46 - np.abs(x)) * _soft(y - end + 20) * _soft(end - y) * (1 - 0.6 * _soft(3 - np.abs(x), 2))
    return np.asarray(bones + 0.3 * joint, np.float32)


def _skull(place: dict[str, int], y: Picture, x: Picture) -> Picture:
    top, bottom = place["vertex"], place["skull_base"]
    middle, tall = (top + bottom) / 2, (bottom - top) / 2
    outer = _ellipse(y, x, (middle, 0.0), (tall, 74.0))
    inner = _ellipse(y, x, (middle, 0.0), (tall - 8, 66.0))
    base = _soft(54 - np.abs(x)) * _soft(9 - np.abs(y - bottom + 9))
    jaw = _ellipse(y, x, (bottom + 38.0, 0.0), (40.0, 46.0)) - _ellipse(
        y, x, (bottom + 26.0, 0.0), (40.0, 36.0)
    )
    bones = 0.34 * np.clip(outer - inner, 0, 1) + 0.22 * base + 0.2 * np.clip(jaw, 0, 1)
    return np.asarray(bones, np.float32)


def _lateral_bones(place: dict[str, int], y: Picture, x: Picture) -> Picture:
    back = np.interp(
        y[:, 0], (place["skull_base"], place["apex"], place["dome"], place["symphysis"]), (16, 44, 62, 66)
    )[:, None]
    spine = _soft(19 - np.abs(x - back)) * _soft(y - place["skull_base"])
    middle = (place["apex"] + place["adrenals"]) / 2
    lung = _ellipse(y, x, (middle, -8.0), ((place["adrenals"] - place["apex"]) / 2, 78.0))
    hip = _ellipse(y, x, (place["symphysis"] - 40.0, 6.0), (34.0, 34.0))
    bones = 0.3 * spine * (0.75 + 0.25 * np.cos(y / 31.0 * 2 * np.pi)) - 0.2 * lung + 0.24 * hip
    return np.asarray(bones, np.float32)


def _with_ruler(dense: Picture, from_mm: int, to_mm: int) -> Picture:
    image = Image.fromarray((dense * 255).astype(np.uint8))
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(12)
    for mm in range(-(-from_mm // 10) * 10, to_mm + 1, 10):
        row = (mm - from_mm) / (to_mm - from_mm) * (HEIGHT - 1)
        length = 14 if mm % 50 == 0 else 7 if mm % 20 == 0 else 4
        pen.line((0, row, length, row), fill=235)
        if mm % 50 == 0 and 6 < row < HEIGHT - 8:
            pen.text((RULER - 29, row - 7), str(mm), fill=235, font=font)
    return np.asarray(np.asarray(image) / 255, np.float32)
