"""Reads KAlgebra's state from its accessibility tree, including hidden tabs.

The whole tree has six hundred nodes. Only the relevant parts are read repeatedly: `parts` finds them, and a `Window` is
their content at one moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from guest.nodes import Box, Node

TABS = ("Calculator", "2D Graph", "3D Graph", "Dictionary")
RESOLUTIONS = ("Poor", "Normal", "Fine", "Very Fine")
STYLES = ("Dots", "Lines", "Solid")
SETTINGS = {"grid": "Grid", "aspect": "Keep Aspect Ratio"}
LEVELS: Mapping[str, int] = {  # depth of reading, by part
    "application": 1,
    "tabs": 0,
    "menus": 2,
    "console": 2,
    "variables": 1,
    "functions": 1,
    "surface": 1,
}

Row = dict[str, Any]
Parts = dict[str, Node]


@dataclass(frozen=True, slots=True)
class Plot:
    """One line of the list of 2D plots.

    Attributes:
        box: Of the cell with check box and colour; None if the list is not on the screen.
    """

    name: str
    expression: str
    shown: bool
    selected: bool
    box: Box | None


def parts(nodes: list[Node]) -> Parts | None:
    """Find the parts that hold the state; None while the window is incomplete."""
    root = _first(nodes, "application", "kalgebra")
    inside = list(below(root)) if root else []
    pane = _first(inside, "layered-pane")
    pages = pane.children if pane else []
    found = {
        "application": root,
        "tabs": next((node for node in inside if node.role == "page-tab-list" and node.name in TABS), None),
        "menus": _first(inside, "menu-bar"),
        "console": _first(inside, "document-web"),
        "variables": _list_of(inside, "Functions", "table"),
        "variables on the screen": _list_of(inside, "Variables", "tree"),
        "functions": _list_of(inside, "Functions", "tree"),
        "surface": pages[2] if len(pages) > 2 else None,
        **{item: _item(inside, item) for item in (*RESOLUTIONS, *STYLES, *SETTINGS.values())},
    }
    complete = {name: node for name, node in found.items() if node is not None}
    return complete if len(complete) == len(found) else None


def console(nodes: list[Node]) -> Node | None:
    """Find the console."""
    root = _first(nodes, "application", "kalgebra")
    return _first(below(root), "document-web") if root else None


class Window:
    """The content of the parts of KAlgebra's window."""

    def __init__(self, found: Parts) -> None:
        self._parts = found

    @property
    def tab(self) -> str:
        """The tab that is in front."""
        return self._parts["tabs"].name

    def box(self) -> Box | None:
        """Return the box of the main window."""
        windows = self._parts["application"].children
        return next((node.box for node in windows if node.role == "frame"), None)

    @property
    def covered(self) -> bool:
        """Whether a menu or a dialog may lie over the rest."""
        above = [*self._parts["application"].children, *below(self._parts["menus"])]
        return any(
            node.role in ("popup-menu", "dialog", "window") and "showing" in node.states for node in above
        )

    def variables(self) -> dict[str, Row]:
        """Return the variables with all digits; of complex values only the real part.

        There are two lists. The one beside the console keeps a last row after a variable was removed.
        """
        return {name.name: {"value": value.name} for name, value in self._pairs("variables")}

    def plots(self) -> list[Plot]:
        """Return the 2D plots in their order."""
        there = (
            self._parts["functions"].box is not None
        )  # its cells are reported as visible behind another tab, too
        return [_plot(name, expression, there) for name, expression in self._pairs("functions")]

    def console(self) -> dict[str, Row]:
        """Return the lines of the console: inputs and results."""
        lines = [
            [part.name for part in line.children if part.role == "link"]
            for line in self._parts["console"].children
        ]
        return {
            f"{number:03}": {"input": line[0], "output": line[-1] if len(line) > 1 else ""}
            for number, line in enumerate(filter(None, lines))
        }

    def view(self) -> Row:
        """Return the settings of tabs and menus."""
        return {
            "tab": self.tab,
            "resolution": self._checked(RESOLUTIONS),
            "style": self._checked(STYLES),
            **{key: self.is_checked(item) for key, item in SETTINGS.items()},
        }

    def is_checked(self, item: str) -> bool:
        """Whether a menu item has its check mark."""
        return "checked" in self._parts[item].states

    def surface_text(self) -> str:
        """Return the text of the surface's field, drawn or not."""
        return next((node.text for node in self._parts["surface"].children if node.role == "text"), "")

    def surface_box(self) -> Box | None:
        """Return the box of the surface; None if it is not on the screen."""
        shown = [node for node in self._parts["surface"].children if "showing" in node.states]
        return next((node.box for node in shown if node.role != "text"), None)

    def _pairs(self, part: str) -> Iterator[tuple[Node, Node]]:
        """Yield the two cells of each line of a list."""
        cells = [node for node in self._parts[part].children if node.role in ("tree-item", "table-cell")]
        yield from zip(cells[::2], cells[1::2], strict=False)

    def _checked(self, names: Iterable[str]) -> str | None:
        return next((name for name in names if self.is_checked(name)), None)


def below(top: Node) -> Iterator[Node]:
    """Yield a node and all below it, in reading order."""
    rest = [top]
    while rest:
        node = rest.pop()
        yield node
        rest.extend(reversed(node.children))


def _plot(name: Node, expression: Node, there: bool) -> Plot:
    visible = there and "showing" in name.states
    return Plot(
        name.name,
        expression.name,
        "checked" in name.states,
        "selected" in name.states,
        name.box if visible else None,
    )


def _first(nodes: Iterable[Node], role: str, name: str | None = None) -> Node | None:
    return next((node for node in nodes if node.role == role and name in (None, node.name)), None)


def _list_of(nodes: Iterable[Node], dock: str, role: str) -> Node | None:
    frame = _first(nodes, "frame", dock)
    return _first(below(frame), role) if frame else None


def _item(nodes: Iterable[Node], name: str) -> Node | None:
    return next((node for node in nodes if node.role.endswith("menu-item") and node.name == name), None)
