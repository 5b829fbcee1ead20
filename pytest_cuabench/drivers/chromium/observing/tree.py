"""The accessibility tree as an observation: visible, meaningful elements in reading order."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from pytest_cuabench.drivers.chromium.observing.bounds import (
    LONGEST,
    MOST_CHARACTERS,
    MOST_MARKS,
    MOST_NODES,
    MOST_VISITED,
    SHORTENED,
    shortened,
)
from pytest_cuabench.drivers.chromium.observing.layout import STYLES, Layout, read_layout
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box, Mark, Node

if TYPE_CHECKING:
    from pytest_cuabench.drivers.chromium.session.tab import Tab

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
# Pages with more than this are outlined: nodes, characters of texts, attributes and fields, elements and texts of one
# paragraph (whose cost grows by its square), levels.
LARGE = {
    "nodes": 10_000,
    "characters": 5_000_000,
    "inline": 2_000,
    "levels": 400,
    "rows": MOST_NODES,
    "text": LONGEST,
    "visits": MOST_VISITED,
}
_MORE = "scroll to see others."
_PART = f"Only a part of this very large page was read, about what is on the screen; {_MORE}"
_SLOW = 4.0  # seconds for the browser's accessibility tree
_MARKED = 80  # characters of a mark without a role
_FLAGS = ("disabled", "focused", "required", "readonly", "modal", "selected")


class Element(NamedTuple):
    """A node of the tree with its backend id and focusability, for marks."""

    node: Node
    backend: int
    focusable: bool


class View(NamedTuple):
    """What is on the screen of a page at one moment.

    Attributes:
        active: Role, name and box of what can be clicked or focused, covered or not.
        cut, few: What the agent is told where nodes, or what is active, were left out.
    """

    nodes: tuple[Node, ...]
    active: list[tuple[str, str, Box]]
    cut: str = ""
    few: str = ""


async def look(tab: Tab, screen: Size) -> View:
    """Read what a tab shows: the browser's accessibility tree, or an outline of a page that is too large for it."""
    outlined = await tab.run("outline.js", {**LARGE, "must": tab.slow})
    if outlined is not None:
        return _outline(outlined, screen)
    try:
        async with asyncio.timeout(_SLOW):
            return await _whole(tab, screen)
    except TimeoutError:
        # Until another document loads, further looks do not wait in vain.
        tab.slow = True
    return _outline(await tab.run("outline.js", {**LARGE, "must": True}), screen)


def _outline(outlined: dict[str, Any], screen: Size) -> View:
    rows = [(row[1], row[2], row[6], _node(row)) for row in outlined["found"]]
    active = [(role or "clickable", name[:_MARKED], node.box) for role, name, active, node in rows if active]
    seen = [(role, name, box) for role, name, box in active if box.inside(screen)]
    view = _bounded([node for role, _, _, node in rows if role], seen, outlined["count"], MOST_MARKS)
    if outlined["whole"]:
        return view
    return view._replace(cut=_sentences(_PART, view.cut), few=_sentences(_PART, view.few))


def _node(row: list[Any]) -> Node:
    depth, role, name, value, states, box, *_ = row
    return Node(role, name, value, tuple(states), Box(*box), depth)


def _bounded(nodes: list[Node], active: list[tuple[str, str, Box]], count: int, most: int) -> View:
    """Cut what is more than an agent is shown of one screen."""
    shown: list[Node] = []
    length, long = 0, False
    for node in nodes[:MOST_NODES]:
        name, value = shortened(node.name), shortened(node.value)
        length += len(name) + len(value)
        if length > MOST_CHARACTERS:
            break
        long |= (name, value) != (node.name, node.value)
        shown.append(node._replace(name=name, value=value))
    whole = len(shown) == len(nodes) and count <= MOST_NODES
    cut = f"Only {len(shown)} of about {max(count, len(nodes))} elements on the screen are listed, in reading order;"
    first = _in_order(active)[:most]
    marked = [(role, shortened(name), box) for role, name, box in first]
    few = f"Only {most} of about {len(active)} elements that can be used are numbered, from the top; {_MORE}"
    return View(
        tuple(shown),
        marked,
        _sentences("" if whole else f"{cut} {_MORE}", SHORTENED if long else ""),
        _sentences(few if len(active) > most else "", SHORTENED if marked != first else ""),
    )


def _sentences(*given: str) -> str:
    return " ".join(filter(None, given))


def _in_order(active: list[tuple[str, str, Box]]) -> list[tuple[str, str, Box]]:
    return sorted(active, key=lambda one: (round(one[2].y), round(one[2].x)))


async def _whole(tab: Tab, screen: Size) -> View:
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
    nodes = [element.node for element in elements]
    return _bounded(nodes, _candidates(elements, layout, screen), len(nodes), MOST_NODES)


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


async def marks(tab: Tab, view: View) -> tuple[Mark, ...]:
    """Number what can be clicked or focused and is not covered."""
    found = view.active
    hit = await tab.run("hit.js", [list(box) for _, _, box in found])
    free = [one for one, reached in zip(found, hit, strict=True) if reached]
    return tuple(Mark(number, role, name, box) for number, (role, name, box) in enumerate(free, 1))


def _candidates(elements: list[Element], layout: Layout, screen: Size) -> list[tuple[str, str, Box]]:
    places, parents = layout.places, layout.parents
    chosen = {
        element.backend: (element.node.role, element.node.name, element.node.box)
        for element in elements
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
            chosen[backend] = ("clickable", "", place.box)
    texts = layout.texts_of({backend for backend, (role, *_) in chosen.items() if role == "clickable"})
    return [
        (role, texts.get(backend, "")[:_MARKED] if role == "clickable" else name, box)
        for backend, (role, name, box) in chosen.items()
    ]


def _within(backend: int, chosen: dict[int, Any], parents: dict[int, int]) -> bool:
    while backend := parents.get(backend, 0):
        if backend in chosen:
            return True
    return False
