"""Nodes of the accessibility tree as plain objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

_ROLES = (
    "invalid accelerator-label alert animation arrow calendar canvas check-box check-menu-item color-chooser"
    " column-header combo-box date-editor desktop-icon desktop-frame dial dialog directory-pane drawing-area"
    " file-chooser filler focus-traversable font-chooser frame glass-pane html-container icon image"
    " internal-frame label layered-pane list list-item menu menu-bar menu-item option-pane page-tab"
    " page-tab-list panel password-text popup-menu progress-bar push-button radio-button radio-menu-item"
    " root-pane row-header scroll-bar scroll-pane separator slider spin-button split-pane status-bar table"
    " table-cell table-column-header table-row-header tearoff-menu-item terminal text toggle-button tool-bar"
    " tool-tip tree tree-table unknown viewport window extended header footer paragraph ruler application"
    " autocomplete editbar embedded entry chart caption document-frame heading page section redundant-object"
    " form link input-method-window table-row tree-item document-spreadsheet document-presentation"
    " document-text document-web document-email comment list-box grouping image-map notification info-bar"
    " level-bar title-bar block-quote audio video definition article landmark log marquee math rating timer"
    " static math-fraction math-root subscript superscript description-list description-term"
    " description-value footnote content-deletion content-insertion mark suggestion push-button-menu"
)  # in the order of their numbers
_STATES = (
    "invalid active armed busy checked collapsed defunct editable enabled expandable expanded focusable focused"
    " has-tooltip horizontal iconified modal multi-line multiselectable opaque pressed resizable selectable"
    " selected sensitive showing single-line stale transient vertical visible manages-descendants"
    " indeterminate required truncated animated invalid-entry supports-autocompletion selectable-text"
    " is-default visited checkable has-popup read-only"
)  # in the order of their bits
ROLES, STATES = tuple(_ROLES.split()), tuple(_STATES.split())

Box = tuple[int, int, int, int]  # left, top, width, height in screen pixels


class Ref(NamedTuple):
    """The address of a node.

    Attributes:
        bus: The name of its application's connection.
        number: Of the bus that has this connection; names repeat on others.
    """

    bus: str
    path: str
    number: int = 0

    @property
    def owner(self) -> Ref:
        """The address of its application."""
        return Ref(self.bus, "", self.number)


@dataclass(slots=True, eq=False)
class Node:
    """One node of the accessibility tree.

    Attributes:
        role: As in OSWorld's XML: `push-button`.
        value: Its number or text, as text; may be empty.
        text: Its text only.
        box: None if the toolkit reports none, or an empty one.
        depth: 0 for an application.
        ref: Its address.
        interfaces: Its interfaces without their common prefix: `Text`, `Value`, `Action`.
    """

    role: str
    name: str
    value: str
    text: str
    description: str
    states: frozenset[str]
    box: Box | None
    depth: int
    parent: Node | None
    ref: Ref
    interfaces: frozenset[str] = frozenset()
    children: list[Node] = field(default_factory=list)

    def to_json(self, parent: int | None, longest: int) -> dict[str, Any]:
        """Return plain data; texts are cut after `longest` characters."""
        return {
            "role": self.role,
            "name": self.name[:longest],
            "value": self.value[:longest],
            "description": self.description[:longest],
            "states": sorted(self.states),
            "box": self.box,
            "depth": self.depth,
            "parent": parent,
        }


def states_of(words: list[int]) -> frozenset[str]:
    """Return the names of the states in a bit set of two 32-bit words."""
    bits = sum(word << 32 * place for place, word in enumerate(words))
    return frozenset(name for place, name in enumerate(STATES) if bits >> place & 1)


def to_json(nodes: list[Node], longest: int = 20_000) -> list[dict[str, Any]]:
    """Return a tree as a list in reading order, each node with the index of its parent."""
    places = {id(node): place for place, node in enumerate(nodes)}
    return [node.to_json(places.get(id(node.parent)), longest) for node in nodes]
