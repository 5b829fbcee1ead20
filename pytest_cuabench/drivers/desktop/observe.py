"""Observations of a desktop: screenshot, accessibility tree cut to a budget, and numbered marks.

The tree is filtered as in OSWorld and ScienceBoard: visible, enabled elements of meaningful roles with a text and an
extent on the screen. In addition it keeps windows, page tabs, column headers, and selected or checked elements without
a name, which an agent needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pytest_cuabench.drivers import marking
from pytest_cuabench.drivers.desktop.client import GuestClient, TreeNode
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.observation import Box, Mark, Node, Observation, ObservationKind

BYTES_PER_TOKEN = 4  # of UTF-8: an estimate for English and markup
_PLACE = 24  # bytes of a line besides its texts: indentation, quotes, position
_SUFFIXES = ("item", "button", "heading", "label", "scroll-bar", "textbox", "link", "menu", "header", "text")
_ROLES = frozenset({
    "alert", "canvas", "check-box", "combo-box", "entry", "icon", "image", "paragraph", "section", "slider",
    "static", "table-cell", "terminal", "page-tab", "notification", "drawing-area", "tree-table-cell", "document",
    "frame", "dialog",
})  # fmt: skip
_ACTIVE_SUFFIXES = ("item", "button", "link", "entry", "menu")
_ACTIVE = frozenset({
    "check-box", "combo-box", "slider", "page-tab", "text", "password-text", "editbar", "terminal", "canvas",
    "drawing-area", "table-cell", "tree-table-cell", "table-column-header", "scroll-bar", "icon",
})  # fmt: skip
_IN_USE = frozenset({"enabled", "sensitive", "editable", "expandable", "checkable"})
_TOLD = ("focused", "selected", "checked", "pressed", "expanded", "editable", "modal", "indeterminate")


class CutTree(NamedTuple):
    """A tree cut to its budget, and the number of elements before."""

    nodes: tuple[Node, ...]
    total: int


class Observer:
    """Creates observations of a desktop, and keeps the last marks."""

    def __init__(self, screen: Size, tokens: int) -> None:
        self.marks: tuple[Mark, ...] = ()
        self._screen, self._tokens = screen, tokens

    async def observe(self, guest: GuestClient, kind: ObservationKind) -> Observation:
        """Return an observation of a kind."""
        image = None if kind == "tree" else await guest.screenshot()
        if kind == "screenshot":
            return Observation(self._screen, screenshot=image)
        found = filtered(await guest.tree(), self._screen)
        if kind == "marks":
            assert image is not None
            self.marks = marks(found)
            return Observation(self._screen, screenshot=marking.painted(image, self.marks), marks=self.marks)
        tree = cut(found, self._tokens)
        return Observation(
            self._screen, screenshot=image, tree=tree.nodes, notices=tuple(_cut_notice(tree, self._tokens))
        )


def filtered(nodes: Sequence[TreeNode], screen: Size) -> list[Node]:
    """Return the meaningful elements in reading order; the depth counts kept ancestors only."""
    kept: list[Node] = []
    depths: dict[int, int] = {-1: 0}
    for number, node in enumerate(nodes):
        depth = depths.get(node.parent, 0)
        if _means_something(node, screen):
            states = tuple(state for state in _TOLD if state in node.states)
            states += ("disabled",) if not _IN_USE.intersection(node.states) else ()
            value = "" if node.value == node.name else node.value
            kept.append(
                Node(node.role, node.name.strip() or node.description.strip(), value, states, node.box, depth)
            )
            depth += 1
        depths[number] = depth
    return kept


def cut(nodes: Iterable[Node], tokens: int) -> CutTree:
    """Return the first elements that fit into an estimated number of tokens."""
    everything = tuple(nodes)
    room = tokens * BYTES_PER_TOKEN
    for number, node in enumerate(everything):
        room -= _bytes(node)
        if room < 0:
            return CutTree(everything[:number], len(everything))
    return CutTree(everything, len(everything))


def marks(nodes: Iterable[Node]) -> tuple[Mark, ...]:
    """Number the interactive elements; of elements with the same box only the innermost."""
    active: dict[Box, Node] = {
        node.box: node
        for node in nodes
        if (node.role in _ACTIVE or node.role.endswith(_ACTIVE_SUFFIXES) or "editable" in node.states)
        and "disabled" not in node.states
    }
    ordered = sorted(active.values(), key=lambda node: (round(node.box.y), round(node.box.x)))
    return tuple(
        Mark(number, node.role, node.name or node.value, node.box) for number, node in enumerate(ordered, 1)
    )


def _means_something(node: TreeNode, screen: Size) -> bool:
    role = node.role
    known = role in _ROLES or role.startswith("document") or role.endswith(_SUFFIXES)
    shows = "showing" in node.states and "visible" in node.states
    says = bool(node.name.strip() or node.value.strip() or node.description.strip())
    on_screen = node.box.width > 0 and node.box.height > 0 and node.box.inside(screen)
    acts = bool({"editable", "checkable", "selected"}.intersection(node.states))
    return known and shows and (says or acts) and on_screen


def _bytes(node: Node) -> int:
    words = (node.role, node.name, node.value, *node.states)
    return sum(len(word.encode(errors="replace")) + 2 for word in words) + 2 * node.depth + _PLACE


def _cut_notice(tree: CutTree, tokens: int) -> Iterator[str]:
    shown = len(tree.nodes)
    if shown < tree.total:
        yield (
            f"The accessibility tree has {tree.total} elements; only the first {shown} are listed here, about "
            f"{tokens} tokens ({tree.total - shown} elements were cut off)."
        )
