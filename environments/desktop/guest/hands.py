"""Mouse and keyboard of a desktop as applications and protocols use them: each call ends when it was consumed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from guest import symbols
from guest.consumed import Consumption
from guest.display import Display
from guest.errors import BadRequest, NotNow
from guest.keyboard import Keyboard
from guest.patience import CHARACTER, POINT, patient
from guest.pointer import BUTTONS, Place, Pointer

_AT_ONCE = 200  # characters typed before the programs are waited for
_LONG = patient(30.0)  # seconds that one call may take the display's thread
_BUSY = patient(30.0)  # seconds that programs may take over what was typed at once
_GLANCE = patient(0.5)  # seconds that the display's thread waits for them at a time
_AT_LEAST = 12.0  # seconds for programs to take an action's input, however short it is
_MOST_STOPS = 100  # on the way of one drag, at which the programs are waited for


class Hands:
    """Input by the X server's test extension: programs cannot tell it from a person's."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._consumption = Consumption(display)
        self._keyboard = Keyboard(display, self._consumption)
        self._pointer = Pointer(display, self._consumption)
        self._repeats = True  # as somebody's own display does

    async def keep_still(self) -> None:
        """Have held keys repeat only while `hold` asks for it: an agent thinks for seconds between two actions."""
        await self._display.run(partial(self._keyboard.repeat, False))
        self._repeats = False

    async def consumed(self) -> bool:
        """Wait until the programs have taken all input; return whether they said so."""
        return await self._display.run(self._consumption.wait)

    async def taken(self) -> bool:
        """Wait until the window that gets the keys has taken all input; return whether it did in time."""
        return await self._taken(time.monotonic() + _BUSY)

    async def move(self, x: int, y: int) -> None:
        """Move the pointer."""
        await self._display.run(partial(self._pointer.move, x, y))
        await self.consumed()

    async def click(
        self,
        x: int | None = None,
        y: int | None = None,
        button: str = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
    ) -> None:
        """Click at a pixel or where the pointer is; never joined with an earlier click to a double click."""
        number = _button(button)
        async with self._at(x, y, modifiers):
            await asyncio.sleep(await self._display.run(partial(self._pointer.rest_of_double_click, number)))
            await self._display.run(partial(self._pointer.click, number, count))

    async def press(self, x: int | None = None, y: int | None = None, button: str = "left") -> None:
        """Press a mouse button and keep it down."""
        async with self._at(x, y, ()):
            await self._display.run(partial(self._pointer.press, _button(button)))

    async def release(self, x: int | None = None, y: int | None = None, button: str = "left") -> None:
        """Let a mouse button go."""
        async with self._at(x, y, ()):
            await self._display.run(partial(self._pointer.release, _button(button)))

    async def drag(self, path: Sequence[Place], button: str = "left", modifiers: Sequence[str] = ()) -> None:
        """Press at the first point, move along the path, let go at the last."""
        number, end = _button(button), time.monotonic() + _AT_LEAST + POINT * len(path)
        async with self._at(None, None, modifiers):
            await self._display.run(partial(self._pointer.grasp, path[0], number))
            try:
                for part in _parts(path):
                    await self._display.run(partial(self._pointer.along, part), _LONG)
                    if time.monotonic() < end:  # a program that is late finds the rest in its queue
                        await self.consumed()
                await self._display.run(self._pointer.converse, _LONG)
            finally:
                await self._display.run(partial(self._pointer.drop, number), _LONG)
                await self._taken(end)

    async def scroll(
        self,
        x: int | None = None,
        y: int | None = None,
        dx: int = 0,
        dy: int = 0,
        modifiers: Sequence[str] = (),
    ) -> None:
        """Turn the wheel by notches."""
        async with self._at(x, y, modifiers):
            await self._display.run(partial(self._pointer.scroll, dx, dy))

    async def key(self, *keys: str, repeat: int = 1) -> None:
        """Press a chord such as "ctrl", "s" some times."""
        chord = [symbols.of_key(key) for key in keys]
        for _ in range(repeat):
            await self._display.run(partial(self._keyboard.tap, chord))
        await self.consumed()

    async def key_down(self, key: str) -> None:
        """Press a key and keep it down."""
        await self._display.run(partial(self._keyboard.press, symbols.of_key(key)))
        await self.consumed()

    async def key_up(self, key: str) -> None:
        """Let a key go."""
        await self._display.run(partial(self._keyboard.release, symbols.of_key(key)))
        await self.consumed()

    async def hold(self, keys: Sequence[str], seconds: float) -> None:
        """Hold a chord for some seconds; the last key repeats as on a real keyboard."""
        async with self._repeating(), self._holding(keys):
            await self._display.run(self._display.sync)
            await asyncio.sleep(seconds)
        await self.consumed()

    async def type(self, text: str) -> None:
        """Type a text, every character of it; a line end is Return.

        Ends when the window with the keys has taken the text. A program that is still busy at the end of the time
        for all of it, such as one that computes what was typed, finds the rest in its queue.

        Raises:
            NotNow: The programs stopped taking input in the middle of it.
        """
        every, end = symbols.of_text(text), time.monotonic() + _AT_LEAST + CHARACTER * len(text)
        done = 0
        async with self._without_caps_lock():
            while done < len(every):
                part = self._keyboard.fitting(every[done : done + _AT_ONCE])
                await self._display.run(partial(self._keyboard.write, part), _LONG)
                done, began = done + len(part), time.monotonic()
                taken = await self._taken(end if done == len(every) else min(end, began + _BUSY))
                if not taken and done < len(every):
                    raise NotNow(
                        f"type: the application took no more input for {time.monotonic() - began:.0f} s; at most "
                        f"{done} of {len(every)} characters were typed"
                    )
            # Qt answers once it has queued its keys, and again only once it has handled them.
            await self._taken(end)

    async def _taken(self, end: float) -> bool:
        """Wait until the window with the keys has taken all input; return whether it did before `end`.

        Others may use the display meanwhile.
        """
        while not await self._display.run(partial(self._consumption.over, _GLANCE)):
            if time.monotonic() >= end:
                return False
        return True

    async def let_go(self) -> None:
        """Let all keys and buttons go and put locks off."""
        await self._display.run(self._pointer.release_all)
        await self._display.run(self._keyboard.release_all)

    @asynccontextmanager
    async def _without_caps_lock(self) -> AsyncIterator[None]:
        locks = await self._display.run(self._keyboard.lift_caps_lock)
        try:
            yield
        finally:  # only once the text was taken: Caps Lock must not reach back to what is still in a queue
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
        """Go somewhere with modifiers held, and wait at the end until the programs know of it."""
        async with self._holding(modifiers):
            if x is not None and y is not None:
                await self._display.run(partial(self._pointer.move, x, y))
            yield
        await self.consumed()

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


def _parts(path: Sequence[Place]) -> Iterator[Sequence[Place]]:
    """Yield the stretches of a path, each from where the last one ended; several points each where there are many."""
    size = -(-(len(path) - 1) // _MOST_STOPS)
    for start in range(0, len(path) - 1, size):
        yield path[start : start + size + 1]
