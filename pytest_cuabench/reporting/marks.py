"""Marks of actions on screenshots: as plain data for the HTML report, and drawn on a copy of the picture."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

_COLOUR = (213, 0, 110)
_HALO = (255, 255, 255)

Points = list[tuple[int, int]]


class Mark(NamedTuple):
    """A mark on a picture: a `ring` at a point, an `arrow` along a path, a `box` between two corners."""

    sign: str
    points: Points


def mark(action: Mapping[str, Any]) -> Mark | None:
    """Return the mark of an action by its coordinates; None for an action without them."""
    if action.get("x") is not None:
        return Mark("ring", [(int(action["x"]), int(action["y"]))])
    if "path" in action:
        return Mark("arrow", [(int(x), int(y)) for x, y in action["path"]])
    if "region" in action:
        left, top, right, bottom = map(int, action["region"])
        return Mark("box", [(left, top), (right, bottom)])
    return None


def marks(actions: Iterable[Mapping[str, Any]]) -> list[Mark]:
    """Return the marks of a step's actions, in order."""
    return [found for action in actions if (found := mark(action)) is not None]


def draw(png: bytes, signs: Iterable[Mark]) -> bytes:
    """Return a copy of the picture with the marks drawn on it."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as source:
        picture = source.convert("RGB")
    draw_on(picture, signs)
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def draw_on(picture: Image, signs: Iterable[Mark]) -> None:
    """Draw marks on a picture."""
    from PIL import ImageDraw

    pen = ImageDraw.Draw(picture)
    for sign in signs:
        _draw(pen, sign)


def _draw(pen: ImageDraw, sign: Mark) -> None:
    for colour, extra in ((_HALO, 4), (_COLOUR, 0)):  # the halo first: a mark shows on every background
        match sign.sign:
            case "ring":
                _circle(pen, sign.points[0], 16, colour, 4 + extra)
            case "arrow":
                pen.line(sign.points, colour, 4 + extra, joint="curve")
                _circle(pen, sign.points[0], 7, colour, 4 + extra)
                _head(pen, sign.points, colour, 4 + extra)
            case _:
                pen.rectangle([*sign.points[0], *sign.points[1]], outline=colour, width=4 + extra)


def _circle(pen: ImageDraw, centre: tuple[int, int], radius: int, colour: Any, width: int) -> None:
    x, y = centre
    reach = radius + width // 2
    pen.ellipse((x - reach, y - reach, x + reach, y + reach), outline=colour, width=width)


def _head(pen: ImageDraw, points: Points, colour: Any, width: int) -> None:
    (x0, y0), (x, y) = points[-2], points[-1]
    angle = math.atan2(y - y0, x - x0)
    for turn in (2.6, -2.6):
        pen.line((x, y, x + 18 * math.cos(angle + turn), y + 18 * math.sin(angle + turn)), colour, width)
