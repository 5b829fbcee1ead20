"""The accessibility tree, read over its own bus with many calls under way at a time."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

from guest.buses import call
from guest.errors import Missing, NotYet
from guest.nodes import ROLES, Node, Ref, states_of
from guest.patience import patient

_PREFIX = "org.a11y.atspi."
_ROOT = Ref("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_SILENCE = patient(3.0)  # without any answer: an application may hang while it computes
_SECONDS = patient(15.0)  # for all answers of one application, on a busy machine
_IN_FLIGHT = 100  # calls to one application: with many more, dbus-fast loses some in a full socket
_WIDE = 500  # children of one node
_DEEP = 60
_SCREEN = 0  # coordinates of the whole screen
_NO_ANSWER = "an application of this desktop does not answer the accessibility bus"
_GONE = (DBusError, EOFError, OSError, ConnectionError)


# How many children of a node may be read now: an application may tell of more than there are, and crash on them.
Guard = Callable[[], Awaitable[int]]


class Accessibility:
    """What the applications of a desktop tell of themselves.

    Attributes:
        guards: By node; set by an application that must be read with care.
    """

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        self.guards: dict[Ref, Guard] = {}
        self._room: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(_IN_FLIGHT))
        self._limits: defaultdict[str, list[asyncio.Timeout]] = defaultdict(list)

    async def applications(self) -> list[Ref]:
        """Return the roots of the applications that are there.

        Raises:
            NotYet: The registry does not answer.
        """
        try:
            async with self._listening(_ROOT):
                (children,) = await self.call(_ROOT, "Accessible", "GetChildren")
        except (TimeoutError, *_GONE) as error:
            raise NotYet("the accessibility registry of this desktop does not answer") from error
        return [Ref(*child) for child in children]

    async def nodes(self, showing: bool = True, whole: bool = False) -> list[Node]:
        """Return all nodes in reading order; with `showing`, only what is shown, without looking below the rest.

        An application that has ended or does not answer in time has only those nodes that were read before.

        Raises:
            NotYet: One does not answer in time, and the nodes were to be `whole`.
        """
        trees = await asyncio.gather(
            *(self._application(ref, showing, whole) for ref in await self.applications())
        )
        return [node for tree in trees for node in tree]

    async def reread(self, node: Node, levels: int = _DEEP) -> Node | None:
        """Return a node as it is now with some levels of what lies below it, shown or not; None when it is gone.

        Much faster than a look at everything, where it is known what to look at.

        Raises:
            NotYet: The application does not answer in time.
        """
        found: list[Node] = []
        try:
            async with self._listening(node.ref):
                await self._subtree(node.ref, node.parent, node.depth, found, False, node.depth + levels)
        except TimeoutError:
            raise NotYet(_NO_ANSWER) from None
        except _GONE:
            return None
        return found[0] if found else None

    async def children(self, node: Node) -> int:
        """Return how many children a node has now, 0 when it is gone."""
        with suppress(*_GONE):
            return int(await self._get(node.ref, "Accessible", "ChildCount"))
        return 0

    async def call(self, ref: Ref, interface: str, member: str, signature: str = "", *body: Any) -> list[Any]:
        """Return what a method of a node returns; the interface is named without its common prefix.

        Raises:
            DBusError: The node is gone, or has no such method.
        """
        return await self._call(ref, _PREFIX + interface, member, signature, *body)

    async def do_action(self, node: Node, action: str | int = 0) -> None:
        """Have a node carry out one of its actions, by its name or its place.

        Raises:
            Missing: The node is gone or has no such action.
            NotYet: The application does not answer in time.
        """
        try:
            async with self._listening(node.ref):
                (actions,) = await self.call(node.ref, "Action", "GetActions")
                names = [name for name, _, _ in actions]
                place = names.index(action) if isinstance(action, str) else action
                (done,) = await self.call(node.ref, "Action", "DoAction", "i", place)
        except TimeoutError:
            raise NotYet(_NO_ANSWER) from None
        except (ValueError, *_GONE) as error:
            raise Missing(f"{node.role} {node.name!r} has no action {action!r}") from error
        if not done:
            raise Missing(f"{node.role} {node.name!r} refused action {action!r}")

    async def _application(self, ref: Ref, showing: bool, whole: bool) -> list[Node]:
        tops: list[Node] = []
        try:
            async with self._listening(ref):
                # An application's own node has no place on the screen; its windows have.
                await self._subtree(ref, None, 0, tops, showing)
        except TimeoutError:
            if whole:
                raise NotYet(_NO_ANSWER) from None
        except _GONE:
            pass  # it has ended
        return list(_flat(tops))

    @asynccontextmanager
    async def _listening(self, ref: Ref) -> AsyncIterator[None]:
        """Go on for as long as a node's application answers, within reason.

        Raises:
            TimeoutError: It was silent for `_SILENCE`, or was not done within `_SECONDS`.
        """
        limits = self._limits[ref.bus]
        async with asyncio.timeout(_SECONDS), asyncio.timeout(_SILENCE) as limit:
            limits.append(limit)
            try:
                yield
            finally:
                limits.remove(limit)

    def _heard(self, bus: str) -> None:
        until = asyncio.get_running_loop().time() + _SILENCE
        for limit in self._limits[bus]:
            if not limit.expired():
                limit.reschedule(until)

    async def _subtree(
        self,
        ref: Ref,
        parent: Node | None,
        depth: int,
        siblings: list[Node],
        showing: bool,
        deepest: int = _DEEP,
    ) -> None:
        (words,) = await self.call(ref, "Accessible", "GetState")
        states = states_of(words)
        if "defunct" in states or (showing and depth and "showing" not in states):
            return
        node, children = await self._node(ref, parent, depth, states)
        siblings.append(node)
        # A spreadsheet that makes its cells on demand would hang; a list of some hundred lines is as good as any.
        if depth < deepest and ("manages-descendants" not in states or children <= _WIDE):
            refs = await self._children(ref, children)
            if guard := self.guards.get(ref):
                refs = refs[: await guard()]
            # Each child has a place of its own, so that their order does not depend on who answers first.
            places: list[list[Node]] = [[] for _ in refs]
            jobs = zip(refs, places, strict=True)
            try:
                await asyncio.gather(
                    *(self._alive(one, node, depth + 1, place, showing, deepest) for one, place in jobs)
                )
            finally:
                node.children.extend(child for place in places for child in place)

    async def _alive(
        self, ref: Ref, parent: Node, depth: int, siblings: list[Node], showing: bool, deepest: int
    ) -> None:
        """Read a subtree; one that goes away meanwhile is not there."""
        with suppress(DBusError):
            await self._subtree(ref, parent, depth, siblings, showing, deepest)

    async def _node(
        self, ref: Ref, parent: Node | None, depth: int, states: frozenset[str]
    ) -> tuple[Node, int]:
        (role,), (interfaces,), *told = await asyncio.gather(
            self.call(ref, "Accessible", "GetRole"),
            self.call(ref, "Accessible", "GetInterfaces"),
            # A Qt 5 application crashes when it is asked for all properties at once.
            *(self._get(ref, "Accessible", name) for name in ("Name", "Description", "ChildCount")),
        )
        able = frozenset(name.removeprefix(_PREFIX) for name in interfaces)
        box, text, number = await asyncio.gather(
            self._box(ref) if "Component" in able else _nothing(),
            self._text(ref) if "Text" in able else _nothing(),
            self._number(ref) if "Value" in able else _nothing(),
        )
        name, description, children = told
        named = ROLES[role] if role < len(ROLES) else "unknown"
        value = text if text is not None else number or ""
        node = Node(named, name, value, text or "", description, states, box, depth, parent, ref, able)
        return node, children

    async def _get(self, ref: Ref, interface: str, name: str) -> Any:
        what = (_PREFIX + interface, name)
        (told,) = await self._call(ref, "org.freedesktop.DBus.Properties", "Get", "ss", *what)
        return told.value

    async def _call(self, ref: Ref, interface: str, member: str, signature: str, *body: Any) -> list[Any]:
        async with self._room[ref.bus]:
            answer = await call(self._bus, ref.bus, ref.path, interface, member, signature, *body)
        self._heard(ref.bus)
        return answer

    async def _children(self, ref: Ref, count: int) -> list[Ref]:
        if count <= 0:
            return []
        if count <= _WIDE:
            (children,) = await self.call(ref, "Accessible", "GetChildren")
            return [Ref(*child) for child in children]
        calls = (self.call(ref, "Accessible", "GetChildAtIndex", "i", place) for place in range(_WIDE))
        return [Ref(*child) for (child,) in await asyncio.gather(*calls)]

    async def _box(self, ref: Ref) -> tuple[int, int, int, int] | None:
        with suppress(DBusError):
            ((x, y, width, height),) = await self.call(ref, "Component", "GetExtents", "u", _SCREEN)
            if width > 0 and height > 0:
                return x, y, width, height
        return None

    async def _text(self, ref: Ref) -> str | None:
        with suppress(DBusError):
            (text,) = await self.call(ref, "Text", "GetText", "ii", 0, -1)
            return str(text).replace("\ufffc", "").replace("\ufffd", "")
        return None

    async def _number(self, ref: Ref) -> str | None:
        with suppress(DBusError):
            return f"{await self._get(ref, 'Value', 'CurrentValue'):.15g}"
        return None


async def _nothing() -> None:
    return None


def _flat(tops: list[Node]) -> list[Node]:
    found: list[Node] = []
    rest = tops[::-1]
    while rest:
        node = rest.pop()
        found.append(node)
        rest.extend(reversed(node.children))
    return found
