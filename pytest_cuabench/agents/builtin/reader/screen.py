"""The parsed screen: texts, frames, and their geometry."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pytest_cuabench.agents.builtin.reader import similarity
from pytest_cuabench.task.action import Point, Size
from pytest_cuabench.task.observation import Box

Pixels = NDArray[np.uint8]

_ALIKE = 0.84  # similarity of two readings of the same text
_FILLED_COST, _CELL_COST = (
    30,
    500,
)  # pixels added to the cost of a filled field, alone or among others of its row
_JOIN = 16  # pixels between two texts of one phrase
_DIFFERENT = 24  # grey levels between changed pixels
_NOTICED = 12  # pixels: minimum size of a change; a caret is smaller


@dataclass(frozen=True, slots=True)
class Text:
    """A text and its box."""

    words: str
    box: Box


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A match of wanted words, with its box and similarity (0 to 1)."""

    words: str
    box: Box
    fit: float


@dataclass(frozen=True)
class Screen:
    """A parsed screen.

    Attributes:
        texts: In reading order.
        frames: Boxes with an outline or background of their own: fields, buttons, panels; smallest first.
        pixels: Red, green, blue; for detecting changes.
    """

    size: Size
    texts: tuple[Text, ...] = ()
    frames: tuple[Box, ...] = ()
    pixels: Pixels | None = field(default=None, repr=False, compare=False)

    # Words

    def find(self, wanted: str) -> list[TextMatch]:
        """Return the matches of words, best first, then in reading order."""
        found = [place for text in self.pieces for place in _fitting(wanted, text)]
        return sorted(_distinct(found), key=lambda place: (-round(place.fit, 2), place.box.y, place.box.x))

    def shows(self, wanted: str) -> bool:
        """Whether the words are on the screen."""
        return bool(self.find(wanted))

    @cached_property
    def pieces(self) -> tuple[Text, ...]:
        """The texts, and phrases of texts that are close together or continue on the next line."""
        joined = []
        for text in self.texts:
            if (below := self._continued(text)) is not None:
                joined.append(Text(f"{text.words} {below.words}", union(text.box, below.box)))
            phrase = text
            while (following := self._next(phrase)) is not None:
                phrase = Text(f"{phrase.words} {following.words}", union(phrase.box, following.box))
                joined.append(phrase)
        return (*self.texts, *joined)

    def row(self, box: Box) -> list[Text]:
        """Return the texts on the same line, from left to right."""
        return sorted((text for text in self.texts if same_row(text.box, box)), key=lambda text: text.box.x)

    def inside(self, frame: Box) -> list[Text]:
        """Return the texts within a frame, in reading order."""
        return [text for text in self.texts if contains(frame, text.box)]

    # Fields

    def fields(self, label: Box) -> list[Box]:
        """Return the fields that a label may belong to, the likeliest first: below it, or right of it on its row.

        On the long rows of a table, filled cells come last.
        """
        costs = self._costs(label)
        return sorted(costs, key=lambda frame: (costs[frame], frame))

    def cost(self, label: Box) -> float:
        """Return the cost of a label's likeliest field; infinite if there is none."""
        return min(self._costs(label).values(), default=math.inf)

    def _costs(self, label: Box) -> dict[Box, float]:
        costs = {frame: cost for frame in self.frames if (cost := _cost(label, frame)) is not None}
        taken = {frame for frame in costs if self.inside(frame)}
        cells = sum(frame.x > label.x + label.width for frame in taken)
        more = _CELL_COST if cells > 1 else _FILLED_COST
        return {frame: cost + more * (frame in taken) for frame, cost in costs.items()}

    def frame_of(self, box: Box) -> Box | None:
        """Return the smallest frame around a text, such as a button's."""
        return next((frame for frame in self.frames if contains(frame, box)), None)

    # Changes

    def changed(self, before: Screen, region: Box | None = None) -> bool:
        """Whether more than a caret differs from an earlier screen, anywhere or in one region."""
        if self.pixels is None or before.pixels is None:
            return self.texts != before.texts
        now, then = (_cut(look.pixels, region) for look in (self, before) if look.pixels is not None)
        # A difference of bytes would wrap around.
        differing = np.abs(now.astype(np.int16) - then.astype(np.int16)).max(axis=2) > _DIFFERENT
        return int(differing.sum()) > _NOTICED and bool(differing.any(axis=0).sum() > 2)

    def new_texts(self, before: Screen) -> list[Text]:
        """Return the texts that an earlier screen does not have."""
        known = {
            (similarity.fold(text.words), round(text.box.x / 8), round(text.box.y / 8))
            for text in before.texts
        }
        return [
            text
            for text in self.texts
            if (similarity.fold(text.words), round(text.box.x / 8), round(text.box.y / 8)) not in known
        ]

    def _next(self, text: Text) -> Text | None:
        right = text.box.x + text.box.width
        close = [
            other
            for other in self.texts
            if same_row(other.box, text.box)
            and -4 <= other.box.x - right <= _JOIN
            and other.box.x > text.box.x
        ]
        return min(close, key=lambda other: other.box.x, default=None)

    def _continued(self, text: Text) -> Text | None:
        """Return the next line of text with the same left edge."""
        bottom = text.box.y + text.box.height
        below = (
            other
            for other in self.texts
            if abs(other.box.x - text.box.x) <= 6
            and -8 <= other.box.y - bottom <= 6
            and other.box.y > text.box.y + 6
        )
        return next(below, None)


