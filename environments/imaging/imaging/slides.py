"""Whole slides of tissue, drawn tile by tile from a description of what is on them.

A slide is measured in millimetres from its upper left corner. The lowest magnification is drawn from a map of the
whole slide; higher ones add what only they can resolve: nuclei and mitoses.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

TILE = 512
SPACING = (0.016, 0.004, 0.001)  # millimetres a pixel, from the overview to the highest magnification
WIDTH_MM, HEIGHT_MM = 16.384, 8.192
LABEL_MM = 3.6  # the frosted end at the left, which carries the printed label
GLASS = (244, 243, 241)
MITOSIS_MM = 0.016  # across its clear halo

Point = tuple[float, float]
Colour = tuple[int, int, int]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Dyes:
    """What a stain colours: the tissue between the cells, tumour, nuclei."""

    stroma: Colour
    tumour: Colour
    nuclei: Colour
    tumour_nuclei: Colour


STAINS = {
    "hematoxylin and eosin": Dyes((232, 176, 200), (196, 132, 178), (104, 62, 140), (84, 44, 124)),
    "DAB immunohistochemistry": Dyes((222, 226, 236), (150, 98, 48), (96, 118, 170), (92, 52, 22)),
    "Masson's trichrome": Dyes((120, 158, 206), (206, 90, 100), (72, 44, 84), (70, 30, 60)),
}


PENS: dict[str, Colour] = {"blue": (24, 60, 190), "green": (10, 130, 60), "black": (20, 20, 24)}


@dataclass(frozen=True)
class Nodule:
    """A round tumour."""

    centre: Point
    diameter: float


@dataclass(frozen=True)
class Slide:
    """One glass slide.

    Attributes:
        label: What is printed on its frosted end.
        nodules: All tumours on it.
        ring: Centre of the pathologist's pen mark, a ring of RING_MM.
        mitoses: Centres of the dividing cells.
        glands: Whether the tissue holds glands or tubules; the liver has veins, without a wall of nuclei.
    """

    seed: int
    label: str
    stain: str
    nodules: tuple[Nodule, ...]
    ring: Point
    pen: str
    mitoses: tuple[Point, ...]
    glands: bool = True


RING_MM = 0.6


def size(level: int) -> tuple[int, int]:
    """Return width and height of a level in pixels."""
    return round(WIDTH_MM / SPACING[level]), round(HEIGHT_MM / SPACING[level])


def columns(level: int) -> int:
    """Return how many tiles are in a row of a level."""
    return math.ceil(size(level)[0] / TILE)


def frames(level: int) -> int:
    """Return how many tiles a level has."""
    return columns(level) * math.ceil(size(level)[1] / TILE)


def area(level: int, frame: int) -> tuple[float, float, float, float]:
    """Return the left, upper, right and lower edge of a tile, in millimetres."""
    row, column = divmod(frame, columns(level))
    side = TILE * SPACING[level]
    return column * side, row * side, (column + 1) * side, (row + 1) * side


@lru_cache(maxsize=512)
def tile(slide: Slide, level: int, frame: int) -> bytes:
    """Draw a tile as JPEG; frames are counted from 0, row by row."""
    left, upper, right, lower = area(level, frame)
    scale = SPACING[0]
    picture = _overview(slide).resize(
        (TILE, TILE), Image.Resampling.BICUBIC, (left / scale, upper / scale, right / scale, lower / scale)
    )
    draw = ImageDraw.Draw(picture)
    if level:
        _cells(slide, picture, level, frame)
    if level == len(SPACING) - 1:
        for mitosis in slide.mitoses:
            _mitosis(draw, slide, (mitosis[0] - left, mitosis[1] - upper), level)
    _marks(draw, slide, (left, upper), level)
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=80)
    return encoded.getvalue()


@lru_cache(maxsize=32)
def _overview(slide: Slide) -> Image.Image:
    """Draw the tissue of a whole slide at the lowest magnification."""
    dyes = STAINS[slide.stain]
    tissue, tumour, glands = _regions(slide)
    noise = _noise(slide.seed, 96)[..., None]
    colour = np.array(dyes.stroma) + noise * 14
    colour += glands[..., None] * (np.array(dyes.nuclei) - colour) * 0.55
    colour += tumour[..., None] * (np.array(dyes.tumour) + noise * 12 - colour)
    grain = np.random.default_rng(slide.seed).normal(0, 5, tissue.shape)[..., None]
    colour = np.array(GLASS) + tissue[..., None] * (colour + grain - np.array(GLASS))
    return Image.fromarray(colour.clip(0, 255).astype(np.uint8))


@lru_cache(maxsize=32)
def _regions(slide: Slide) -> tuple[Floats, Floats, Floats]:
    """Return how much tissue, tumour and walls of glands there is at each point of the overview."""
    width, height = size(0)
    y, x = np.mgrid[0:height, 0:width] * SPACING[0]
    edge = _noise(slide.seed + 1, 10) * 0.12
    centre = ((LABEL_MM + WIDTH_MM) / 2, HEIGHT_MM / 2)
    reach = np.hypot((x - centre[0]) / 5.9, (y - centre[1]) / 3.6) + edge
    tissue = _soft((1 - reach) * 3.6)
    tumour = np.zeros_like(tissue)
    for nodule in slide.nodules:
        away = np.hypot(x - nodule.centre[0], y - nodule.centre[1])
        tumour = np.maximum(tumour, _soft(nodule.diameter / 2 - away))
    walls = np.zeros_like(tissue)
    random = Random(slide.seed)  # noqa: S311 - repeatable on purpose
    for _ in range(110 if slide.glands else 26):
        place = (random.uniform(LABEL_MM, WIDTH_MM), random.uniform(0.4, HEIGHT_MM - 0.4))
        radius = random.uniform(0.09, 0.2) if slide.glands else random.uniform(0.05, 0.09)
        box = np.s_[
            max(0, int((place[1] - 0.4) / SPACING[0])) : int((place[1] + 0.4) / SPACING[0]),
            max(0, int((place[0] - 0.4) / SPACING[0])) : int((place[0] + 0.4) / SPACING[0]),
        ]
        away = np.hypot(x[box] - place[0], (y[box] - place[1]) * 1.2)
        outside = 1 - tumour[box]
        if slide.glands:
            walls[box] = np.maximum(walls[box], _soft(0.045 - abs(away - radius)) * outside)
        tissue[box] *= 1 - 0.85 * _soft(radius - 0.04 - away) * outside
    return tissue, tumour, walls


def _soft(inside: Floats) -> Floats:
    """Return 1 within and 0 without, over about two pixels of the overview; distances are in millimetres."""
    return np.clip(inside / (2 * SPACING[0]) + 0.5, 0, 1)


def _noise(seed: int, cells: int) -> Floats:
    """Return smooth noise over the whole slide, between -1 and 1."""
    grid = np.random.default_rng(seed).uniform(-1, 1, (cells // 2, cells)).astype(np.float32)
    return np.asarray(Image.fromarray(grid).resize(size(0), Image.Resampling.BICUBIC), dtype=np.float64)


def _cells(slide: Slide, picture: Image.Image, level: int, frame: int) -> None:
    """Draw the nuclei of a tile: ellipses where they can be told apart, otherwise dots."""
    dyes, draw, scale = STAINS[slide.stain], ImageDraw.Draw(picture), SPACING[level]
    left, upper, _, _ = area(level, frame)
    tissue, tumour, walls = _regions(slide)
    chance = np.random.default_rng((slide.seed, level, frame))
    pitch = 0.014 if level == 2 else 0.02
    count = int(TILE * scale / pitch)
    step = TILE / count
    places = (np.mgrid[0:count, 0:count].reshape(2, -1).T + chance.uniform(0.2, 0.8, (count**2, 2))) * step
    spots = ((places * scale + (upper, left)) / SPACING[0]).astype(int)
    spots[:, 0] = spots[:, 0].clip(0, tissue.shape[0] - 1)
    spots[:, 1] = spots[:, 1].clip(0, tissue.shape[1] - 1)
    here = tuple(spots.T)
    crowded = 0.16 + 0.6 * tumour[here] + 0.6 * walls[here]
    kept = chance.uniform(size=len(places)) < crowded * (tissue[here] > 0.6)
    radii = chance.uniform(0.0026, 0.0044, (len(places), 2)) / scale
    free = _free(slide, places * scale + (upper, left)) if level == 2 else kept
    for (row, column), (high, wide), spot in zip(places, radii, range(len(places)), strict=True):
        if kept[spot] and free[spot]:
            ink = dyes.tumour_nuclei if tumour[here][spot] > 0.5 else dyes.nuclei
            draw.ellipse((column - wide, row - high, column + wide, row + high), fill=ink)


def _free(slide: Slide, places: Floats) -> NDArray[np.bool_]:
    """Return which places are far enough from any mitosis to leave it in sight."""
    free = np.ones(len(places), dtype=bool)
    for x, y in slide.mitoses:
        free &= np.hypot(places[:, 1] - x, places[:, 0] - y) > MITOSIS_MM * 0.8
    return free


def _mitosis(draw: ImageDraw.ImageDraw, slide: Slide, place: Point, level: int) -> None:
    """Draw a dividing cell: a dark plate in a clear halo."""
    x, y = (value / SPACING[level] for value in place)
    if not -40 < x < TILE + 40 or not -40 < y < TILE + 40:
        return
    halo = MITOSIS_MM / 2 / SPACING[level]
    draw.ellipse((x - halo, y - halo, x + halo, y + halo), fill=(250, 240, 246))
    draw.rounded_rectangle((x - halo * 0.7, y - 2, x + halo * 0.7, y + 2), 2, fill=(22, 8, 40))


def _marks(draw: ImageDraw.ImageDraw, slide: Slide, corner: Point, level: int) -> None:
    """Draw what lies on the glass: the pen's ring, the frosted end and its label."""
    scale = SPACING[level]

    def at(x: float, y: float) -> Point:
        return (x - corner[0]) / scale, (y - corner[1]) / scale

    (x, y), radius = at(*slide.ring), RING_MM / 2 / scale
    draw.ellipse(
        (x - radius, y - radius, x + radius, y + radius),
        outline=PENS[slide.pen],
        width=max(2, round(0.05 / scale)),
    )
    if corner[0] < LABEL_MM:
        draw.rectangle((*at(0, 0), *at(LABEL_MM, HEIGHT_MM)), fill=(206, 218, 226))
        draw.rectangle((*at(0.2, 2.6), *at(LABEL_MM - 0.2, 5.6)), fill=(255, 255, 255))
        draw.multiline_text(
            at(LABEL_MM / 2, 4.1),
            slide.label,
            fill=(20, 20, 30),
            font=ImageFont.load_default(0.62 / scale),
            anchor="mm",
            align="center",
        )
