"""Finds elements by Playwright selectors, for privileged agents."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.task.observation import Box, Placed

if TYPE_CHECKING:
    from playwright import async_api as playwright

_MATCHES = """elements => elements
  .filter((one) => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.width > 0 && box.height > 0)
  .map(([box, one]) => [box.x, box.y, box.width, box.height,
    /^(input|textarea|select)$/.test(one.localName) ? one.value : one.innerText ?? one.textContent])"""
_INSIDE = """one => { const style = getComputedStyle(one), side = (name) => parseFloat(style[`padding${name}`]);
  return [one.clientLeft + side('Left'), one.clientTop + side('Top'),
    one.clientWidth - side('Left') - side('Right'), one.clientHeight - side('Top') - side('Bottom'),
    one.offsetWidth]; }"""


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


async def find(page: playwright.Page, target: str) -> Match | None:
    """Return the only visible match, looked for in the main frame first and then in the others.

    Raises:
        LookupError: Several elements match, or the target is not a valid selector.
    """
    for frame in page.frames:
        matches = await _matches(frame, target)
        if len(matches) > 1:
            raise LookupError(f"{target!r} matches {len(matches)} visible elements, expected 1")
        if matches:
            *box, text = matches[0]
            frames = [one async for one in _frames(frame)]
            (left, top, *_), scale = frames[-1] if frames else (Box(0, 0, 0, 0), 1.0)
            x, y, width, height = (side * scale for side in box)
            around = tuple(inside for inside, _ in frames)
            return Match(Box(x + left, y + top, width, height), around, text or "")
    return None


async def _matches(frame: playwright.Frame, target: str) -> list[list[Any]]:
    from playwright.async_api import Error

    try:
        return await frame.eval_on_selector_all(target, _MATCHES)  # type: ignore[no-any-return]
    except Error as error:
        first = str(error).splitlines()[0].removeprefix("Frame.eval_on_selector_all: ")
        if any(word in first for word in ("selector", "Unknown engine", "Unexpected token", "parsing")):
            raise LookupError(f"{target!r} is not a selector: {first}") from None
        if any(word in first for word in ("context was destroyed", "detached", "navigat")):
            return []  # the document is being replaced: nothing of it is on the page
        raise


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
    left, top, width, height, whole = await element.evaluate(_INSIDE)
    if box and whole:
        scale = box["width"] / whole
        yield Box(box["x"] + left * scale, box["y"] + top * scale, width * scale, height * scale), scale
