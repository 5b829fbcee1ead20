"""The accessibility tree as an observation: visible, meaningful elements in reading order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.drivers.chromium.layout import STYLES, Layout, read_layout
from pytest_cuabench.drivers.chromium.scripts import script
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box, Mark, Node

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.tab import Tab

_SILENT = frozenset({
    "none", "generic", "paragraph", "InlineTextBox", "RootWebArea", "LineBreak", "ListMarker",
    "Section", "LayoutTable", "LayoutTableRow", "LayoutTableCell", "Iframe", "IframePresentational",
    "Pre", "presentation", "LabelText", "Legend",
})  # fmt: skip
_WORDS = {"StaticText": "text", "image": "image"}
_NAMED_BY_TEXT = frozenset({"text", "strong", "emphasis", "mark", "code", "time"})
INTERACTIVE = frozenset({
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
    "spinbutton", "tab", "option", "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem",
    "listbox", "Date", "DateTime", "InputTime", "ColorWell", "DisclosureTriangle",
})  # fmt: skip
_FLAGS = ("disabled", "focused", "required", "readonly", "modal", "selected")


class Element(NamedTuple):
    """A node of the tree with its backend id and focusability, for marks."""

    node: Node
    backend: int
    focusable: bool


class View(NamedTuple):
    """The elements of a page at one moment."""

    elements: list[Element]
    layout: Layout

    def nodes(self) -> tuple[Node, ...]:
        """The tree as observed."""
        return tuple(element.node for element in self.elements)


async def look(tab: Tab, screen: Size) -> View:
    """Read the tree of a tab and where its elements are."""
    options = {"computedStyles": STYLES, "includePaintOrder": False, "includeDOMRects": False}
    main, snapshot = await asyncio.gather(
        tab.cdp.send("Accessibility.getFullAXTree"), tab.cdp.send("DOMSnapshot.captureSnapshot", options)
    )
    layout = read_layout(snapshot, screen)
    inner = await asyncio.gather(
        *(tab.cdp.send("Accessibility.getFullAXTree", {"frameId": frame}) for frame in layout.frames[1:])
    )
    elements: list[Element] = []
    for answer in (main, *inner):
        _Reader(answer["nodes"], layout, elements).read()
    return View(elements, layout)


class _Reader:
    def __init__(self, nodes: list[dict[str, Any]], layout: Layout, found: list[Element]) -> None:
        self._nodes = {node["nodeId"]: node for node in nodes}
        self._root, self._layout, self._found = nodes[0], layout, found

    def read(self) -> None:
        stack: list[tuple[dict[str, Any], int, str]] = [(self._root, 0, "")]
        while stack:
            node, depth, label_above = stack.pop()
            element = None if node.get("ignored") else self._element(node, depth, label_above)
            if element is not None:
                self._found.append(element)
                depth, label_above = depth + 1, element.node.name or label_above
            children = (self._nodes.get(child) for child in reversed(node.get("childIds", ())))
            stack.extend((child, depth, label_above) for child in children if child is not None)

    def _element(self, node: dict[str, Any], depth: int, label_above: str) -> Element | None:
        role, name = _text(node, "role"), _text(node, "name").strip()
        backend = node.get("backendDOMNodeId", 0)
        place = self._layout.places.get(backend)
        if role in _SILENT or place is None or not place.visible:
            return None
        role = _WORDS.get(role, role)
        if role in _NAMED_BY_TEXT and (not name or name in label_above):
            return None  # the element around it has the same text
        properties = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
        value = "" if place.secret else _text(node, "value")
        focusable = bool(properties.get("focusable"))
        return Element(Node(role, name, value, _states(properties), place.box, depth), backend, focusable)


def _text(node: dict[str, Any], key: str) -> str:
    value = node.get(key, {}).get("value", "")
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _states(properties: dict[str, Any]) -> tuple[str, ...]:
    states = [name for name in _FLAGS if properties.get(name) is True]
    for name in ("checked", "pressed"):
        if name in properties:
            value = str(properties[name]).lower()
            states.append({"true": name, "mixed": "mixed"}.get(value, f"not {name}"))
    if "expanded" in properties:
        states.append("expanded" if properties["expanded"] else "collapsed")
    if str(properties.get("invalid", "false")) != "false":
        states.append("invalid")
    return tuple(states)


async def marks(tab: Tab, view: View, screen: Size) -> tuple[Mark, ...]:
    """Number what can be clicked or focused and is not covered."""
    found = _candidates(view, screen)
    boxes = [list(box) for _, _, box in found]
    hit = await tab.evaluate(f"{script('hit.js')}({boxes})")
    free = [one for one, reached in zip(found, hit, strict=True) if reached]
    return tuple(Mark(number, role, name, box) for number, (role, name, box) in enumerate(free, 1))


def _candidates(view: View, screen: Size) -> list[tuple[str, str, Box]]:
    places, parents = view.layout.places, view.layout.parents
    chosen = {
        element.backend: (element.node.role, element.node.name, element.node.box)
        for element in view.elements
        if (element.node.role in INTERACTIVE or element.focusable) and element.node.box.inside(screen)
    }
    covered = set(chosen)
    for backend in chosen:
        while (backend := parents.get(backend, 0)) and backend not in covered:
            covered.add(backend)
    for backend, place in places.items():
        small = place.box.width * place.box.height < screen.width * screen.height / 2
        wanted = place.clickable and place.visible and small and place.box.inside(screen)
        if wanted and backend not in covered and not _within(backend, chosen, parents):
            chosen[backend] = ("clickable", view.layout.text_of(backend)[:80], place.box)
    return sorted(chosen.values(), key=lambda one: (round(one[2].y), round(one[2].x)))


def _within(backend: int, chosen: dict[int, Any], parents: dict[int, int]) -> bool:
    while backend := parents.get(backend, 0):
        if backend in chosen:
            return True
    return False
