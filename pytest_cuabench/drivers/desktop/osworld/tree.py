"""Parser of OSWorld's accessibility XML: streaming, bounded, without document types and entities."""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.parsers import expat

from pytest_cuabench.drivers.desktop.client import TreeNode
from pytest_cuabench.errors import EnvironmentFailure
from pytest_cuabench.task.observation import Box

MAX_XML = 64 * 2**20  # characters; a full LibreOffice is below 10 MB
MAX_NODES = 100_000
MAX_DEPTH = 200  # OSWorld stops at 50
_SPACE = " "  # expat's separator of namespace and name
_NUMBERS = re.compile(r"\(\s*(-?\d{1,9})\s*,\s*(-?\d{1,9})\s*\)")
_NOWHERE = Box(0, 0, 0, 0)


def read_tree(xml: str) -> tuple[TreeNode, ...]:
    """Return the elements in reading order, the root `desktop-frame` first.

    Raises:
        EnvironmentFailure: It is not XML, too large or deep, or has no valid desktop.
    """
    if len(xml) > MAX_XML:
        raise EnvironmentFailure(f"the accessibility tree has {len(xml)} characters, more than {MAX_XML}")
    reader = _Reader()
    parser = expat.ParserCreate(namespace_separator=_SPACE)
    parser.StartDoctypeDeclHandler = _refuse
    parser.EntityDeclHandler = _refuse
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    try:
        parser.Parse(xml.encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise EnvironmentFailure(f"the accessibility tree is no XML: {error}") from None
    return reader.nodes()


def _refuse(*_: object) -> None:
    raise EnvironmentFailure("the accessibility tree declares a document type; no desktop's does")


class _Reader:
    """Collects elements; text belongs to the innermost open element."""

    def __init__(self) -> None:
        self._open: list[int] = []
        self._found: list[TreeNode] = []
        self._texts: list[list[str]] = []

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if len(self._found) == MAX_NODES or len(self._open) == MAX_DEPTH:
            raise EnvironmentFailure(
                f"the accessibility tree has more than {MAX_NODES} elements or {MAX_DEPTH} levels"
            )
        named, states = _sorted(attributes)
        parent = self._open[-1] if self._open else -1
        self._open.append(len(self._found))
        self._texts.append([])
        self._found.append(
            TreeNode(
                role=tag.rpartition(_SPACE)[2],
                name=named.get(" name", ""),
                value=named.get("value value", ""),
                description=named.get("attributes description", named.get(" description", "")),
                states=tuple(states),
                box=_box(named.get("component screencoord", ""), named.get("component size", "")),
                depth=len(self._open) - 1,
                parent=parent,
            )
        )

    def end(self, _tag: str) -> None:
        self._open.pop()

    def text(self, text: str) -> None:
        if self._open:
            self._texts[self._open[-1]].append(text)

    def nodes(self) -> tuple[TreeNode, ...]:
        """Return the elements; the text of a field is its value."""
        texts = ("".join(parts).strip() for parts in self._texts)
        return tuple(
            node._replace(value=text) if text else node for node, text in zip(self._found, texts, strict=True)
        )


def _sorted(attributes: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return attributes as `<last part of the namespace> <name>`, and the states that hold."""
    named, states = {}, []
    for key, value in attributes.items():
        space, _, name = key.rpartition(_SPACE)
        kind = space.rpartition("/")[2]
        if kind != "state":
            named[f"{kind} {name}"] = value
        elif value == "true":
            states.append(name.replace("_", "-"))
    return named, states


def _box(place: str, size: str) -> Box:
    at, extent = _NUMBERS.fullmatch(place), _NUMBERS.fullmatch(size)
    if not at or not extent:
        return _NOWHERE
    return Box(int(at[1]), int(at[2]), int(extent[1]), int(extent[2]))
