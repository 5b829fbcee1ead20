"""Components as trees of plain values, and as XML: strict when it comes in, in Salesforce's order when it goes out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import (
    Element as Node,
)  # building only; what comes from outside is read by defusedxml
from xml.etree.ElementTree import ParseError, SubElement, indent, tostring

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from salesforce_org.metadata.errors import MetadataError
from salesforce_org.metadata.shapes import Element, shapes, words

NAMESPACE = "http://soap.sforce.com/2006/04/metadata"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
NIL = f"{{{INSTANCE}}}nil"
Tree = Mapping[str, Any]
_UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def ordered(kind: str, tree: Tree) -> dict[str, Any]:
    """Return a tree as it is kept and compared: elements in order, nothing that is empty of meaning."""
    found: dict[str, Any] = {}
    for element in shapes()[kind].values():
        value = tree.get(element.name)
        if value is None or (element.many and not value):
            continue
        found[element.name] = (
            [_kept(element, one) for one in value] if element.many else _kept(element, value)
        )
    return found


def _kept(element: Element, value: Any) -> Any:
    if element.kind in shapes():
        return ordered(element.kind, value)
    return value if element.kind == "boolean" else str(value)


# From XML


def parse(body: bytes) -> Node:
    """Return the root of a document.

    Raises:
        MetadataError: It is no XML, or has more in it than data.
    """
    try:
        root: Node = fromstring(body)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise MetadataError("INVALID_CONTENT", f"Error parsing file: {error}") from None
    return root


def local(node: Node) -> str:
    """Return the name of an element without its namespace."""
    return str(node.tag).rpartition("}")[2]


def read(kind: str, node: Node) -> dict[str, Any]:
    """Return the tree of an element of a type.

    Raises:
        MetadataError: It holds what the type does not have, or not what the type must have.
    """
    return ordered(kind, _filled(kind, _entries(kind, node)))


def _entries(kind: str, node: Node) -> Iterator[tuple[Element, Any]]:
    shape = shapes()[kind]
    for child in node:
        name = local(child)
        if name not in shape:
            raise MetadataError(
                "INVALID_CONTENT",
                f"Error parsing file: Element {{{NAMESPACE}}}{name} invalid at this location in type {kind}",
            )
        if child.get(NIL) != "true":
            yield shape[name], _value(shape[name], child)


def _filled(kind: str, entries: Iterable[tuple[Element, Any]]) -> dict[str, Any]:
    tree: dict[str, Any] = {}
    for element, value in entries:
        if element.many:
            tree.setdefault(element.name, []).append(value)
        elif element.name in tree:
            raise MetadataError(
                "INVALID_CONTENT", f"Error parsing file: Element {element.name} is duplicated in type {kind}"
            )
        else:
            tree[element.name] = value
    return tree


def _value(element: Element, node: Node) -> Any:
    if element.kind in shapes():
        return read(element.kind, node)
    text = node.text or ""
    if len(node):
        raise MetadataError("INVALID_CONTENT", f"Error parsing file: Element {element.name} holds text only")
    if element.kind == "":
        return text
    return _plain(element, text.strip())


def _plain(element: Element, text: str) -> str | bool:
    if element.kind == "boolean":
        if text.casefold() in ("true", "1", "false", "0"):
            return text.casefold() in ("true", "1")
        raise MetadataError("INVALID_CONTENT", f"'{text}' is not a valid value for the type xsd:boolean")
    if element.kind in words():
        if text not in words()[element.kind]:
            raise MetadataError(
                "INVALID_CONTENT", f"'{text}' is not a valid value for the enum '{element.kind}'"
            )
        return text
    if not re.fullmatch(r"[-+]?\d+" if element.kind == "int" else r"[-+]?\d+(\.\d+)?", text):
        raise MetadataError(
            "INVALID_CONTENT", f"'{text}' is not a valid value for the type xsd:{element.kind}"
        )
    return text


def require(kind: str, tree: Tree) -> None:
    """Refuse a tree that lacks what its type must have.

    Raises:
        MetadataError: An element is missing.
    """
    for element in shapes()[kind].values():
        if element.required and element.name not in tree:
            raise MetadataError(
                "REQUIRED_FIELD_MISSING", f"Required field is missing: {element.name}", (element.name,)
            )
        if element.kind in shapes() and element.name in tree:
            inside = tree[element.name] if element.many else [tree[element.name]]
            for one in inside:
                require(element.kind, one)


# To XML


def fill(node: Node, kind: str, tree: Tree) -> Node:
    """Put a tree of a type into an element."""
    for element in shapes()[kind].values():
        value = tree.get(element.name)
        if value is None:
            continue
        for one in value if element.many else [value]:
            child = SubElement(node, f"{{{NAMESPACE}}}{element.name}")
            if element.kind in shapes():
                fill(child, element.kind, one)
            else:
                child.text = written(one)
    return node


def written(value: Any) -> str:
    """Return a plain value as the text of an element."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def transmissible(xml: str) -> str:
    """Return XML without what no XML can hold, and with carriage returns that stay what they are when it is read."""
    return _UNSPEAKABLE.sub("", xml).replace("\r", "&#13;")


def document(kind: str, tree: Tree) -> bytes:
    """Return the file of a component."""
    return whole(fill(Node(f"{{{NAMESPACE}}}{kind}"), kind, tree))


def whole(root: Node) -> bytes:
    """Return a document with its declaration, indented as Salesforce does."""
    indent(root, "    ")
    body = tostring(root, encoding="unicode", default_namespace=NAMESPACE)
    return ('<?xml version="1.0" encoding="UTF-8"?>\n' + transmissible(body) + "\n").encode()
