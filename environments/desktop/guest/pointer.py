"""The mouse: moves, buttons, drags and the wheel."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from guest.consumed import Consumption
from guest.display import Display
from guest.patience import patient
from guest.screen import where

_PRESS, _RELEASE, _MOTION = 4, 5, 6
BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7  # the wheel's buttons
_STEP = 25  # pixels between the moves of a drag
_DOUBLE_CLICK_SECONDS = 0.45  # toolkits take 0.4 s
_NEAR = 6  # pixels

Place = tuple[int, int]
_TURNS = 3  # that source and target of a drag take to agree, and to hand over
_DWELL_SECONDS = patient(0.05)  # a turn waits for frames too, which nobody can ask about; people dwell longer


class Pointer:
    """The mouse of a display; to be used in the display's thread."""

    def __init__(self, display: Display, consumption: Consumption) -> None:
        self._display = display
        self._consumption = consumption
        self._held: list[int] = []
        self._last: tuple[float, int, Place] | None = None  # when, which button and where the last click was

    def move(self, x: int, y: int) -> None:
        """Move to a pixel."""
        self._display.xtest.FakeInput(_MOTION, 0, 0, self._display.root, x, y, 0)
        self._display.sync()

    def press(self, button: int) -> None:
        """Press a button and keep it down."""
        self._fake(_PRESS, button)
        self._held.append(button)

    def release(self, button: int) -> None:
        """Let a button go."""
        self._fake(_RELEASE, button)
        if button in self._held:
            self._held.remove(button)

    def release_all(self) -> None:
        """Let all buttons go."""
        for button in tuple(self._held):
            self.release(button)

    def rest_of_double_click(self, button: int) -> float:
        """Return for how many seconds a click here would still join the last one to a double click."""
        if self._last is None:
            return 0.0
        then, last, place = self._last
        near = max(abs(a - b) for a, b in zip(place, where(self._display), strict=True)) <= _NEAR
        rest = _DOUBLE_CLICK_SECONDS - (time.monotonic() - then)
        return max(0.0, rest) if near and button == last else 0.0

    def click(self, button: int, count: int) -> None:
        """Click some times where the pointer is."""
        for _ in range(count):
            self._fake(_PRESS, button)
            self._fake(_RELEASE, button)
        self._last = (time.monotonic(), button, where(self._display))

    def grasp(self, place: Place, button: int) -> None:
        """Press at a point, for a drag that begins there."""
        self.move(*place)
        self.press(button)
        self._consumption.wait()

    def along(self, path: Sequence[Place]) -> None:
        """Move along a part of a drag's path in steps."""
        for start, stop in pairwise(path):
            for place in _between(start, stop):
                self.move(*place)

    def drop(self, button: int) -> None:
        """Let go at the end of a drag."""
        self.release(button)
        self._display.sync()
        self.converse()
        self._last = None

    def converse(self) -> None:
        """Let source and target agree on a drop, or hand over what was dropped: a drag is a conversation of theirs."""
        for _ in range(_TURNS):
            self._consumption.wait()
            time.sleep(_DWELL_SECONDS)

    def scroll(self, dx: int, dy: int) -> None:
        """Turn the wheel by notches; to the right and down for positive numbers."""
        for amount, back, forth in ((dy, UP, DOWN), (dx, LEFT, RIGHT)):
            for _ in range(abs(amount)):
                self._fake(_PRESS, forth if amount > 0 else back)
                self._fake(_RELEASE, forth if amount > 0 else back)
        self._display.sync()

    def _fake(self, kind: int, button: int) -> None:
        self._display.xtest.FakeInput(kind, button, 0, 0, 0, 0, 0)
        self._display.connection.flush()


def _between(start: Place, stop: Place) -> Iterator[Place]:
    """Yield places on the way, an even number of stretches, so that the middle is one of them."""
    stretches = max(2, 2 * math.ceil(math.dist(start, stop) / _STEP / 2))
    for number in range(1, stretches + 1):
        share = number / stretches
        yield tuple(round(a + (b - a) * share) for a, b in zip(start, stop, strict=True))  # type: ignore[misc]
