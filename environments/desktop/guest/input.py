"""Mouse and keyboard of a desktop; each call waits until programs have read the input."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from guest import symbols
from guest.display import Display
from guest.errors import BadRequest, Conflict
from guest.input_sync import InputSync
from guest.keyboard import Keyboard
from guest.pointer import BUTTONS, Place, Pointer
from guest.timeouts import CHARACTER, POINT, scaled

_AT_ONCE = 200  # characters typed between two waits
_LONG = scaled(30.0)  # timeout in seconds of one call in the display's thread
_BUSY = scaled(30.0)  # seconds for programs to read one batch of characters
_POLL = scaled(0.5)  # seconds of one wait in the display's thread
_AT_LEAST = 12.0  # minimum timeout in seconds for reading an action's input
_MOST_STOPS = 100  # waits within one drag


class Input:
    """Input by the XTEST extension, which programs cannot distinguish from a user's."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._sync = InputSync(display)
        self._keyboard = Keyboard(display, self._sync)
        self._pointer = Pointer(display, self._sync)
        self._repeats = True  # the default of an existing display
        self.answered: Callable[[], Awaitable[bool]] | None = None  # asks a program that answers no pings

    async def disable_repeat(self) -> None:
        """Disable auto-repeat except in `hold`, because an agent may take seconds between key-down and key-up."""
        await self._display.run(partial(self._keyboard.repeat, False))
        self._repeats = False

    async def wait_until_consumed(self) -> bool:
        """Wait until the programs have read all input; return whether they confirmed it."""
        return await self._display.run(self._sync.wait)

    async def wait_until_taken(self) -> bool:
        """Wait until the focused window has read all input; return whether it did in time."""
        return await self._wait_until_taken(time.monotonic() + _BUSY)

    async def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._display.run(partial(self._pointer.move, x, y))
        await self.wait_until_consumed()

    async def click(
        self,
        x: int | None = None,
        y: int | None = None,
        button: str = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
    ) -> None:
        """Click at a pixel or at the pointer; never part of a double click with an earlier click."""
        number = _button(button)
        async with self._at(x, y, modifiers):
            await asyncio.sleep(
                await self._display.run(partial(self._pointer.double_click_remaining, number))
            )
            await self._display.run(partial(self._pointer.click, number, count))

    async def press(self, x: int | None = None, y: int | None = None, button: str = "left") -> None:
        """Press a mouse button and keep it down."""
        async with self._at(x, y, ()):
            await self._display.run(partial(self._pointer.press, _button(button)))

    async def release(self, x: int | None = None, y: int | None = None, button: str = "left") -> None:
        """Release a mouse button."""
        async with self._at(x, y, ()):
            await self._display.run(partial(self._pointer.release, _button(button)))

    async def drag(self, path: Sequence[Place], button: str = "left", modifiers: Sequence[str] = ()) -> None:
        """Press at the first point, move along the path, release at the last."""
        number, end = _button(button), time.monotonic() + _AT_LEAST + POINT * len(path)
        async with self._at(None, None, modifiers):
            await self._display.run(partial(self._pointer.begin_drag, path[0], number))
            try:
                for part in _stretches(path):
                    await self._display.run(partial(self._pointer.drag_along, part), _LONG)
                    if time.monotonic() < end:  # after the timeout, the rest stays in the program's queue
                        await self.wait_until_consumed()
                await self._display.run(self._pointer.wait_for_drop, _LONG)
            finally:
                await self._display.run(partial(self._pointer.end_drag, number), _LONG)
                await self._wait_until_taken(end)

    async def scroll(
        self,
        x: int | None = None,
        y: int | None = None,
        dx: int = 0,
        dy: int = 0,
        modifiers: Sequence[str] = (),
    ) -> None:
        """Scroll by wheel notches."""
        async with self._at(x, y, modifiers):
            await self._display.run(partial(self._pointer.scroll, dx, dy))

    async def key(self, *keys: str, repeat: int = 1) -> None:
        """Press a chord such as "ctrl", "s" some times."""
        chord = [symbols.of_key(key) for key in keys]
        for _ in range(repeat):
            await self._display.run(partial(self._keyboard.tap, chord))
        await self.wait_until_consumed()

    async def key_down(self, key: str) -> None:
        """Press a key and keep it down."""
        await self._display.run(partial(self._keyboard.press, symbols.of_key(key)))
        await self.wait_until_consumed()

    async def key_up(self, key: str) -> None:
        """Release a key."""
        await self._display.run(partial(self._keyboard.release, symbols.of_key(key)))
        await self.wait_until_consumed()

    async def hold(self, keys: Sequence[str], seconds: float) -> None:
        """Hold a chord for some seconds; the last key repeats as on a real keyboard."""
        async with self._repeating(), self._holding(keys):
            await self._display.run(self._display.sync)
            await asyncio.sleep(seconds)
        await self.wait_until_consumed()

    async def type(self, text: str) -> None:
        """Type every character of a text; a newline is Return.

        Waits until the focused window has read the text. After the timeout, a program that is still busy has the rest
        in its queue.

        Raises:
            Conflict: The program stopped reading input before the end.
        """
        every, end = symbols.of_text(text), time.monotonic() + _AT_LEAST + CHARACTER * len(text)
        done = 0
        async with self._without_caps_lock():
            while done < len(every):
                part = self._keyboard.fitting(every[done : done + _AT_ONCE])
                await self._display.run(partial(self._keyboard.write, part), _LONG)
                done, began = done + len(part), time.monotonic()
                taken = await self._wait_until_taken(end if done == len(every) else min(end, began + _BUSY))
                if not taken and done < len(every):
                    raise Conflict(
                        f"type: the application took no more input for {time.monotonic() - began:.0f} s; at most "
                        f"{done} of {len(every)} characters were typed"
                    )
            # Qt answers the first ping when keys are queued, the second when they are handled.
            await self._wait_until_taken(end)

    async def _wait_until_taken(self, end: float) -> bool:
        """Wait until the focused window has read all input; return whether it did before `end`.

        Other calls may use the display meanwhile.
        """
        while not await self._display.run(partial(self._sync.focused_window_read, _POLL)):
            if time.monotonic() >= end:
                return False
        return True

    async def release_all(self) -> None:
        """Release all keys and buttons, and turn off locks."""
        await self._display.run(self._pointer.release_all)
        await self._display.run(self._keyboard.release_all)

    @asynccontextmanager
    async def _without_caps_lock(self) -> AsyncIterator[None]:
        locks = await self._display.run(self._keyboard.release_caps_lock)
        try:
            yield
        finally:  # after the text was read: Caps Lock must not affect queued keys
            if locks is not None:
                await self._display.run(partial(self._keyboard.lock, locks))

    @asynccontextmanager
    async def _repeating(self) -> AsyncIterator[None]:
        if self._repeats:
            yield
            return
        await self._display.run(partial(self._keyboard.repeat, True))
        try:
            yield
        finally:
            await self._display.run(partial(self._keyboard.repeat, False))

    @asynccontextmanager
    async def _at(self, x: int | None, y: int | None, modifiers: Sequence[str]) -> AsyncIterator[None]:
        """Move to a point and hold modifiers during a block, then wait until the input is consumed."""
        async with self._holding(modifiers):
            if x is not None and y is not None:
                await self._display.run(partial(self._pointer.move, x, y))
                if self.answered is not None:  # it may have to see the pointer before the click
                    await self.answered()
            yield
        await self.wait_until_consumed()

    @asynccontextmanager
    async def _holding(self, keys: Sequence[str]) -> AsyncIterator[None]:
        chord = self._keyboard.chord([symbols.of_key(key) for key in keys])
        await self._display.run(chord.__enter__)
        try:
            yield
        finally:
            await self._display.run(partial(chord.__exit__, None, None, None))


def _button(name: str) -> int:
    if name not in BUTTONS:
        raise BadRequest(f"unknown mouse button {name!r}; known: {', '.join(BUTTONS)}")
    return BUTTONS[name]


def _stretches(path: Sequence[Place]) -> Iterator[Sequence[Place]]:
    """Split a path into at most `_MOST_STOPS` stretches."""
    size = -(-(len(path) - 1) // _MOST_STOPS)
    for start in range(0, len(path) - 1, size):
        yield path[start : start + size + 1]
