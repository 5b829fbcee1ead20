"""The picture on the screen: tissue under a probe, with the settings that a hand can turn.

Sound of a higher frequency makes finer speckle and fades earlier; gain brightens everything, noise included; the
focus is where speckle is narrowest.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PIL import Image

from clinic.applications.ultrasound import beams, tissue
from clinic.applications.ultrasound.tissue import Finding
from clinic.toolkit.pictures import Picture, noise, png

HEIGHT, WIDTH = 456, 640
UPPER = 270
RANGE_DB = 62.0
FLOOR_DB = -66.0
TOWARDS = np.array([0.95, 0.25, 0.08], dtype=np.float32)
AWAY = np.array([0.10, 0.35, 0.98], dtype=np.float32)


@dataclass(frozen=True)
class Settings:
    """Everything that the picture depends on besides the body."""

    probe: str
    mode: str
    depth: float
    gain: int
    frequency: float
    focus: float
    tgc: tuple[int, int, int]


def picture_height(mode: str) -> int:
    """Return how much of the display the sectional picture takes; the rest is a trace over time."""
    return UPPER if mode in ("pw", "m") else HEIGHT


@lru_cache(maxsize=96)
def draw(study: int, anatomy: str, finding: Finding, settings: Settings, shrink: int = 1) -> bytes:
    """Return the screen as PNG; a thumbnail leaves out all but each n-th pixel."""
    screen = _screen(study, anatomy, finding, settings)
    return bytes(png(screen[::shrink, ::shrink]).body)


def _screen(study: int, anatomy: str, finding: Finding, settings: Settings) -> Picture:
    height = picture_height(settings.mode)
    field = beams.field(settings.probe, settings.depth, height, WIDTH)
    echo, flow = tissue.build(anatomy, finding, field.x, field.y)
    grey = _grey(study, echo, field, settings)
    image = np.repeat(grey[field.row, field.column][..., None], 3, axis=2)
    if settings.mode == "colour":
        image = _coloured(study, image, flow[field.row, field.column])
    image *= field.seen[..., None]
    if height == HEIGHT:
        return image
    middle = flow[np.abs(flow).argmax() // beams.LINES]
    speed = float(np.abs(middle).max())
    trace = _spectrum(study, speed) if settings.mode == "pw" else _motion(study, grey[:, beams.LINES // 2])
    _mark_line(image, field)
    return np.concatenate([image, trace])


def _grey(study: int, echo: Picture, field: beams.Field, settings: Settings) -> Picture:
    """Compress echoes to grey values: speckle, fading with depth, gain by zone, noise of the receiver."""
    fading = 0.95 * settings.frequency * np.maximum(field.along - 48 / settings.frequency, 0)
    zone = np.interp(field.along[:, 0] / settings.depth, (0.1, 0.5, 0.9), settings.tgc)[:, None]
    amplify = (settings.gain - 50) * 0.55 + zone.astype(np.float32)
    uneven = 7 * noise(study + 7, beams.SAMPLES, beams.LINES, 40) - 3.5
    signal = _blurred(echo) + uneven + _speckle(study, field, settings) - fading
    floor = FLOOR_DB + 10 * noise(study + 9, beams.SAMPLES, beams.LINES) + 8 * field.along / settings.depth
    level = np.maximum(signal, floor) + amplify
    grey: Picture = np.clip((level + RANGE_DB - 8) / RANGE_DB, 0, 1)
    return grey


def _blurred(echo: Picture) -> Picture:
    """Let every edge spread over the beams beside it."""
    blurred = echo
    for axis in (0, 1, 1):
        blurred = (np.roll(blurred, 1, axis) + blurred + np.roll(blurred, -1, axis)) / np.float32(3)
    return blurred


def _speckle(study: int, field: beams.Field, settings: Settings) -> Picture:
    """Return interference in decibels: fine along the beam, and narrow across it around the focus."""
    axial = max(1.0, 0.24 / settings.frequency * beams.SAMPLES / settings.depth)
    narrow, wide = max(1.0, 9 / settings.frequency), max(2.0, 26 / settings.frequency)
    sharp = np.exp(-(((field.along - settings.focus) / (0.22 * settings.depth)) ** 2))
    grains = [_grains(study + n, axial, width) for n, width in enumerate((narrow, narrow, wide, wide))]
    real = sharp * grains[0] + (1 - sharp) * grains[2]
    imaginary = sharp * grains[1] + (1 - sharp) * grains[3]
    decibels: Picture = 20 * np.log10(np.hypot(real, imaginary) * 2.4 + 0.04)
    return decibels


def _grains(seed: int, axial: float, lateral: float) -> Picture:
    rows, columns = max(4, int(beams.SAMPLES / axial)), max(4, int(beams.LINES / lateral))
    coarse = Image.fromarray(noise(seed, rows, columns) * 2 - 1)
    resized = coarse.resize((beams.LINES, beams.SAMPLES), Image.Resampling.BILINEAR)
    return np.asarray(resized, dtype=np.float32)


def _coloured(study: int, image: Picture, flow: Picture) -> Picture:
    """Lay blood flow over a box in the middle: red towards the probe, blue away from it."""
    height, width = flow.shape
    box = np.zeros(flow.shape, dtype=bool)
    box[height // 8 : -height // 10, width // 6 : -width // 6] = True
    strength = np.abs(flow) * (0.6 + 0.4 * noise(study + 5, height, width, 7))
    mask = box & (strength > 0.1)
    hue = np.where(flow[mask][:, None] > 0, TOWARDS, AWAY)
    image[mask] = hue * (0.45 + 0.75 * strength[mask][:, None])
    edge = box & ~(np.roll(box, 1, 0) & np.roll(box, -1, 0) & np.roll(box, 1, 1) & np.roll(box, -1, 1))
    image[edge] = (0.25, 0.75, 0.45)
    return image


def _mark_line(image: Picture, field: beams.Field) -> None:
    """Draw the beam that the trace is taken from."""
    middle = WIDTH // 2
    image[:, middle][::6] = (0.25, 0.85, 0.5)
    image[:, middle + 1][::6] = (0.25, 0.85, 0.5)
    image *= np.where(field.seen, 1.0, image.max(axis=2) > 0.6)[..., None].astype(np.float32)


def _spectrum(study: int, speed: float) -> Picture:
    """Draw velocities over time: a steep rise and a slow fall with each beat."""
    height = HEIGHT - UPPER
    y, x = np.mgrid[0:height, 0:WIDTH].astype(np.float32)
    phase = (x / 150) % 1
    beat = np.where(phase < 0.14, phase / 0.14, 0.28 + 0.72 * np.exp(-(phase - 0.14) * 5)) * speed
    base, top = height * 0.78, height * 0.66
    above = (base - y) / top
    body = (
        np.clip((beat - above) * 12, 0, 1) * np.clip((above - beat * 0.35) * 8 + 0.25, 0.15, 1) * (above > 0)
    )
    grain = 0.45 + 0.55 * noise(study + 3, height, WIDTH, 2)
    grey = np.clip(body * grain, 0, 1)
    grey[int(base)] = 0.55
    return np.repeat(grey[..., None], 3, axis=2)


def _motion(study: int, line: Picture) -> Picture:
    """Draw one beam over time: what is deep moves with the heart."""
    height = HEIGHT - UPPER
    y, x = np.mgrid[0:height, 0:WIDTH].astype(np.float32)
    shift = 5 * np.sin(x / 17) * np.clip(1 - np.abs(y / height - 0.5) * 3, 0, 1)
    source = np.clip((y + shift) / height * (beams.SAMPLES - 1), 0, beams.SAMPLES - 1).astype(np.intp)
    grey = np.clip(line[source] * (0.85 + 0.3 * noise(study + 4, height, WIDTH, 2)), 0, 1)
    return np.repeat(grey[..., None], 3, axis=2)
