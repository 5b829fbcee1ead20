"""Boxes, in screen pixels, of what GRASS paints itself without accessibility nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import wx  # type: ignore[import-not-found]

_CHECKBOX = 16  # pixels

Box = list[int]  # left, top, width, height


def find(frame: Any, name: str) -> Box | None:
    """Return the box of `layer/NAME`, `checkbox/NAME`, `catalog/LOCATION/MAPSET/MAP`, `map/EAST,NORTH`, `canvas`,
    `status` or `tab/LABEL`; None if it is not on the screen.

    Raises:
        ValueError: The kind is unknown.
    """
    kind, _, rest = name.partition("/")
    finders: dict[str, Callable[[Any, str], Box | None]] = {
        "layer": _layer_place,
        "checkbox": _checkbox_place,
        "catalog": _catalog_place,
        "map": _map_place,
        "canvas": _canvas_place,
        "status": _status_place,
        "tab": _tab_place,
    }
    if kind not in finders:
        raise ValueError(f"places are {', '.join(finders)}, not {kind!r}")
    return finders[kind](frame, rest)


def items(tree: Any) -> Iterator[Any]:
    """Yield a layer tree's items from top to bottom."""
    item = tree.GetFirstChild(tree.root)[0]
    while item and item.IsOk():
        yield item
        item = tree.GetNextItem(item)


def _layer_place(frame: Any, name: str) -> Box | None:
    tree = frame.GetLayerTree()
    for item in items(tree):
        layer = tree.GetLayerInfo(item, key="maplayer")
        if name in ((layer.GetName() if layer else None), tree.GetItemText(item).strip()):
            return _on_screen(tree, tree.GetBoundingRect(item, True))
    return None


def _catalog_place(frame: Any, path: str) -> Box | None:
    tree = frame.datacatalog.tree
    item = tree.GetFirstChild(tree.GetRootItem())[0]  # the one database
    for name in path.split("/"):
        item = item and _child(tree, item, name)
    if not item:
        return None
    return _on_screen(tree, tree.GetBoundingRect(item, True))


def _child(tree: Any, parent: Any, name: str) -> Any:
    item, cookie = tree.GetFirstChild(parent)
    while item.IsOk():
        if tree.GetItemText(item).split("  ")[0] == name:  # "PERMANENT  (current)"
            return item
        item, cookie = tree.GetNextChild(parent, cookie)
    return None


def _map_place(frame: Any, place: str) -> Box | None:
    window = frame.GetMapDisplay().GetMapWindow()
    east, _, north = place.partition(",")
    x, y = window.Cell2Pixel((float(east), float(north)))
    return _on_screen(window, wx.Rect(int(x), int(y), 1, 1))


def _canvas_place(frame: Any, _: str) -> Box | None:
    window = frame.GetMapDisplay().GetMapWindow()
    return _on_screen(window, window.GetClientRect())


def _status_place(frame: Any, _: str) -> Box | None:
    bar = frame.GetMapDisplay().statusbar
    return _on_screen(bar, bar.GetFieldRect(0))


def _checkbox_place(frame: Any, name: str) -> Box | None:
    box = _layer_place(frame, name)
    return box and [*box[:2], _CHECKBOX, box[3]]  # an item begins with its box


def _tab_place(frame: Any, label: str) -> Box | None:
    for notebook in (*frame._auimgr.GetNotebooks(), frame.mapnotebook):
        for strip in notebook.GetChildren():
            for page in getattr(strip, "GetPages", list)():
                if page.caption == label:
                    return _on_screen(strip, page.rect)
    return None


def _on_screen(window: Any, rect: Any) -> Box | None:
    if not rect:
        return None
    x, y = window.ClientToScreen(rect.GetTopLeft())
    return [int(x), int(y), int(rect.width), int(rect.height)]
