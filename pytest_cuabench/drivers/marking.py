"""Marks: painted over a screenshot so that their numbers can be read, and found again by a number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_cuabench.drivers.paint import canvas, font, picture, png, width
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import ClickElement, FillElement, Point, Size
from pytest_cuabench.task.observation import Box, Mark

_COLOURS = ((200, 30, 40), (25, 95, 210), (15, 120, 60), (150, 50, 170), (175, 90, 0), (0, 110, 130))
_HEIGHT = 15


def painted(image: bytes, marks: tuple[Mark, ...]) -> bytes:
    """Return the picture with the marks drawn on it."""
    canvas_image = picture(image)
    pen = canvas(canvas_image)
    face = font(12, True)
    labels: list[Box] = []
    for mark in marks:
        box, colour = mark.box, _COLOURS[mark.number % len(_COLOURS)]
        corners = (box.x - 1, box.y - 1, max(box.x, box.x + box.width), max(box.y, box.y + box.height))
        pen.rectangle(corners, outline=colour, width=2)
    for mark in marks:
        label = _place(mark, width(str(mark.number), face) + 6, canvas_image.size, labels, marks)
        labels.append(label)
        colour = _COLOURS[mark.number % len(_COLOURS)]
        pen.rectangle((label.x, label.y, label.x + label.width - 1, label.y + label.height - 1), fill=colour)
        middle = (label.x + label.width / 2, label.y + label.height / 2)
        pen.text(middle, str(mark.number), (255, 255, 255), face, anchor="mm")
    return png(canvas_image)


def point_of(action: ClickElement | FillElement, marks: tuple[Mark, ...], screen: Size) -> Point:
    """Return the middle of the mark that an action names, within the screen.

    Raises:
        ActionError: The last observation has no such mark.
    """
    mark = next((mark for mark in marks if mark.number == action.mark), None)
    if mark is None:
        known = f"1 to {len(marks)}" if marks else "none; ask for an observation with marks"
        raise ActionError(f"{action.kind}: mark {action.mark} is not on the last observation ({known})")
    x, y = mark.box.middle
    return Point(min(max(0, x), screen.width - 1), min(max(0, y), screen.height - 1))


def _place(mark: Mark, across: int, size: tuple[int, int], labels: list[Box], marks: Iterable[Mark]) -> Box:
    """Choose the corner that hides least: no other label at all, and little of other marked elements."""
    others = [other.box for other in marks if other is not mark and not _holds(other.box, mark.box)]
    spots = [_onto(spot, size) for spot in _spots(mark.box, across)]

    def cost(spot: Box) -> float:
        over_labels = sum(_shared(spot, label) for label in labels)
        over_others = sum(_shared(spot, other) for other in others)
        return over_labels * 10 + over_others + _shared(spot, mark.box) * 0.5

    return min(spots, key=cost)


def _spots(box: Box, across: int) -> Iterator[Box]:
    right, bottom = box.x + box.width, box.y + box.height
    yield Box(box.x - 1, box.y - _HEIGHT, across, _HEIGHT)
    yield Box(right - across + 1, box.y - _HEIGHT, across, _HEIGHT)
    yield Box(box.x - across, box.y, across, _HEIGHT)
    yield Box(right, box.y, across, _HEIGHT)
    yield Box(box.x - 1, bottom, across, _HEIGHT)
    yield Box(right - across + 1, bottom, across, _HEIGHT)
    yield Box(right - across, box.y, across, _HEIGHT)
    yield Box(box.x, box.y, across, _HEIGHT)


def _onto(spot: Box, size: tuple[int, int]) -> Box:
    x = min(max(0, spot.x), size[0] - spot.width)
    y = min(max(0, spot.y), size[1] - spot.height)
    return Box(x, y, spot.width, spot.height)


def _holds(outer: Box, inner: Box) -> bool:
    return (
        outer.x <= inner.x
        and outer.y <= inner.y
        and outer.x + outer.width >= inner.x + inner.width
        and outer.y + outer.height >= inner.y + inner.height
    )


def _shared(one: Box, other: Box) -> float:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return max(0.0, across) * max(0.0, down)
