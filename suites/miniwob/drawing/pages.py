"""Pages with shapes: found by kind, size and color, or added where geometry says."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_cuabench import Box, Case, Pilot
from pytest_cuabench.task.action import Click

from ..toolkit.episode import case, check, upstream
from ..toolkit.hands import SCALE, Solutions, asked, click_text, count, drag, nth, submit, submits_at_once

__all__ = ["case", "check", "submits_at_once", "upstream"]

solutions = Solutions()
_COLORS = ("red", "green", "blue", "aqua", "black", "magenta", "yellow")
_KINDS = {"rect": "rectangle", "circle": "circle", "polygon": "triangle"}
_LARGE = 15 * SCALE  # shapes are 10 or 20 pixels wide


async def solve(pilot: Pilot, case: Case) -> None:
    await solutions.solve(pilot, case)


@dataclass(frozen=True)
class _Shape:
    kind: str  # shape, letter or digit
    text: str
    color: str
    size: str
    box: Box

    def fits(self, words: list[str]) -> bool:
        """Return whether a description such as `large red item` is true of it."""
        known = (self.kind, self.text, self.color, self.size, "item")
        return all(word in known for word in words)


async def _shapes(pilot: Pilot) -> list[_Shape]:
    found = []
    for color in _COLORS:
        for tag, text in _KINDS.items():
            selector = f'#area_svg {tag}[fill="{color}"]'
            for number in range(await count(pilot, selector)):
                box = await pilot.box(nth(selector, number))
                size = "large" if box.width > _LARGE else "small"
                found.append(_Shape("shape", text, color, size, box))
        for pixels, size in ((20, "large"), (10, "small"), (30, "large")):
            selector = f'#area_svg text[fill="{color}"][font-size="{pixels}px"]'
            for number in range(await count(pilot, selector)):
                text = (await pilot.read(nth(selector, number))).strip()
                kind = "digit" if text.isdigit() else "letter"
                found.append(_Shape(kind, text, color, size, await pilot.box(nth(selector, number))))
    return found


@solutions.of("click-shape")
async def _shape(pilot: Pilot, case: Case) -> None:
    words = asked(case, r"Click on an? (.+)")[0].split()
    found = next(shape for shape in await _shapes(pilot) if shape.fits(words))
    await pilot.act(Click(*found.box.middle), thought="Click the shape")


@solutions.of("count-shape")
async def _number_of_shapes(pilot: Pilot, case: Case) -> None:
    words = asked(case, r"How many (.+)s are there")[0].split()
    fitting = [shape for shape in await _shapes(pilot) if shape.fits(words)]
    await click_text(pilot, "#count-buttons button", str(len(fitting)))


@solutions.of("identify-shape")
async def _kind_of_shape(pilot: Pilot, _case: Case) -> None:
    (found,) = await _shapes(pilot)
    kind = found.text if found.kind == "shape" else found.kind
    await pilot.click(f'css=#area-buttons [data-type="{kind}"]')


@solutions.of("click-shades")
async def _shades(pilot: Pilot, case: Case) -> None:
    (color,) = asked(case, r"all the shades of (\w+)")
    selector = f'#area span[data-color="{color}"]'
    for number in range(await count(pilot, selector)):
        await pilot.click(nth(selector, number))
    await submit(pilot)


@solutions.of("grid-coordinate")
async def _coordinate(pilot: Pilot, case: Case) -> None:
    (place,) = asked(case, r"coordinate (\(.+\))")
    await pilot.click(f'css=[id="{place}"]')


async def _add_point(pilot: Pilot, x: float, y: float) -> None:
    await pilot.act(Click(round(x), round(y)), thought="Add a point")
    await submit(pilot)


@solutions.of("circle-center")
async def _center(pilot: Pilot, _case: Case) -> None:
    await _add_point(pilot, *_middle(await pilot.box("css=svg circle")))


@solutions.of("find-midpoint")
async def _midpoint(pilot: Pilot, _case: Case) -> None:
    (x1, y1), (x2, y2) = [_middle(await pilot.box(nth(".black-circle", number))) for number in (0, 1)]
    await _add_point(pilot, (x1 + x2) / 2, (y1 + y2) / 2)


@solutions.of("bisect-angle")
async def _bisector(pilot: Pilot, _case: Case) -> None:
    vertex = _middle(await pilot.box("css=.init-blue"))
    one, other = [_middle(await pilot.box(nth(".init-black", number))) for number in (0, 1)]
    near, far = math.dist(vertex, one), math.dist(vertex, other)
    # The bisector divides the opposite side in the ratio of the two others.
    x, y = ((far * a + near * b) / (near + far) for a, b in zip(one, other, strict=True))
    await _add_point(pilot, x, y)


@solutions.of("right-angle")
async def _right_angle(pilot: Pilot, _case: Case) -> None:
    vertex, end = [_middle(await pilot.box(f"css=#init-{color}")) for color in ("blue", "black")]
    area = await pilot.box("css=#svg-grid")
    x, y = max(_perpendicular(vertex, end, area), key=lambda point: math.dist(point, vertex))
    await _add_point(pilot, x, y)


def _perpendicular(
    vertex: tuple[float, float], end: tuple[float, float], area: Box
) -> Iterator[tuple[float, float]]:
    dx, dy = end[1] - vertex[1], vertex[0] - end[0]
    for share in (-1.0, -0.75, -0.5, -0.25, 0.25, 0.5, 0.75, 1.0):
        x, y = vertex[0] + share * dx, vertex[1] + share * dy
        if area.x + 8 < x < area.x + area.width - 8 and area.y + 8 < y < area.y + area.height - 8:
            yield x, y


@solutions.of("draw-circle")
async def _circle(pilot: Pilot, _case: Case) -> None:
    x, y = _middle(await pilot.box("css=#circ"))
    radius = 22 * SCALE
    angles = [2 * math.pi * part / 36 for part in range(37)]
    path = [(round(x + radius * math.cos(a)), round(y + radius * math.sin(a))) for a in angles]
    await drag(pilot, *path)
    await submit(pilot)


@solutions.of("draw-line")
async def _line(pilot: Pilot, case: Case) -> None:
    (direction,) = asked(case, r"Draw a (horizontal|vertical) line")
    x, y = (round(side) for side in _middle(await pilot.box("css=#circ")))
    area, half = await pilot.box("css=svg"), 150
    if direction == "horizontal":
        left, right = max(area.x + 4, x - half), min(area.x + area.width - 4, x + half)
        await drag(pilot, (round(left), y), (x, y), (round(right), y))
    else:
        top, bottom = max(area.y + 4, y - half), min(area.y + area.height - 4, y + half)
        await drag(pilot, (x, round(top)), (x, y), (x, round(bottom)))
    await submit(pilot)


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2
