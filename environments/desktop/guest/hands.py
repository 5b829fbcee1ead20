"""Mouse and keyboard of a desktop as applications and protocols use them: each call ends when it was consumed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from guest import symbols
from guest.consumed import Consumption
from guest.display import Display
from guest.errors import BadRequest
from guest.keyboard import Keyboard
from guest.pointer import BUTTONS, Place, Pointer

_AT_ONCE = 200  # characters typed before the programs are waited for
_LONG = 30.0  # seconds that one call may take the display's thread


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
        number = _button(button)
        async with self._at(None, None, modifiers):
            await self._display.run(partial(self._pointer.drag, path, number), _LONG)

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
        """Type a text, every character of it; a line end is Return."""
        every = symbols.of_text(text)
        for start in range(0, len(every), _AT_ONCE):
            part = every[start : start + _AT_ONCE]
            await self._display.run(partial(self._keyboard.write, part), _LONG)
            await self.consumed()

    async def let_go(self) -> None:
        """Let all keys and buttons go and put locks off."""
        await self._display.run(self._pointer.release_all)
        await self._display.run(self._keyboard.release_all)

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
