"""The axial CT slice, drawn from the anatomy, with isodose lines where there is a dose."""

import json
from functools import lru_cache

import numpy as np
from PIL import Image
from starlette.responses import Response

from clinic.applications.radiation_tps import dosimetry, workspace
from clinic.toolkit import pictures
from clinic.visit import Visit

HEIGHT, WIDTH = 400, 500
GREY = {
    "Lungs": 0.10,
    "Mandible": 0.92,
    "Femoral head L": 0.9,
    "Femoral head R": 0.9,
    "Bladder": 0.47,
    "Rectum": 0.42,
}
LEVELS = (
    (1.07, (1.0, 1.0, 1.0)),
    (0.95, (1.0, 0.16, 0.16)),
    (0.9, (1.0, 0.62, 0.1)),
    (0.8, (1.0, 0.95, 0.2)),
    (0.5, (0.2, 0.9, 0.35)),
    (0.2, (0.25, 0.6, 1.0)),
)

Parts = tuple[tuple[str, tuple[tuple[float, float, float, float], ...]], ...]


def show(visit: Visit) -> Response:
    """Answer with the slice of a plan."""
    patient, plan = workspace.patient(visit), workspace.plan(visit)
    found = visit.db.execute(dosimetry.STRUCTURES, (patient["mrn"],)).fetchall()
    parts = tuple((row["name"], tuple(tuple(part) for part in json.loads(row["outline"]))) for row in found)
    image = np.repeat(_slice(parts, patient["spacing"], patient["grain"])[:, :, None], 3, axis=2)
    result = dosimetry.planned(visit.db, patient, plan) if plan["dose_state"] == "current" else None
    if result is not None and "plain" not in visit.query:
        _isodoses(image, result.dose.grid)
    return pictures.png(image)


def _place(
    parts: tuple[float, float, float, float], spacing: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return centre and radii in pixels, rows first."""
    x, y, rx, ry = parts
    scale = 5 / spacing
    return (HEIGHT / 2 + y * scale, WIDTH / 2 + x * scale), (ry * scale, rx * scale)


@lru_cache(maxsize=32)
def _slice(parts: Parts, spacing: float, grain: int) -> pictures.Picture:
    """Draw body, fat, bone and organs; contoured or not, they are there."""
    known = dict(parts)
    image = np.full((HEIGHT, WIDTH), 0.02, dtype=np.float32)
    (body,) = known["Body"]
    for shrink, grey in ((1.0, 0.30), (0.93, 0.44)):
        centre, radii = _place((body[0], body[1], body[2] * shrink, body[3] * shrink), spacing)
        _paint(image, pictures.ellipse(HEIGHT, WIDTH, centre, radii), grey)
    if "Brainstem" in known and "Spinal cord" not in known:
        centre, radii = _place((body[0], body[1], body[2] * 0.95, body[3] * 0.95), spacing)
        _paint(image, pictures.ellipse(HEIGHT, WIDTH, centre, radii), 0.92)
        centre, radii = _place((body[0], body[1], body[2] * 0.88, body[3] * 0.89), spacing)
        _paint(image, pictures.ellipse(HEIGHT, WIDTH, centre, radii), 0.48)
    for name, ellipses in parts:
        if name == "Spinal cord":
            for x, y, rx, ry in ellipses:
                centre, radii = _place((x, y - 0.4, rx * 2.5, ry * 2.3), spacing)
                _paint(image, pictures.ellipse(HEIGHT, WIDTH, centre, radii, soft=2), 0.9)
        if name != "Body":
            for ellipse in ellipses:
                centre, radii = _place(ellipse, spacing)
                mask = pictures.ellipse(HEIGHT, WIDTH, centre, radii, soft=2)
                _paint(image, mask, GREY.get(name, 0.58 if name == "PTV" else 0.52))
    image += (pictures.noise(grain, HEIGHT, WIDTH, 3) - 0.5) * 0.10 * (image > 0.05)
    return image


def _paint(image: pictures.Picture, mask: pictures.Picture, grey: float) -> None:
    image *= 1 - mask
    image += mask * grey


def _isodoses(image: pictures.Picture, grid: pictures.Picture) -> None:
    """Draw lines of equal dose, the highest on top."""
    enlarged = Image.fromarray(grid).resize((WIDTH, HEIGHT), Image.Resampling.BICUBIC)
    dose = np.asarray(enlarged, dtype=np.float32)
    for level, colour in reversed(LEVELS):
        above = dose >= level
        line = np.zeros_like(above)
        line[1:] |= above[1:] ^ above[:-1]
        line[:, 1:] |= above[:, 1:] ^ above[:, :-1]
        line[:-1] |= line[1:]  # two pixels wide
        image[line] = colour
