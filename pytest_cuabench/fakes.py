"""A world and an agent without a computer: the whole loop runs on them in milliseconds.

For the tests of suites, agents and drivers; a user's as much as ours.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from pytest_cuabench.action import Action, Capability, Size, check_on_screen
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.errors import ActionError
from pytest_cuabench.evidence import Activity, State, Write
from pytest_cuabench.observation import ActionResult, Box, Observation, ObservationKind
from pytest_cuabench.task import Instance

Rows = dict[str, dict[str, dict[str, Any]]]


def blank_png(size: Size) -> bytes:
    """Return a white PNG of a size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + b"\xff" * size.width
    header = struct.pack(">IIBBBBB", size.width, size.height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(row * size.height, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class FakeEnvironment:
    """A world of plain rows. `reaction` says what an action does to them; it may raise to play a broken world."""

    def __init__(
        self,
        rows: Rows | None = None,
        reaction: Callable[[FakeEnvironment, Action], None] = lambda world, action: None,
        screen: Size = Size(64, 48),
    ) -> None:
        self.screen = screen
        self.capabilities: tuple[Capability, ...] = ("pointer", "keyboard")
        self.performed: list[Action] = []
        self.resets = 0
        self.closed = False
        self.rows: Rows = {}
        self.journal: list[Write] = []
        self._start = rows or {}
        self._reaction = reaction

    async def reset(self, instance: Instance) -> None:
        """Start again from the given rows."""
        self.resets += 1
        self.performed, self.journal = [], []
        self.rows = deepcopy(self._start)

    async def observe(self, kind: ObservationKind) -> Observation:
        """Return a white screen."""
        return Observation(self.screen, screenshot=blank_png(self.screen))

    async def perform(self, action: Action) -> ActionResult:
        """Let the reaction happen."""
        try:
            check_on_screen(action, self.screen, self.capabilities)
        except ActionError as error:
            return ActionResult(error=str(error))
        self.performed.append(action)
        self._reaction(self, action)
        return ActionResult()

    def write(self, collection: str, key: str, **fields: Any) -> None:
        """Commit a write, as a reaction does."""
        before = self.rows.setdefault(collection, {}).get(key)
        after = {**(before or {}), **fields}
        self.rows[collection][key] = after
        self.journal.append(Write(collection, key, "insert" if before is None else "update", before, after))

    async def settle(self) -> None:
        """Nothing moves here."""

    async def revision(self) -> int:
        """Return how many writes there were."""
        return len(self.journal)

    async def state(self) -> State:
        """Return all rows."""
        return State(deepcopy(self.rows), tuple(self.journal), len(self.journal))

    async def activity(self) -> Activity:
        """Return that nothing went over a wire."""
        return Activity()

    async def locate(self, target: str) -> Box:
        """Find everything in the middle of the screen."""
        return Box(0, 0, *self.screen)

    async def read(self, target: str) -> str:
        """Read the selector itself."""
        return target

    async def close(self) -> None:
        """Remember that it was called."""
        self.closed = True


class ScriptedAgent:
    """Plays a list of decisions, over and over for each episode; an exception in it is raised."""

    def __init__(self, script: Iterable[Decision | Action | Exception]) -> None:
        self._script = tuple(script)
        self._next = 0
        self.briefing: Briefing | None = None
        self.observations: list[Observation] = []
        self.closed = 0

    async def start(self, briefing: Briefing) -> None:
        """Go back to the first decision."""
        self.briefing, self._next, self.observations = briefing, 0, []

    async def decide(self, observation: Observation) -> Decision:
        """Return the next decision, the last one again and again."""
        self.observations.append(observation)
        entry = self._script[min(self._next, len(self._script) - 1)]
        self._next += 1
        if isinstance(entry, Exception):
            raise entry
        return entry if isinstance(entry, Decision) else Decision((entry,))

    async def close(self) -> None:
        """Remember that it was called."""
        self.closed += 1
