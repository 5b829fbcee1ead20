"""How a transducer looks into the body: its field, its beams, and where a pixel of the display lies in them."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from clinic.toolkit.pictures import Picture

SAMPLES, LINES = 400, 200
Index = NDArray[np.int16]


@dataclass(frozen=True)
class Probe:
    """A transducer; `radius` 0 means parallel beams over `aperture`, else a fan of twice `angle` radians."""

    name: str
    frequencies: tuple[float, float]
    depths: tuple[float, float]
    usual: tuple[float, float]
    aperture: float = 0.0
    radius: float = 0.0
    angle: float = 0.0


PROBES = {
    "linear": Probe("Linear", (5.0, 15.0), (2.0, 9.0), (10.0, 5.0), aperture=4.2),
    "convex": Probe("Convex", (2.0, 6.0), (5.0, 28.0), (3.5, 15.0), radius=5.5, angle=0.56),
    "phased": Probe("Phased", (1.5, 4.5), (6.0, 26.0), (2.5, 16.0), radius=0.4, angle=0.74),
    "endocavity": Probe("Endocavity", (4.0, 10.0), (3.0, 13.0), (7.0, 8.0), radius=1.0, angle=1.1),
}


@dataclass(frozen=True, eq=False)
class Field:
    """The field of a probe at a depth: places of the beam samples in cm, and the way to the display.

    Attributes:
        x: Lateral place of each sample.
        y: Depth of each sample below the middle of the probe.
        along: Distance of each sample along its beam.
        row: For each pixel of the display, the sample along the beam.
        column: For each pixel of the display, the beam.
        seen: Which pixels lie in the field.
        scale: Pixels a centimetre.
    """

    x: Picture
    y: Picture
    along: Picture
    row: Index
    column: Index
    seen: NDArray[np.bool_]
    scale: float


def sagitta(probe: Probe) -> float:
    """Return how far the middle of a curved probe stands out beyond its edges, in cm."""
    return probe.radius * (1 - float(np.cos(probe.angle)))


def scale_of(probe: Probe, depth: float, height: int, width: int) -> float:
    """Return how many pixels a centimetre takes, so that the field fits the display."""
    if not probe.radius:
        return min(height / depth, width / probe.aperture)
    across = 2 * (probe.radius + depth) * float(np.sin(min(probe.angle, np.pi / 2)))
    return min(height / (depth + sagitta(probe)), width / across)


@lru_cache(maxsize=8)
def field(name: str, depth: float, height: int, width: int) -> Field:
    """Return the field of a probe for a display of this size."""
    probe, scale = PROBES[name], scale_of(PROBES[name], depth, height, width)
    along, beam = np.mgrid[0 : depth : SAMPLES * 1j, -1 : 1 : LINES * 1j].astype(np.float32)
    py, px = np.mgrid[0:height, 0:width].astype(np.float32)
    across, down = (px - width / 2) / scale, py / scale
    if not probe.radius:
        half = probe.aperture / 2
        x, y, distance, place = beam * half, along, down, across / half
    else:
        turn = beam * probe.angle
        x, y = (probe.radius + along) * np.sin(turn), (probe.radius + along) * np.cos(turn) - probe.radius
        rise = down + probe.radius * np.cos(probe.angle)
        distance, place = np.hypot(across, rise) - probe.radius, np.arctan2(across, rise) / probe.angle
    seen = (distance >= 0) & (distance <= depth) & (np.abs(place) <= 1)
    row = np.clip(distance / depth * (SAMPLES - 1), 0, SAMPLES - 1).astype(np.int16)
    column = np.clip((place + 1) / 2 * (LINES - 1), 0, LINES - 1).astype(np.int16)
    return Field(x, y, along, row, column, seen, scale)
