"""Finds elements by Playwright selectors, for privileged agents.

The page is read in Playwright's own world beside the page's scripts, by the browser's own functions (`locate.js`).
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.drivers.chromium.session.scripts import with_native
from pytest_cuabench.task.observation import Box, Placed

if TYPE_CHECKING:
    from playwright import async_api as playwright

_ENGINE = "screen"
_IN, _OUT, _REAL, _INSET = (f"{_ENGINE}={part}" for part in ("in", "out", "real", "inset"))


class Match(NamedTuple):
    """A found element: its box on the screen, those of the frames around it from the outermost, its value or text."""

    box: Box
    frames: tuple[Box, ...]
    text: str

    def placed(self, window: Box) -> Placed:
        """Return what has to come into view: the outermost frame that cannot be seen at all, or the element."""
        for frame in self.frames:
            left = frame.clipped(window)
            if not left.width or not left.height:
                return Placed(frame, window)
            window = left
        return Placed(self.box, window)


async def register(driver: playwright.Playwright) -> None:
    """Have a driver know the parts of selectors with which this module asks."""
    await driver.selectors.register(_ENGINE, with_native("locate.js"), content_script=True)


async def find(page: playwright.Page, target: str) -> Match | None:
    """Return the only visible match, looked for in the main frame first and then in the others.

    Raises:
        LookupError: Several elements match, or the target is not a valid selector.
    """
    for frame in page.frames:
        count, matches = await _matches(frame, target)
        if count > 1:
            raise LookupError(f"{target!r} matches {count} visible elements, expected 1")
        if matches:
            *box, text = matches[0]
            frames = [one async for one in _frames(frame)]
            (left, top, *_), scale = frames[-1] if frames else (Box(0, 0, 0, 0), 1.0)
            x, y, width, height = (side * scale for side in box)
            around = tuple(inside for inside, _ in frames)
            return Match(Box(x + left, y + top, width, height), around, text or "")
    return None


async def find_all(page: playwright.Page, target: str) -> list[playwright.ElementHandle]:
    """Return all matches of the main frame, visible or not."""
    return await page.query_selector_all(f"{_IN} >> {target} >> {_REAL}")


async def _matches(frame: playwright.Frame, target: str) -> tuple[int, list[list[Any]]]:
    """Return how many elements are visible matches, and the first of them."""
    from playwright.async_api import Error

    try:
        told = await _told(frame, f"{_IN} >> {target} >> {_OUT}")
    except Error as error:
        first = str(error).splitlines()[0].partition(": ")[2]
        # Playwright's errors have no codes, only sentences.
        if any(word in first for word in ("selector", "Unknown engine", "Unexpected token", "parsing")):
            raise LookupError(f"{target!r} is not a selector: {first}") from None
        if any(word in first for word in ("context was destroyed", "detached", "navigat")):
            return 0, []  # the document is being replaced: nothing of it is on the page
        raise
    count, matches = told or (0, [])
    return count, matches


async def _told(where: playwright.Frame | playwright.ElementHandle, selector: str) -> Any:
    """Return what the last part of a selector tells; None if it was not reached."""
    # A selector finds elements only, so the parts tell what they know as the text of one.
    carrier = await where.query_selector(selector)
    text = await carrier.text_content() if carrier is not None else ""
    return json.loads(text) if text else None


async def _frames(frame: playwright.Frame) -> AsyncIterator[tuple[Box, float]]:
    """Yield where on the screen the insides of the frames around lie, the outermost first.

    With each, how many pixels of the screen one of its own is.
    """
    parent = frame.parent_frame
    if parent is None:
        return
    async for one in _frames(parent):
        yield one
    element = await frame.frame_element()
    box = await element.bounding_box()
    left, top, width, height, whole = await _told(element, _INSET)
    if box and whole:
        scale = box["width"] / whole
        yield Box(box["x"] + left * scale, box["y"] + top * scale, width * scale, height * scale), scale