def union(one: Box, other: Box) -> Box:
    """Return the smallest box around both."""
    left, top = min(one.x, other.x), min(one.y, other.y)
    right = max(one.x + one.width, other.x + other.width)
    bottom = max(one.y + one.height, other.y + other.height)
    return Box(left, top, right - left, bottom - top)


def contains(outer: Box, inner: Box, slack: float = 4) -> bool:
    """Whether a box lies within another, with a tolerance of a few pixels."""
    return (
        outer.x - slack <= inner.x
        and outer.y - slack <= inner.y
        and inner.x + inner.width <= outer.x + outer.width + slack
        and inner.y + inner.height <= outer.y + outer.height + slack
    )


def same_row(one: Box, other: Box) -> bool:
    """Whether two texts are on one line."""
    apart = abs((one.y + one.height / 2) - (other.y + other.height / 2))
    return apart <= 0.5 * min(max(one.height, 12), max(other.height, 12))


def distance(one: Box, other: Box) -> float:
    """Return the distance between two boxes in pixels; 0 if they touch."""
    across = max(0.0, one.x - other.x - other.width, other.x - one.x - one.width)
    along = max(0.0, one.y - other.y - other.height, other.y - one.y - one.height)
    return math.hypot(across, along)


def middle(box: Box, size: Size) -> Point:
    """Return the middle of the visible part of a box."""
    x, y = box.middle
    return Point(min(max(x, 0), size.width - 1), min(max(y, 0), size.height - 1))


def _cost(label: Box, frame: Box) -> float | None:
    """Return the distance of a field from its label; None if it is too far or not a field."""
    if not (24 <= frame.width <= 900 and 14 <= frame.height <= 220) or contains(frame, label):
        return None
    down = frame.y - (label.y + label.height)
    aside = frame.x - label.x
    if -4 <= down <= 26 and -24 <= aside <= max(label.width, 30):
        return max(down, 0) + abs(aside) * 0.6
    right = frame.x - (label.x + label.width)
    level = abs((frame.y + min(frame.height, 44) / 2) - (label.y + label.height / 2))
    if right >= -6 and level <= 14:
        return 6 + max(right, 0) * 0.35 + level
    return None


def _fitting(wanted: str, text: Text) -> Iterator[TextMatch]:
    alike = similarity.ratio(wanted, text.words)
    if alike >= _ALIKE:
        yield TextMatch(text.words, text.box, alike)
    elif (span := similarity.find_within(wanted, text.words)) is not None:
        x, y, width, height = text.box
        part = Box(x + span[0] * width, y, (span[1] - span[0]) * width, height)
        yield TextMatch(text.words, part, 0.7 + 0.12 * (span[1] - span[0]))
    elif text.words.endswith(("…", "...")):
        begun = similarity.fold(text.words)
        if len(begun) >= 5 and similarity.fold(wanted).startswith(begun):
            yield TextMatch(text.words, text.box, 0.8)


def _distinct(found: Iterable[TextMatch]) -> Iterator[TextMatch]:
    """Remove matches that contain a better or smaller one."""
    kept: list[TextMatch] = []
    for place in sorted(found, key=lambda place: (-place.fit, place.box.width)):
        if not any(_overlap(place.box, other.box) for other in kept):
            kept.append(place)
            yield place


def _overlap(one: Box, other: Box) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    along = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0.5 * min(one.width, other.width) and along > 0.5 * min(one.height, other.height)


def _cut(pixels: Pixels, region: Box | None) -> Pixels:
    if region is None:
        return pixels
    left, top = max(int(region.x), 0), max(int(region.y), 0)
    return pixels[top : int(region.y + region.height) + 1, left : int(region.x + region.width) + 1]
