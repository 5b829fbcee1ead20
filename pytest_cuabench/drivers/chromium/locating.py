"""Finds elements by Playwright selectors, for privileged agents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.task.observation import Box

if TYPE_CHECKING:
    from playwright import async_api as playwright

_MATCHES = """elements => elements
  .filter((one) => one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}))
  .map((one) => [one.getBoundingClientRect(), one])
  .filter(([box]) => box.width > 0 && box.height > 0)
  .map(([box, one]) => [box.x, box.y, box.width, box.height,
    /^(input|textarea|select)$/.test(one.localName) ? one.value : one.innerText ?? one.textContent])"""
_INSETS = """one => [one.clientLeft + parseFloat(getComputedStyle(one).paddingLeft),
  one.clientTop + parseFloat(getComputedStyle(one).paddingTop), one.offsetWidth]"""


class Match(NamedTuple):
    """A found element: its box on the screen, and its value or text."""

    box: Box
    text: str


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
            dx, dy, scale = await _placed(frame, page)
            x, y, width, height = (side * scale for side in box)
            return Match(Box(x + dx, y + dy, width, height), text or "")
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


async def _placed(frame: playwright.Frame, page: playwright.Page) -> tuple[float, float, float]:
    """Return where on the screen a frame begins, and how many pixels of the screen one of its own is."""
    if frame == page.main_frame:
        return 0.0, 0.0, 1.0
    element = await frame.frame_element()
    box = await element.bounding_box()
    left, top, width = await element.evaluate(_INSETS)
    if not box or not width:
        return 0.0, 0.0, 1.0
    scale = box["width"] / width
    return box["x"] + left * scale, box["y"] + top * scale, scale
