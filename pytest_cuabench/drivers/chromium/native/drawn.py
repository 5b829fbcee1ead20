"""Lists, calendars and tooltips of a browser without a window: drawn over the picture, in no document of the page.

`popups.js` keeps them in the world beside the page that has the field. The driver lays what it draws there over the
page's picture, tells its parts with the page's, and brings it the mouse, which the page then does not get.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from PIL import Image

from pytest_cuabench.drivers.chromium.native.overlay import hit
from pytest_cuabench.drivers.chromium.session.frames import ScriptError, Teller, in_context
from pytest_cuabench.drivers.paint import picture, png
from pytest_cuabench.task.action import Point
from pytest_cuabench.task.observation import Box, Mark, Node, Observation

if TYPE_CHECKING:
    from playwright import async_api as playwright

_ACTIVE = frozenset({"option", "button", "textbox"})
# The selectors that find a drawn part: by role and, exactly, by name or text, and an option that is pointed at.
_TARGET = re.compile(
    r'\[?role=(?P<role>\w+)\]?(?:\[name="(?P<name>.*)"\]| >> text="(?P<text>.*)")?(?P<selected>\[selected\])?'
)


class Drawing(NamedTuple):
    """What is drawn now: where on the screen, its picture, and its parts; `field` is the box of the field it is for."""

    box: Box
    picture: bytes
    nodes: tuple[Node, ...]
    field: Box | None

    def painted(self, image: bytes) -> bytes:
        """Lay it over a picture of the screen."""
        whole, mine = picture(image), Image.open(io.BytesIO(self.picture)).convert("RGB")
        size = round(self.box.width), round(self.box.height)
        whole.paste(mine if mine.size == size else mine.resize(size), (round(self.box.x), round(self.box.y)))
        return png(whole)

    def added_to(self, seen: Observation) -> Observation:
        """Add its parts to the tree, or to the text, of a page."""
        if seen.tree is not None:
            return replace(seen, tree=(*map(self._expanded, seen.tree), *self.nodes))
        if seen.dom is not None:
            lines = [f"{'  ' * node.depth}[{node.role}] {node.name}" for node in self.nodes]
            return replace(seen, dom="\n".join((seen.dom, *lines)))
        return seen

    def marks(self, found: tuple[Mark, ...]) -> tuple[Mark, ...]:
        """Return the marks of a page without those that it covers, and with its own."""
        free = [mark for mark in found if not hit(self.box, mark.box.middle)]
        mine = [Mark(0, node.role, node.name, node.box) for node in self.nodes if node.role in _ACTIVE]
        return tuple(mark._replace(number=number) for number, mark in enumerate((*free, *mine), 1))

    def _expanded(self, node: Node) -> Node:
        same = self.field is not None and all(
            abs(a - b) < 2 for a, b in zip(node.box, self.field, strict=True)
        )
        if not same or "collapsed" not in node.states:
            return node
        return node._replace(states=tuple("expanded" if one == "collapsed" else one for one in node.states))


class Drawn:
    """What the fields of one tab's pages show beside the page.

    Args:
        cdp: The session of the tab's main frame.
        failed: Is told what a script of the driver raised.
    """

    def __init__(self, cdp: playwright.CDPSession, failed: Callable[[str], None]) -> None:
        self._cdp, self._failed = cdp, failed
        self.main = ""  # the id of the main frame
        self._teller: Teller | None = None
        self._list = False

    @property
    def there(self) -> bool:
        """Whether anything is drawn."""
        return self._teller is not None

    def told(self, teller: Teller, value: object) -> None:
        """Take what a page's world tells: the place of a list, an empty one of a tooltip, or that nothing is drawn."""
        if isinstance(value, list):
            self._teller, self._list = teller, bool(value)
        elif teller == self._teller:
            self._teller = None

    async def takes(self, kind: str, at: Point, button: str = "left", by: int = 0) -> bool:
        """Bring the mouse to a list; False where no list is at this place, and the page gets it."""
        if self._teller is None or not self._list:
            return False
        left, top, scale = await self._placed(self._teller)
        given = [kind, (at.x - left) / scale, (at.y - top) / scale, button, by]
        return await self._ask(f"drawn.mouse(...{json.dumps(given)})") is True

    async def look(self) -> Drawing | None:
        """Return what is drawn; None without anything."""
        seen = await self._ask("drawn.look()")
        if not isinstance(seen, dict) or self._teller is None:
            return None
        left, top, scale = await self._placed(self._teller)

        def box(x: float, y: float, width: float, height: float) -> Box:
            return Box(left + x * scale, top + y * scale, width * scale, height * scale)

        whole, field = box(seen["x"], seen["y"], seen["width"], seen["height"]), seen["field"]
        parts = [
            Node(role, name, value, tuple(states), box(x + seen["x"], y + seen["y"], width, height), 1)
            for role, name, value, states, (x, y, width, height) in seen["nodes"]
        ]
        place = box(field["x"], field["y"], field["width"], field["height"]) if field else None
        nodes = (Node(seen["role"], seen["name"], "", (), whole, 0), *parts)
        return Drawing(whole, base64.b64decode(seen["picture"].split(",")[1]), nodes, place)

    async def find(self, target: str) -> Node | None:
        """Return the drawn part that a selector names; a list's value is the text of its options.

        Raises:
            LookupError: Several parts are named so.
        """
        asked = _TARGET.fullmatch(target) if self.there else None
        drawing = await self.look() if asked else None
        if asked is None or drawing is None:
            return None
        name = asked["name"] if asked["text"] is None else asked["text"]
        found = [one for one in drawing.nodes if one.role == asked["role"] and name in (None, one.name)]
        found = [one for one in found if not asked["selected"] or "selected" in one.states]
        if len(found) > 1:
            raise LookupError(f"{target!r} matches {len(found)} parts of a drawn list, expected 1")
        if found and found[0] is drawing.nodes[0]:
            return found[0]._replace(value="\n".join(node.name for node in drawing.nodes[1:]))
        return found[0] if found else None

    async def _ask(self, expression: str) -> Any:
        from playwright.async_api import Error

        if self._teller is None:
            return None
        try:
            return await in_context(
                self._teller.cdp, self._teller.context, f"globalThis.drawn && {expression}"
            )
        except Error:
            pass  # its document is gone
        except ScriptError as error:
            self._failed(f"popups.js: {error}")
        self._teller = None
        return None

    async def _placed(self, teller: Teller) -> tuple[float, float, float]:
        """Return where on the screen a frame begins, and how many pixels of the screen one of its own is."""
        from playwright.async_api import Error

        if teller.frame in ("", self.main):
            return 0.0, 0.0, 1.0
        try:
            owner = await self._cdp.send("DOM.getFrameOwner", {"frameId": teller.frame})
            model = (await self._cdp.send("DOM.getBoxModel", {"backendNodeId": owner["backendNodeId"]}))[
                "model"
            ]
        except Error:
            return 0.0, 0.0, 1.0  # it is gone, and what it shows with it
        content, border = model["content"], model["border"]
        return content[0], content[1], (border[2] - border[0]) / model["width"] if model["width"] else 1.0
