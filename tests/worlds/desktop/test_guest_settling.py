"""The screen is at rest when nothing new shows and the programs have consumed their input."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import pytest

from guest import settling

SIZE = (40, 30)
pytestmark = pytest.mark.asyncio


def frame(*marks: tuple[int, int, int, int]) -> bytes:
    """Return a frame with white rectangles: left, top, width, height."""
    rows = [bytearray(SIZE[0] * 4) for _ in range(SIZE[1])]
    for left, top, width, height in marks:
        for row in rows[top : top + height]:
            row[left * 4 : (left + width) * 4] = b"\xff" * width * 4
    return b"".join(rows)


class Screen:
    """A screen that shows a frame after the other, the last for ever, and counts what was looked at."""

    def __init__(self, frames: Iterable[bytes], answers: Iterable[bool] = ()) -> None:
        self._frames, self._answers = iter(frames), iter(answers)
        self._last = b""
        self.looks = 0

    async def frame(self) -> bytes:
        self.looks += 1
        self._last = next(self._frames, self._last)
        return self._last

    async def consumed(self) -> bool:
        return next(self._answers, True)

    async def settle(self, cap: float = 0.6) -> bool:
        return await settling.settle(self.frame, SIZE, self.consumed, cap)


async def test_a_still_screen() -> None:
    """A screen that does not change is at rest."""
    assert await Screen([frame()]).settle()


async def test_what_moves_is_waited_for() -> None:
    """Every new frame restarts the wait, so that the last of them has been seen."""
    screen = Screen(frame((place, 0, 9, 9)) for place in range(20))
    assert await screen.settle()
    assert screen.looks > 20


async def test_an_animation_ends_at_the_cap() -> None:
    """A screen that always shows something new is left at the cap, and that is told."""
    shapes = (frame((x, y, width, 9)) for width in itertools.count(9) for x in range(30) for y in range(20))
    assert not await Screen(shapes).settle(cap=0.2)


async def test_a_blinking_caret() -> None:
    """A thin bar that comes and goes is no news."""
    caret = itertools.cycle([frame(), frame((10, 5, 2, 18))])
    assert await Screen(caret).settle(cap=0.2)


async def test_something_wide_that_blinks() -> None:
    """What alternates between two looks is news once, however large it is."""

    def blinking() -> Iterator[bytes]:
        while True:
            yield frame()
            yield frame((5, 5, 20, 20))

    assert await Screen(blinking()).settle()


async def test_a_letter_is_news() -> None:
    """A change that is wider than a caret restarts the wait."""
    watch = settling.Watch(Screen([frame(), frame((10, 5, 7, 10))]).frame, SIZE)
    assert await watch.news()
    assert await watch.news()
    assert not await watch.news()


async def test_programs_that_do_not_answer_are_watched_longer() -> None:
    """Where no program says that it has consumed its input, the screen must be still for longer."""
    quick, deaf = Screen([frame()]), Screen([frame()], itertools.repeat(False))
    assert await quick.settle()
    assert await deaf.settle()
    assert deaf.looks > quick.looks


async def test_idle_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs that use the processor are waited for until they no longer do, or the time is over."""
    monkeypatch.setattr(settling, "_IDLE_FOR", 0.01)
    working = [0.0, 0.2, 0.4, 0.41]
    used = iter([*working, 0.41])
    assert await settling.wait_until_idle(lambda: next(used), 30)
    assert list(used) == [0.41]
    busy = itertools.count()
    assert not await settling.wait_until_idle(lambda: next(busy), 0.05)


async def test_a_screen_that_shows_nothing() -> None:
    """A pointer alone is nothing; a line of a window is something."""
    size = (400, 300)
    for pixels, nothing in ((0, True), (20 * 30, True), (400 * 3, False)):
        shown = b"\xff" * 4 * pixels
        assert settling.blank(shown + bytes(4 * 400 * 300 - len(shown)), size) is nothing
