"""Which windows lie over others on an X server's screen."""

from __future__ import annotations

from typing import Any

import xcffib.xproto

from guest.display import Display
from guest.nodes import Box


def is_uncovered(display: Display, window: Box, part: Box) -> bool:
    """Return whether nothing lies over a part of a window, which is found by its box; False for two with that box.

    To be called in the display's thread.
    """
    tops = [(top, box) for top in _children(display, display.root) if (box := _shown(display, top))]
    found = [
        place for place, (top, box) in enumerate(tops) if box == window or window in _boxes(display, top, box)
    ]
    return len(found) == 1 and not any(_overlap(box, part) for _, box in tops[found[0] + 1 :])


def _children(display: Display, window: int) -> list[int]:
    """Return the windows in a window, the lowest first; none if it is gone."""
    try:
        return list(display.core.QueryTree(window).reply().children)
    except xcffib.xproto.WindowError:
        return []


def _shown(display: Display, window: int) -> Box | None:
    """Return a window's box in its parent; None if it is gone or not shown."""
    asked: tuple[Any, Any] = display.core.GetWindowAttributes(window), display.core.GetGeometry(window)
    try:
        attributes, geometry = (one.reply() for one in asked)
    except (xcffib.xproto.WindowError, xcffib.xproto.DrawableError):
        return None
    shown = attributes.map_state == xcffib.xproto.MapState.Viewable
    edge = 2 * geometry.border_width
    return (geometry.x, geometry.y, geometry.width + edge, geometry.height + edge) if shown else None


def _boxes(display: Display, top: int, frame: Box) -> list[Box]:
    """Return the boxes, on the screen, of the windows in the frame that a window manager has drawn around them."""
    boxes = (_shown(display, child) for child in _children(display, top))
    return [(frame[0] + x, frame[1] + y, width, height) for x, y, width, height in filter(None, boxes)]


def _overlap(one: Box, other: Box) -> bool:
    return all(
        one[axis] < other[axis] + other[axis + 2] and other[axis] < one[axis] + one[axis + 2]
        for axis in (0, 1)
    )
