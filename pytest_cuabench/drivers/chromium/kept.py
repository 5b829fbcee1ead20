"""Whether a page keeps a key for itself, which a browser else would act on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright import async_api as playwright

_LISTEN = """() => {
  const KEY = Symbol.for("screen.key"), state = {last: null, focused: document.hasFocus()};
  state.listen = (event) => { state.last = event; };
  Object.defineProperty(window, KEY, {value: state, configurable: true});
  window.addEventListener("keydown", state.listen, true);
}"""
# A frame with the focus that has not seen the key has stopped it before.
_KEPT = """() => {
  const KEY = Symbol.for("screen.key"), state = window[KEY];
  if (!state) return false;
  window.removeEventListener("keydown", state.listen, true);
  delete window[KEY];
  const inner = document.activeElement instanceof HTMLIFrameElement;
  return state.last ? state.last.defaultPrevented : state.focused && !inner;
}"""


@asynccontextmanager
async def keeping(page: playwright.Page) -> AsyncIterator[list[bool]]:
    """Watch all frames of a page during a block that presses a key; the list is not empty if one of them keeps it."""
    from playwright.async_api import Error

    kept: list[bool] = []
    for frame in page.frames:
        with suppress(Error):  # it was replaced
            await frame.evaluate(_LISTEN)
    yield kept
    for frame in [] if page.is_closed() else page.frames:
        with suppress(Error):
            if await frame.evaluate(_KEPT):
                kept.append(True)
