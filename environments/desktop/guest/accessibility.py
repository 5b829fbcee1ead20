"""The accessibility tree, read over its buses with many concurrent calls."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from dbus_fast.aio import MessageBus
from dbus_fast.errors import DBusError

from guest.buses import OwnBus, call
from guest.errors import Missing, NotReady
from guest.nodes import ROLES, Node, Ref, states_of
from guest.timeouts import scaled

_PREFIX = "org.a11y.atspi."
_ROOT = Ref("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root")
_SHARED = 0  # the number of the bus that all programs of the desktop can join
_SILENCE = scaled(3.0)  # seconds without any answer: an application may hang while it computes
_SECONDS = scaled(15.0)  # seconds for all answers of one application
_IN_FLIGHT = 100  # concurrent calls to one application: with many more, dbus-fast loses some
_WIDE = 500  # children of one node
_DEEP = 60
_SCREEN = 0  # coordinates of the whole screen
_NO_ANSWER = "an application of this desktop does not answer the accessibility bus"
_ONLY: ContextVar[str | None] = ContextVar("only", default=None)  # while a state is read
_GONE = (DBusError, EOFError, OSError, ConnectionError)


# Returns how many children of a node may be read: an application may report too many, and crash on reading them.
Guard = Callable[[], Awaitable[int]]


class Accessibility:
    """The accessibility tree of a desktop.

    Attributes:
        guards: By node, for applications that must be read with care.
    """

    def __init__(self, bus: MessageBus) -> None:
        self._buses = {_SHARED: bus}
        self._own: dict[int, OwnBus] = {}
        self.guards: dict[Ref, Guard] = {}
        self._room: defaultdict[Ref, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(_IN_FLIGHT))
        self._heard: dict[Ref, float] = {}  # by application, when it last answered

    def add(self, own: OwnBus) -> None:
        """Read the bus of one more launch."""
        number = max(self._buses) + 1
        self._buses[number], self._own[number] = own.connection, own

    @contextmanager
    def only(self, application: str) -> Iterator[None]:
        """Read nothing but launches of an application with a bus of its own, and no program beside it there."""
        before = _ONLY.set(application)
        try:
            yield
        finally:
            _ONLY.reset(before)

    async def applications(self) -> list[Ref]:
        """Return the root nodes of the running applications.

        Raises:
            NotReady: A registry does not answer.
        """
        found = await self._registered(_ROOT) if self._is_read(_SHARED) else []
        for number, own in self._own.items():
            if self._is_read(number):
                refs = await self._registered(_ROOT._replace(bus=own.registry, number=number))
                found += [ref for ref in refs if _ONLY.get() is None or await self._is_launched(own, ref)]
        return found

    def _is_read(self, number: int) -> bool:
        """Return whether what is on a bus may be read now."""
        only, own = _ONLY.get(), self._own.get(number)
        return only is None if own is None else own.alive and only in (None, own.application)

    async def _registered(self, root: Ref) -> list[Ref]:
        try:
            async with self._listening(root):
                (children,) = await self.call(root, "Accessible", "GetChildren")
        except (TimeoutError, *_GONE) as error:
            raise NotReady("the accessibility registry of this desktop does not answer") from error
        return [Ref(bus, path, root.number) for bus, path in children]

    async def _is_launched(self, own: OwnBus, ref: Ref) -> bool:
        """Return whether a root is that of the program itself: programs that it starts may register there, too."""
        with suppress(*_GONE):
            return ref.path == _ROOT.path and await own.is_program(ref.bus)
        return False

    async def nodes(
        self, showing: bool = True, whole: bool = False, without: frozenset[tuple[str, str]] = frozenset()
    ) -> list[Node]:
        """Return all nodes in reading order; with `showing`, visible ones only, without descending into hidden ones.

        An application that ends or does not answer in time contributes only the nodes read so far. Descendants of nodes
        with a role and name in `without` are not read.

        Raises:
            NotReady: An application does not answer in time, and `whole` is set.
        """
        trees = await asyncio.gather(
            *(self._application(ref, showing, whole, without) for ref in await self.applications())
        )
        return [node for tree in trees for node in tree]

    async def reread(self, node: Node, levels: int = _DEEP) -> Node | None:
        """Read a node again with some levels of its descendants, hidden ones included; None if it is gone.

        Much faster than reading the whole tree. While a state is read, a node of another application is gone.

        Raises:
            NotReady: The application does not answer in time.
        """
        if not self._is_read(node.ref.number):
            return None
        found: list[Node] = []
        try:
            async with self._listening(node.ref):
                deepest = node.depth + levels
                await self._subtree(
                    node.ref, node.parent, node.depth, found, False, lambda one: one.depth < deepest
                )
        except TimeoutError:
            raise NotReady(_NO_ANSWER) from None
        except _GONE:
            return None
        return found[0] if found else None

    async def children(self, node: Node) -> int:
        """Return a node's current number of children, 0 if it is gone."""
        with suppress(*_GONE):
            return int(await self._get(node.ref, "Accessible", "ChildCount"))
        return 0

    async def call(self, ref: Ref, interface: str, member: str, signature: str = "", *body: Any) -> list[Any]:
        """Call a method of a node and return its result; the interface is named without its common prefix.

        Raises:
            DBusError: The node is gone, or has no such method.
        """
        return await self._call(ref, _PREFIX + interface, member, signature, *body)

    async def do_action(self, node: Node, action: str | int = 0) -> None:
        """Perform one of a node's actions, by name or index.

        Raises:
            Missing: The node is gone or has no such action.
            NotReady: The application does not answer in time.
        """
        try:
            async with self._listening(node.ref):
                (actions,) = await self.call(node.ref, "Action", "GetActions")
                names = [name for name, _, _ in actions]
                place = names.index(action) if isinstance(action, str) else action
                (done,) = await self.call(node.ref, "Action", "DoAction", "i", place)
        except TimeoutError:
            raise NotReady(_NO_ANSWER) from None
        except (ValueError, *_GONE) as error:
            raise Missing(f"{node.role} {node.name!r} has no action {action!r}") from error
        if not done:
            raise Missing(f"{node.role} {node.name!r} refused action {action!r}")

    async def _application(
        self, ref: Ref, showing: bool, whole: bool, without: frozenset[tuple[str, str]]
    ) -> list[Node]:
        def inside(node: Node) -> bool:
            return node.depth < _DEEP and (node.role, node.name) not in without

        tops: list[Node] = []
        try:
            async with self._listening(ref):
                # An application's own node has no box; its windows have.
                await self._subtree(ref, None, 0, tops, showing, inside)
        except TimeoutError:
            if whole:
                raise NotReady(_NO_ANSWER) from None
        except _GONE:
            pass  # it has ended
        return list(_flat(tops))

    @asynccontextmanager
    async def _listening(self, ref: Ref) -> AsyncIterator[None]:
        """Limit a block to the time in which a node's application keeps answering.

        Raises:
            TimeoutError: It was silent for `_SILENCE`, or was not done within `_SECONDS`.
        """
        clock = asyncio.get_running_loop().time
        self._heard[ref.owner] = clock()

        async def watch() -> None:
            while (deadline := self._heard[ref.owner] + _SILENCE) > clock():
                await asyncio.sleep(deadline - clock())
            silence.reschedule(clock())

        async with asyncio.timeout(_SECONDS), asyncio.timeout(None) as silence:
            watching = asyncio.ensure_future(watch())
            try:
                yield
            finally:
                watching.cancel()

    async def _subtree(
        self,
        ref: Ref,
        parent: Node | None,
        depth: int,
        siblings: list[Node],
        showing: bool,
        inside: Callable[[Node], bool],
    ) -> None:
        (words,) = await self.call(ref, "Accessible", "GetState")
        states = states_of(words)
        if "defunct" in states or (showing and depth and "showing" not in states):
            return
        node, children = await self._node(ref, parent, depth, states)
        if depth == 1 and node.role == "filler" and await self._is_part(ref, parent):
            return
        siblings.append(node)
        # Wide nodes are cut: a spreadsheet that creates cells on demand would hang.
        if inside(node) and ("manages-descendants" not in states or children <= _WIDE):
            refs = await self._children(ref, children)
            if guard := self.guards.get(ref):
                refs = refs[: await guard()]
            # Each child has its own slot, so that the order does not depend on which answers first.
            places: list[list[Node]] = [[] for _ in refs]
            jobs = zip(refs, places, strict=True)
            try:
                await asyncio.gather(
                    *(self._alive(one, node, depth + 1, place, showing, inside) for one, place in jobs)
                )
            finally:
                node.children.extend(child for place in places for child in place)

    async def _alive(
        self,
        ref: Ref,
        parent: Node,
        depth: int,
        siblings: list[Node],
        showing: bool,
        inside: Callable[[Node], bool],
    ) -> None:
        """Read a subtree; nothing if it disappears meanwhile."""
        with suppress(DBusError):
            await self._subtree(ref, parent, depth, siblings, showing, inside)

    async def _node(
        self, ref: Ref, parent: Node | None, depth: int, states: frozenset[str]
    ) -> tuple[Node, int]:
        (role,), (interfaces,), *properties = await asyncio.gather(
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
        name, description, children = properties
        named = ROLES[role] if role < len(ROLES) else "unknown"
        value = text if text is not None else number or ""
        node = Node(named, name, value, text or "", description, states, box, depth, parent, ref, able)
        return node, children

    async def _is_part(self, ref: Ref, parent: Node | None) -> bool:
        """Return whether a node is a part of a window, too: Qt 6 lists web views beside the windows that have them."""
        path = (await self._get(ref, "Accessible", "Parent"))[1]
        return parent is not None and path not in (parent.ref.path, "/org/a11y/atspi/null")

    async def _get(self, ref: Ref, interface: str, name: str) -> Any:
        what = (_PREFIX + interface, name)
        (properties,) = await self._call(ref, "org.freedesktop.DBus.Properties", "Get", "ss", *what)
        return properties.value

    async def _call(self, ref: Ref, interface: str, member: str, signature: str, *body: Any) -> list[Any]:
        bus = self._buses[ref.number]
        if not bus.connected:
            raise EOFError("the bus of an application that has ended")
        async with self._room[ref.owner]:
            answer = await call(bus, ref.bus, ref.path, interface, member, signature, *body)
        self._heard[ref.owner] = asyncio.get_running_loop().time()
        return answer

    async def _children(self, ref: Ref, count: int) -> list[Ref]:
        if count <= 0:
            return []
        if count <= _WIDE:
            (children,) = await self.call(ref, "Accessible", "GetChildren")
            return [Ref(bus, path, ref.number) for bus, path in children]
        calls = (self.call(ref, "Accessible", "GetChildAtIndex", "i", place) for place in range(_WIDE))
        return [Ref(bus, path, ref.number) for ((bus, path),) in await asyncio.gather(*calls)]

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
