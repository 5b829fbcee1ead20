"""What the endoscope sees: a tunnel of pink mucosa with folds, and what may lie in it."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from clinic.toolkit.pictures import Picture, ellipse, grid, noise, png

SIDE = 420
PINK = np.array([0.93, 0.58, 0.47], dtype=np.float32)
RED = np.array([0.75, 0.25, 0.20], dtype=np.float32)
YELLOW = np.array([1.00, 0.74, 0.58], dtype=np.float32)
POLYP = np.array([0.90, 0.42, 0.36], dtype=np.float32)
PALE = np.array([1.00, 0.72, 0.60], dtype=np.float32)
STOOL = np.array([0.42, 0.29, 0.10], dtype=np.float32)
METAL = np.array([0.05, 0.05, 0.06], dtype=np.float32)


def _angle_and_distance(centre: tuple[float, float]) -> tuple[Picture, Picture]:
    y, x = grid(SIDE, SIDE)
    dy, dx = y - centre[0], x - centre[1]
    return np.arctan2(dy, dx), np.hypot(dy, dx) / (SIDE / 2)


def _wall(study: int, light: Picture) -> Picture:
    """Return mucosa under a light: mottled, with a web of vessels."""
    mottled = 0.92 + 0.16 * (noise(study, SIDE, SIDE, 28) - 0.5)
    web = np.abs(noise(study + 1, SIDE, SIDE, 22) - 0.5)
    vessels = np.clip(1 - web * 26, 0, 1)[..., None] * 0.35
    colour = PINK * (1 - vessels) + RED * vessels
    wall: Picture = colour * (light * mottled)[..., None]
    return wall


def tunnel(study: int, corners: int = 3, depth: float = 1.0) -> Picture:
    """Return a view along the bowel: folds get closer towards the dark middle."""
    shift = noise(study + 2, 2, 2)
    centre = (SIDE * (0.44 + 0.12 * float(shift[0, 0])), SIDE * (0.44 + 0.12 * float(shift[0, 1])))
    angle, distance = _angle_and_distance(centre)
    bend = 1 + 0.12 * np.cos(corners * angle + study % 7)
    away = np.maximum(distance * bend, 0.02)
    folds = 0.5 + 0.5 * np.cos(9.5 * np.log(away) + 0.5 * np.sin(2 * angle + study % 5))
    light = np.clip(away * 1.5, 0, 1) ** (0.8 * depth) * (0.55 + 0.45 * folds**0.6)
    return _wall(study, light * np.clip(1.32 - distance * 0.45, 0.5, 1.1))


def pole(study: int) -> Picture:
    """Return the closed end of the caecum: three folds that meet, and no way on."""
    angle, distance = _angle_and_distance((SIDE / 2, SIDE / 2))
    folds = np.abs(np.cos(1.5 * angle + study % 5)) ** 0.5
    return _wall(study, np.clip(0.62 + 0.3 * folds - 0.15 * distance, 0, 1))


def _bump(
    image: Picture, study: int, centre: tuple[float, float], radius: float, colour: Picture, flat: float = 1.0
) -> None:
    """Lay a lit, mottled dome on the wall, with a shadow below it; only the pixels around it are touched."""
    half = int(radius * 1.6)
    top, left = max(0, int(centre[0]) - half), max(0, int(centre[1]) - half)
    patch = image[top : top + 2 * half, left : left + 2 * half]
    height, width = patch.shape[:2]
    row, column = centre[0] - top, centre[1] - left
    low = (row + radius * 0.25, column + radius * 0.1)
    shade = ellipse(height, width, low, (radius * flat * 1.12, radius * 1.12), soft=9)
    mask = ellipse(height, width, (row, column), (radius * flat, radius), soft=9)[..., None]
    y, x = grid(height, width)
    light = 1.08 - 0.55 * np.hypot((y - row + radius * 0.3) / flat, x - column + radius * 0.25) / radius
    mottled = 0.82 + 0.36 * noise(study + 5, height, width, 9)
    dome = colour * (np.clip(light, 0.5, 1.1) * mottled)[..., None]
    high = (row - radius * 0.35 * flat, column - radius * 0.3)
    glint = ellipse(height, width, high, (radius * 0.07, radius * 0.13), soft=3)[..., None]
    patch[:] = patch * (1 - 0.45 * shade)[..., None] * (1 - mask) + mask * dome + 0.55 * glint


def plain(study: int) -> Picture:
    """Return a stretch of bowel with nothing in it."""
    return tunnel(study)


def appendix(study: int) -> Picture:
    """Return the pole of the caecum with the crescent mouth of the appendix."""
    image = pole(study)
    ring = ellipse(SIDE, SIDE, (SIDE * 0.52, SIDE * 0.5), (52, 66), 0.3, 12)
    slit = ellipse(SIDE, SIDE, (SIDE * 0.53, SIDE * 0.5), (13, 34), 0.3, 5)
    lid = ellipse(SIDE, SIDE, (SIDE * 0.50, SIDE * 0.49), (13, 32), 0.3, 5)
    image *= (1 + 0.10 * ring)[..., None]
    image *= (1 - 0.92 * np.clip(slit - lid, 0, 1))[..., None]
    return image


def valve(study: int) -> Picture:
    """Return the two yellowish lips of the ileocaecal valve on a fold beside the lumen."""
    image = tunnel(study, depth=0.8)
    for offset in (-27, 27):
        _bump(image, study, (SIDE * 0.60 + offset, SIDE * 0.26), 66, YELLOW, 0.46)
    gap = ellipse(SIDE, SIDE, (SIDE * 0.60, SIDE * 0.26), (7, 52), 0.0, 4)
    image *= (1 - 0.9 * gap)[..., None]
    return image


def retroflexion(study: int) -> Picture:
    """Return the rectum from above: the shaft of the scope comes in beside the narrow anal canal."""
    angle, distance = _angle_and_distance((SIDE * 0.40, SIDE * 0.5))
    light = np.clip(0.95 - 0.35 * np.abs(distance - 0.55), 0, 1) * (0.85 + 0.15 * np.cos(14 * angle))
    image = _wall(study, light)
    y, x = grid(SIDE, SIDE)
    bend = SIDE * 0.5 + 26 * np.sin(y / 95)
    across = np.abs(x - bend)
    shaft = np.clip((34 - across) / 3, 0, 1) * (y < SIDE * 0.62 + 20)
    sheen = np.clip(1 - np.abs(x - bend + 12) / 7, 0, 1) * 0.35
    rings = ((y % 62) < 9) * 0.75
    body = METAL + (sheen + rings)[..., None]
    return (image * (1 - shaft[..., None]) + body * shaft[..., None]).astype(np.float32)


def polyp(study: int) -> Picture:
    """Return a polyp on the wall."""
    image = tunnel(study)
    _bump(image, study, (SIDE * 0.62, SIDE * 0.64), 52, POLYP)
    return image


def defect(study: int) -> Picture:
    """Return the wall where a lesion was taken off: a shallow pale floor within a red rim."""
    image = tunnel(study)
    place = (SIDE * 0.62, SIDE * 0.64)
    rim = ellipse(SIDE, SIDE, place, (41, 54), 0.3, 10)[..., None]
    floor = ellipse(SIDE, SIDE, place, (32, 44), 0.3, 8)[..., None]
    light = image.mean(axis=2, keepdims=True) / PINK.mean()
    light = np.clip(0.45 + 0.55 * light, 0, 1)
    speckled = 0.92 + 0.16 * noise(study + 3, SIDE, SIDE, 9)[..., None]
    image = image * (1 - 0.75 * rim) + 0.75 * rim * RED * light
    site: Picture = (image * (1 - floor) + floor * PALE * light * speckled).astype(np.float32)
    return site


def residue(study: int) -> Picture:
    """Return a stretch of bowel with a pool of stool."""
    image = tunnel(study)
    y, _ = grid(SIDE, SIDE)
    level = SIDE * 0.62 + 26 * (noise(study + 6, SIDE, SIDE, 60) - 0.5)
    pool = np.clip((y - level) / 6, 0, 1)[..., None] * 0.9
    lumps = 0.8 + 0.5 * noise(study + 7, SIDE, SIDE, 14)[..., None]
    return (image * (1 - pool) + STOOL * lumps * pool).astype(np.float32)


def stomach(study: int) -> Picture:
    """Return the antrum with the round pylorus."""
    return tunnel(study, corners=0, depth=0.6)


SCENES: dict[str, Callable[[int], Picture]] = {
    "plain": plain,
    "appendix": appendix,
    "valve": valve,
    "retroflexion": retroflexion,
    "polyp": polyp,
    "defect": defect,
    "residue": residue,
    "stomach": stomach,
}


@lru_cache(maxsize=96)
def draw(scene: str, study: int, shrink: int = 1) -> bytes:
    """Return what the scope sees as PNG, in the eight-sided frame of a video endoscope."""
    image = SCENES[scene](study)
    glare = np.clip(noise(study + 8, SIDE, SIDE, 12) - 0.93, 0, 1)[..., None] * 9
    y, x = grid(SIDE, SIDE)
    dy, dx = np.abs(y - SIDE / 2), np.abs(x - SIDE / 2)
    frame = ((dy + dx) < SIDE * 0.70) & (np.maximum(dy, dx) < SIDE * 0.49)
    framed = np.clip(image + glare * image, 0, 1) * frame[..., None]
    return bytes(png(framed[::shrink, ::shrink]).body)
