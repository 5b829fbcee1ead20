"""Mouse and keyboard of an episode whose browser has a window (`browser/display.py`)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_cuabench.drivers.chromium.browser.display import Display
from pytest_cuabench.drivers.chromium.native.parts import beyond_the_page
from pytest_cuabench.drivers.chromium.session.keys import BITS, own_fields, runs, strokes
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, Point

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.acting.input import Input
    from pytest_cuabench.drivers.chromium.session.session import Session

_BY_HAND = ("pointer", "keyboard")
_AT_ONCE = 100  # characters that are typed before the page has handled them
_TOOLBAR = 15  # parts of a toolbar and tab strip at most that take the focus one after the other
# Keys arrive at the page slightly after its window has taken them.
_FOCUSED = (
    "new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(document.hasFocus())), 30))"
)
_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_MOST_MOVES = 8  # within one stretch of a drag; each takes a frame
_LATCHED = 0.55  # seconds for which a browser scrolls what the wheel scrolled last, even if that is gone
_DROP = 3  # frames that what is dragged has to arrive


class NativeInput:
    """Mouse and keyboard of one episode in a window.

    A key that leads to what is not on the screen (the toolbar, another window) goes to the page alone.
    """

    def __init__(self, display: Display) -> None:
        self._display = display
        self._keys: dict[str, None] = {}  # that are held, in order
        self._buttons: dict[Button, None] = {}
        self._last: type[Action] | None = None
        self._scrolled = 0.0

    async def perform(self, session: Session, input: Input, action: Action) -> bool:
        """Carry out an action by mouse and keyboard; return False for others, and for keys of the page alone."""
        before, self._last = self._last, type(action)
        chord = (*self._keys, *_keys(action))
        if action.needs not in _BY_HAND or (_keys(action) and beyond_the_page(chord)):
            return False
        match action:
            case act.Key(keys=(key,), repeat=repeat) if len(key) == 1 and not (
                _on_keyboard(key) or self._keys
            ):
                action = act.Type(key * repeat)
        if input.composing or not all(map(_on_keyboard, _keys(action))):
            return False
        if isinstance(action, act.KeyUp) and input.holds(action.key):  # pressed on the page alone
            return False
        modifiers = [key for key in getattr(action, "modifiers", ()) if key not in self._keys]
        if isinstance(action, act.Drag):
            await self._display.perform(*map(act.KeyDown, modifiers))
        if isinstance(action, act.Scroll) and before is not act.Scroll:
            await asyncio.sleep(max(0.0, self._scrolled + _LATCHED - asyncio.get_running_loop().time()))
        for one in _pieces(action):
            await self._do(session, one)
        if isinstance(action, act.Scroll):
            self._scrolled = asyncio.get_running_loop().time()
        if isinstance(action, act.Drag):
            await self._display.perform(*map(act.KeyUp, reversed(modifiers)))
        self._note(action)
        if points := action.points():
            input.cursor = points[-1]
        return True

    def modifiers(self, action: Action) -> tuple[str, ...]:
        """Return the modifiers that are held here while the page alone gets the keys of an action."""
        return tuple(key for key in self._keys if key in BITS) if _keys(action) else ()

    @property
    def commanding(self) -> bool:
        """Whether a modifier is held that turns characters into shortcuts."""
        return not self._keys.keys().isdisjoint({"ctrl", "alt", "meta"})

    async def release(self) -> None:
        """Let go of everything that is held."""
        ups = [act.KeyUp(key) for key in reversed(self._keys)]
        await self._display.perform(*ups, *(act.MouseUp(button=button) for button in self._buttons))
        self._keys.clear()
        self._buttons.clear()

    async def _do(self, session: Session, action: Action) -> None:
        match action:
            case act.Key(keys=(*held, "tab")) if set(held) <= {"shift"}:
                await self._tab(session, action)
            case act.Type(text=text) if strokes(text[0]) is None and await _focused(session):
                await session.active.page.keyboard.insert_text(text)
            case act.Move() | act.Scroll():
                await self._display.perform(action)
                await _painted(session)
            case act.Type(text=text) if len(text) > _AT_ONCE:
                for first in range(0, len(text), _AT_ONCE):
                    await self._display.perform(act.Type(text[first : first + _AT_ONCE]))
                    await _painted(session)
            case _:
                await self._display.perform(action)

    async def _tab(self, session: Session, key: act.Key) -> None:
        """Move the focus, past the toolbar, which is not on the screen."""
        inside = await _focused(session)
        await self._display.perform(key)
        for _ in range(_TOOLBAR if inside else 0):
            if await _focused(session):
                return
            await self._display.perform(act.Key(key.keys))

    def _note(self, action: Action) -> None:
        match action:
            case act.KeyDown(key=key):
                self._keys[key] = None
            case act.KeyUp(key=key):
                self._keys.pop(key, None)
            case act.MouseDown(button=button):
                self._buttons[button] = None
            case act.MouseUp(button=button):
                self._buttons.pop(button, None)


def _keys(action: Action) -> tuple[str, ...]:
    match action:
        case act.Key(keys=keys) | act.HoldKey(keys=keys):
            return keys
        case act.KeyDown(key=key):
            return (key,)
    return ()


def _pieces(action: Action) -> Iterator[Action]:
    """Split an action at what has to arrive by itself.

    These are Tab keys, characters that no key has, points and notches: a browser joins what comes within one frame.
    """
    match action:
        case act.Scroll(x=x, y=y, dx=dx, dy=dy, modifiers=held):
            yield from [act.Scroll(x, y, dy=1 if dy > 0 else -1, modifiers=held)] * abs(dy)
            yield from [act.Scroll(x, y, dx=1 if dx > 0 else -1, modifiers=held)] * abs(dx)
        case act.Drag(path=path, button=button):
            yield from (act.Move(*path[0]), act.MouseDown(button=button))
            steps = max(1, _MOST_MOVES // (len(path) - 1))
            for start, stop in pairwise(action.points()):
                yield from (act.Move(*point) for point in _between(start, stop, steps))
            yield from [act.Move(*path[-1])] * _DROP
            yield act.MouseUp(button=button)
        case act.Type(text=text):
            for keyed, run in runs(text.replace("\r\n", "\n").replace("\r", "\n")):
                for number, piece in enumerate(run.split("\t") if keyed else (run,)):
                    yield from [act.Key(("tab",))] * min(number, 1)
                    yield from [act.Type(piece)] if piece else []
        case act.Key(keys=keys, repeat=repeat) if keys[-1] == "tab":
            yield from [act.Key(keys)] * repeat
        case _:
            yield action


def _between(start: Point, stop: Point, steps: int) -> Iterator[tuple[int, int]]:
    for number in range(1, steps + 1):
        share = number / steps
        yield round(start.x + (stop.x - start.x) * share), round(start.y + (stop.y - start.y) * share)


def _on_keyboard(key: str) -> bool:
    """Whether a key is on a US keyboard; the others are assigned to spare keys, which Chromium does not notice."""
    return strokes(key) is not None if len(key) == 1 else own_fields(key) is None


async def _painted(session: Session) -> None:
    """Wait until the page has handled the last input."""
    from playwright.async_api import Error

    with suppress(Error):  # the page was replaced
        await session.interrupts.unless_interrupted(session.active.evaluate(_FRAMES))


async def _focused(session: Session) -> bool:
    """Whether the page has the focus; True while a dialog is open, which keeps it."""
    from playwright.async_api import Error

    try:
        return await session.interrupts.unless_interrupted(session.active.evaluate(_FOCUSED)) is not False
    except Error:
        return True  # the page was replaced
