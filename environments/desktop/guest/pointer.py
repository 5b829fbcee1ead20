"""The mouse: moves, buttons, drags and the wheel."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

from guest.display import Display
from guest.input_sync import InputSync
from guest.screen import where
from guest.timeouts import scaled

_PRESS, _RELEASE, _MOTION = 4, 5, 6
BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
UP, DOWN, LEFT, RIGHT = 4, 5, 6, 7  # the wheel's buttons
_STEP = 25  # pixels between the moves of a drag
_BETWEEN_CLICKS = 0.02  # seconds
_DOUBLE_CLICK_SECONDS = 0.53  # toolkits use 0.4 s, Chromium 0.5 s
_NEAR = 6  # pixels

Place = tuple[int, int]
_TURNS = 3  # round trips of a drag-and-drop handshake
_DWELL_SECONDS = scaled(0.05)  # pause for drawing, which cannot be queried


class Pointer:
    """The mouse of a display; for use in the display's thread."""

    def __init__(self, display: Display, sync: InputSync) -> None:
        self._display = display
        self._sync = sync
        self._held: list[int] = []
        self._last: tuple[float, int, Place] | None = None  # time, button and position of the last click

    def move(self, x: int, y: int) -> None:
        """Move to a pixel."""
        self._display.xtest.FakeInput(_MOTION, 0, 0, self._display.root, x, y, 0)
        self._display.sync()

    def press(self, button: int) -> None:
        """Press a button and keep it down."""
        self._send(_PRESS, button)
        self._held.append(button)

    def release(self, button: int) -> None:
        """Release a button."""
        self._send(_RELEASE, button)
        if button in self._held:
            self._held.remove(button)

    def release_all(self) -> None:
        """Release all buttons."""
        for button in tuple(self._held):
            self.release(button)

    def double_click_remaining(self, button: int) -> float:
        """Return the seconds in which another click here would make a double click."""
        if self._last is None:
            return 0.0
        then, last, place = self._last
        near = max(abs(a - b) for a, b in zip(place, where(self._display), strict=True)) <= _NEAR
        rest = _DOUBLE_CLICK_SECONDS - (time.monotonic() - then)
        return max(0.0, rest) if near and button == last else 0.0

    def click(self, button: int, count: int) -> None:
        """Click at the pointer."""
        for number in range(count):
            if number:  # Chromium takes presses of the same millisecond for one
                time.sleep(_BETWEEN_CLICKS)
            self._send(_PRESS, button)
            self._send(_RELEASE, button)
        self._last = (time.monotonic(), button, where(self._display))

    def begin_drag(self, place: Place, button: int) -> None:
        """Start a drag at a point."""
        self.move(*place)
        self.press(button)
        self._sync.wait()

    def drag_along(self, path: Sequence[Place]) -> None:
        """Move along a part of a drag's path in small steps."""
        for start, stop in pairwise(path):
            for place in _between(start, stop):
                self.move(*place)

    def end_drag(self, button: int) -> None:
        """Release the button at the end of a drag."""
        self.release(button)
        self._display.sync()
        self.wait_for_drop()
        self._last = None

    def wait_for_drop(self) -> None:
        """Wait for the drag-and-drop handshake between source and target."""
        for _ in range(_TURNS):
            self._sync.wait()
            time.sleep(_DWELL_SECONDS)

    def scroll(self, dx: int, dy: int) -> None:
        """Scroll by notches; positive numbers are right and down."""
        for amount, back, forth in ((dy, UP, DOWN), (dx, LEFT, RIGHT)):
            for _ in range(abs(amount)):
                self._send(_PRESS, forth if amount > 0 else back)
                self._send(_RELEASE, forth if amount > 0 else back)
        self._display.sync()

    def _send(self, kind: int, button: int) -> None:
        self._display.xtest.FakeInput(kind, button, 0, 0, 0, 0, 0)
        self._display.connection.flush()


def _between(start: Place, stop: Place) -> Iterator[Place]:
    """Yield the points between two points, including the middle."""
    stretches = max(2, 2 * math.ceil(math.dist(start, stop) / _STEP / 2))
    for number in range(1, stretches + 1):
        share = number / stretches
        yield tuple(round(a + (b - a) * share) for a, b in zip(start, stop, strict=True))  # type: ignore[misc]
