"""What synthesised pictures are made of: repeatable noise, soft shapes, PNG.

Pictures are arrays of shape (height, width) or (height, width, 3) with values from 0 to 1. Numbers that name a
seed come from the database, so that a picture is the same whenever it is asked for.
"""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from starlette.responses import Response

Picture = NDArray[np.float32]


def noise(seed: int, height: int, width: int, grain: int = 1) -> Picture:
    """Return smooth noise from 0 to 1 whose spots are about `grain` pixels wide."""
    rows, columns = -(-height // grain) + 1, -(-width // grain) + 1
    coarse = np.random.default_rng(seed).random((rows, columns), dtype=np.float32)
    if grain == 1:
        return coarse[:height, :width]
    image = Image.fromarray(coarse).resize((columns * grain, rows * grain), Image.Resampling.BICUBIC)
    return np.clip(np.asarray(image, dtype=np.float32)[:height, :width], 0.0, 1.0)


def grid(height: int, width: int) -> tuple[Picture, Picture]:
    """Return the row and the column of every pixel."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    return y, x


def ellipse(
    height: int,
    width: int,
    centre: tuple[float, float],
    radii: tuple[float, float],
    turn: float = 0.0,
    soft: float = 1.0,
) -> Picture:
    """Return a mask that is 1 inside an ellipse and falls off over `soft` pixels.

    `centre` is (row, column) and `radii` (along rows, along columns) in pixels, `turn` an angle in radians.
    """
    y, x = grid(height, width)
    dy, dx = y - centre[0], x - centre[1]
    along, across = dy * np.cos(turn) - dx * np.sin(turn), dy * np.sin(turn) + dx * np.cos(turn)
    distance = np.hypot(along / radii[0], across / radii[1])
    mask: Picture = np.clip((1.0 - distance) * min(radii) / max(soft, 1e-3) + 0.5, 0.0, 1.0)
    return mask


def png(picture: Picture) -> Response:
    """Answer with a picture."""
    pixels = (np.clip(picture, 0.0, 1.0) * 255).astype(np.uint8)
    held = io.BytesIO()
    Image.fromarray(pixels).save(held, "PNG", compress_level=1)
    return Response(held.getvalue(), media_type="image/png", headers={"cache-control": "no-store"})
