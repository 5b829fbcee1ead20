"""Boxes of all elements of a page in screen pixels, clipped as painted, from one DOM snapshot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pytest_cuabench.task.observation import Box

_INSETS = ["border-left-width", "padding-left", "border-top-width", "padding-top"]
STYLES = ["overflow-x", "overflow-y", "position", *_INSETS]
Edges = tuple[float, float, float, float]


class Place(NamedTuple):
    """One element: its box, the visible part, and its kind."""

    box: Box
    visible: bool
    clickable: bool
    secret: bool


@dataclass
class Layout:
    """Places by backend node id; `texts` and `parents` name elements without an accessible name."""

    places: dict[int, Place] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    parents: dict[int, int] = field(default_factory=dict)
    frames: list[str] = field(default_factory=list)

    def texts_of(self, nodes: set[int]) -> dict[int, str]:
        """Return the joined texts below each of some nodes."""
        found: dict[int, list[str]] = {}
        for key, text in self.texts.items() if nodes else ():
            above = key
            while above in self.parents:
                above = self.parents[above]
                if above in nodes:
                    found.setdefault(above, []).append(text)
        return {node: " ".join(texts) for node, texts in found.items()}


def read_layout(snapshot: dict[str, Any], screen: tuple[int, int]) -> Layout:
    """Read the answer of `DOMSnapshot.captureSnapshot`, frames within frames included."""
    layout = Layout()
    _Document(snapshot, layout).read(0, (0.0, 0.0), (0.0, 0.0, float(screen[0]), float(screen[1])))
    return layout


class _Document:
    def __init__(self, snapshot: dict[str, Any], layout: Layout) -> None:
        self._documents, self._strings = snapshot["documents"], snapshot["strings"]
        self._layout = layout

    def read(self, number: int, origin: tuple[float, float], view: Edges, scale: float = 1.0) -> None:
        """Read a document; `scale` is how many pixels of the screen one of its own is."""
        document = self._documents[number]
        nodes, boxes = document["nodes"], document["layout"]
        self._layout.frames.append(self._strings[document["frameId"]])
        left, top = document.get("scrollOffsetX", 0), document.get("scrollOffsetY", 0)
        backend, parents = nodes["backendNodeId"], nodes["parentIndex"]
        for index, parent in enumerate(parents):
            if parent >= 0:
                self._layout.parents[backend[index]] = backend[parent]
        clickable = set(nodes.get("isClickable", {}).get("index", ()))
        inner = dict(
            zip(
                *(nodes.get("contentDocumentIndex", {}).get(key, ()) for key in ("index", "value")),
                strict=True,
            )
        )
        clips: dict[int, Edges] = {}
        for row, index in enumerate(boxes["nodeIndex"]):
            x, y, width, height = boxes["bounds"][row]
            box = Box(
                origin[0] + (x - left) * scale, origin[1] + (y - top) * scale, width * scale, height * scale
            )
            styles = [self._strings[style] if style >= 0 else "" for style in boxes["styles"][row]] or [
                ""
            ] * len(STYLES)
            # A fixed element is not clipped by what is around it.
            clip = view if styles[2] == "fixed" else _inherited(index, parents, clips, view)
            seen = _overlap(_edges(box), clip)
            if (
                backend[index] not in self._layout.places
            ):  # the first box of a node is its own; others are of its lines
                secret = self._secret(nodes["attributes"][index])
                self._layout.places[backend[index]] = Place(box, _has_area(seen), index in clickable, secret)
            text = boxes["text"][row]
            if text >= 0 and _has_area(seen):
                self._layout.texts.setdefault(backend[index], self._strings[text].strip())
            # Overflow of the root element is that of the viewport, which `view` clips already.
            clipping = any(style not in ("visible", "") for style in styles[:2]) and parents[index] > 0
            clips[index] = seen if clipping else clip
            if index in inner:
                self._read_frame(inner[index], box, styles, _overlap(_edges(box), clip), scale)

    def _read_frame(self, number: int, box: Box, styles: list[str], view: Edges, scale: float) -> None:
        """Read the document in a frame, which a transform may have scaled."""
        inset_x, inset_y = _pixels(styles[3:5]), _pixels(styles[5:7])
        viewport = self._documents[number]["layout"]["bounds"][:1]
        own = viewport[0][2] + 2 * inset_x if viewport else 0.0
        scale = box.width / own if own else scale
        self.read(number, (box.x + inset_x * scale, box.y + inset_y * scale), view, scale)

    def _secret(self, attributes: list[int]) -> bool:
        words = [self._strings[word] for word in attributes]
        pairs = dict(zip(words[::2], words[1::2], strict=True))
        return pairs.get("type", "").lower() == "password" or "password" in pairs.get("autocomplete", "")


def _pixels(lengths: list[str]) -> float:
    return sum(float(length.removesuffix("px")) for length in lengths if length.endswith("px"))


def _inherited(index: int, parents: list[int], clips: dict[int, Edges], view: Edges) -> Edges:
    parent = parents[index]
    while parent >= 0 and parent not in clips:
        parent = parents[parent]
    return clips.get(parent, view)


def _edges(box: Box) -> Edges:
    return (box.x, box.y, box.x + box.width, box.y + box.height)


def _overlap(one: Edges, other: Edges) -> Edges:
    return (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))


def _has_area(edges: Edges) -> bool:
    return edges[2] - edges[0] >= 1 and edges[3] - edges[1] >= 1
