"""The accessibility tree as OSWorld's XML: roles as tags, states and positions as attributes with namespaces."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guest.nodes import Node

MAX_DEPTH = 50
MAX_WIDTH = 1024
_BASE = "https://accessibility.ubuntu.example.org/ns/"
_PREFIXES = {
    "st": "state", "attr": "attributes", "cp": "component", "doc": "document",
    "docattr": "document/attributes", "txt": "text", "val": "value", "act": "action",
}  # fmt: skip
for _prefix, _space in _PREFIXES.items():
    ET.register_namespace(_prefix, _BASE + _space)
_NO_XML = re.compile(  # characters not allowed in XML 1.0, and two placeholders for embedded objects
    "[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffc\ufffd\ufffe\uffff]"
)


def desktop_xml(applications: Iterable[Node], depth: int = MAX_DEPTH) -> str:
    """Return the XML of all applications, cut below `depth` and beyond `MAX_WIDTH` children."""
    root = ET.Element("desktop-frame", {"name": "main", _named("st", "visible"): "true"})
    for application in applications:
        _append(root, application, 1, depth)
    return ET.tostring(root, encoding="unicode")


def _append(parent: ET.Element, node: Node, at: int, depth: int) -> None:
    element = ET.SubElement(parent, node.role, _attributes(node))
    if node.text:
        element.text = _text(node.text)
    if at < depth:
        for child in node.children[:MAX_WIDTH]:
            _append(element, child, at + 1, depth)


def _attributes(node: Node) -> dict[str, str]:
    states = sorted(state.replace("-", "_") for state in node.states)
    found = {"name": _text(node.name)}
    found |= {_named("st", state): "true" for state in states}
    if node.description:
        found[_named("attr", "description")] = _text(node.description)
    if node.box is not None and {"visible", "showing"} <= node.states:
        x, y, width, height = node.box
        found[_named("cp", "screencoord")] = f"({x}, {y})"
        found[_named("cp", "size")] = f"({width}, {height})"
    if node.value:
        found[_named("val", "value")] = _text(node.value)
    return found


def _named(prefix: str, name: str) -> str:
    return f"{{{_BASE}{_PREFIXES[prefix]}}}{name}"


def _text(text: str) -> str:
    return _NO_XML.sub("", text)
