"""Chords for the browser's own frame, such as reloading: which of them a page sees first.

A page's handlers see a chord before the browser does, and keep it by `preventDefault`. A few are reserved by browsers,
so that a page cannot swallow them: the page never sees these.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from pytest_cuabench.task import action as act
from pytest_cuabench.task.keys import MODIFIERS

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page

    from pytest_cuabench.drivers.chromium.input import Input
    from pytest_cuabench.task.action import Action

Chord = tuple[str, ...]

CLOSING: frozenset[Chord] = frozenset({("ctrl", "w"), ("ctrl", "f4")})
NEXT: frozenset[Chord] = frozenset({("ctrl", "tab"), ("ctrl", "pagedown")})
PREVIOUS: frozenset[Chord] = frozenset({("ctrl", "shift", "tab"), ("ctrl", "pageup")})
_OPENS = "This key opens no tab or window here; links of the application do."
_ENDS = "This key does not close the browser's window here; close_tab closes a tab."
ABSENT: dict[Chord, str] = {
    **dict.fromkeys((("ctrl", "t"), ("ctrl", "n"), ("ctrl", "shift", "n")), _OPENS),
    ("ctrl", "shift", "t"): "Closed tabs are not opened again here; links of the application open them.",
    **dict.fromkeys((("ctrl", "shift", "w"), ("alt", "f4")), _ENDS),
}
"""Reserved chords for what this browser does not have, with the notice for the agent."""
RELOADING: frozenset[Chord] = frozenset(
    {("f5",), ("ctrl", "f5"), ("shift", "f5"), ("ctrl", "r"), ("ctrl", "shift", "r")}
)
_ORDER = ("ctrl", "alt", "shift", "meta")

_LISTEN = """() => {
  const stop = new AbortController(), seen = {stop, event: null};
  window[Symbol.for("browser.chord")] = seen;
  addEventListener("keydown", (event) => { seen.event = event; }, {capture: true, signal: stop.signal});
}"""
_ASK = """() => {
  const name = Symbol.for("browser.chord"), seen = window[name];
  delete window[name];
  seen?.stop.abort();
  return Boolean(seen?.event?.defaultPrevented);
}"""


def chord_of(action: Action, input: Input) -> Chord:
    """Return the keys that are down after an action has pressed its own, modifiers first; none for other actions."""
    if isinstance(action, act.Key | act.HoldKey):
        pressed = action.keys
    elif isinstance(action, act.KeyDown):
        pressed = (action.key,)
    else:
        return ()
    down = {*pressed, *(key for key in MODIFIERS if input.holds(key))}
    held = [key for key in _ORDER if key in down]
    return (*held, *(key.lower() for key in pressed if key not in MODIFIERS))


class Left:
    """Whether the page has left a chord to the browser; known after the block of `watching`."""

    to_the_browser = False


@asynccontextmanager
async def watching(page: Page) -> AsyncIterator[Left]:
    """Find out what a page does with the keys that are pressed during a block."""
    from playwright.async_api import Error

    async def prevented(frame: Frame) -> bool:
        try:
            return bool(await frame.evaluate(_ASK))
        except Error:
            return not frame.is_detached()  # it has gone to another page by itself

    left, frames = Left(), page.frames
    for frame in frames:
        with suppress(Error):
            await frame.evaluate(_LISTEN)
    yield left
    left.to_the_browser = not any(await asyncio.gather(*map(prevented, frames)))
