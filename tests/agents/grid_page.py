"""A page with targets all over the screen, and a model that finds them on the picture it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import NamedTuple

import numpy
from PIL import Image
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from pytest_cuabench.task.action import Click, Size

SIDE, ROWS, EDGE = (
    12,
    9,
    1,
)  # pixels of a target, targets in a row, pixels between the outer ones and the edge
TARGETS = ROWS * ROWS
_DARK = 128

PAGE = f"""<!doctype html><meta charset=utf-8><title>Grid</title>
<style>
  html, body {{ margin: 0; height: 100%; overflow: hidden; background: #fff; user-select: none; }}
  button {{ position: absolute; width: {SIDE}px; height: {SIDE}px; border: 0; padding: 0; background: #000; }}
  button:focus {{ outline: 0; }}
  #out {{ position: absolute; left: 0; top: {EDGE + SIDE + 2}px; margin: 0; color: #fff; font-size: 1px; }}
</style>
<p id=out></p>
<script>
  const place = (number, length) => Math.round({EDGE} + number * (length - {SIDE + 2 * EDGE}) / {ROWS - 1}) + "px";
  for (let number = 0; number < {TARGETS}; number++) {{
    const target = document.createElement("button");
    target.style.left = place(number % {ROWS}, innerWidth);
    target.style.top = place(Math.floor(number / {ROWS}), innerHeight);
    target.ariaLabel = "target " + number;
    target.dataset.number = number;
    document.body.append(target);
  }}
  addEventListener("click", (event) => {{
    const number = event.target.dataset.number ?? -1, box = event.target.getBoundingClientRect();
    const off = [event.clientX + 0.5 - box.x - {SIDE / 2}, event.clientY + 0.5 - box.y - {SIDE / 2}];
    out.textContent += [number, ...off].join() + " ";
  }}, true);
</script>"""


def application() -> Starlette:
    """Return the page's application."""

    async def page(_: Request) -> Response:
        return HTMLResponse(PAGE)

    return Starlette(routes=[Route("/", page)])


class Landed(NamedTuple):
    """A click: the target's number, -1 where there was none, and how far from its middle it was."""

    target: int
    right: float
    down: float


@dataclass(frozen=True)
class Score:
    """What the page saw."""

    landed: tuple[Landed, ...]

    @classmethod
    def read(cls, text: str) -> Score:
        """Read what the page wrote down."""
        clicks = (click.split(",") for click in text.split())
        return cls(tuple(Landed(int(number), float(right), float(down)) for number, right, down in clicks))

    @property
    def hits(self) -> int:
        """How many of the targets were hit."""
        return len({click.target for click in self.landed} - {-1})

    @property
    def beside(self) -> int:
        """How many clicks hit nothing."""
        return sum(click.target < 0 for click in self.landed)

    @property
    def drift(self) -> float:
        """The largest distance of a hit from the middle, along one axis, in pixels of the screen."""
        return max((max(abs(c.right), abs(c.down)) for c in self.landed if c.target >= 0), default=0.0)


def find_targets(picture: Image.Image) -> Sequence[Click]:
    """Return clicks on the middles of the targets, in pixels of the picture, as whoever looks at it would."""
    dark = numpy.asarray(picture.convert("L")) < _DARK
    across, down = _middles(dark.any(axis=0)), _middles(dark.any(axis=1))
    return [Click(x, y) for y, x in product(down, across)]


def size(picture: Image.Image) -> Size:
    """Return the picture's size."""
    return Size(*picture.size)


def _middles(dark: numpy.ndarray) -> list[int]:
    """Return the middle of each run of dark columns or rows."""
    edges = numpy.flatnonzero(numpy.diff(numpy.concatenate(([0], dark.astype(int), [0]))))
    return [int((start + end) // 2) for start, end in list(pairwise(edges))[::2]]
