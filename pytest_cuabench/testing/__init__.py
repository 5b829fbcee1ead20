"""What tests of suites, agents and drivers need: a fake environment, a scripted agent, a page that records input.

    FakeEnvironment    an environment of plain rows: an episode takes milliseconds, without a browser
    ScriptedAgent      an agent that plays a list of decisions
    blank_png          a white screenshot
    probe_page         a page that records every event it gets, and a server for it
    served_world       a world around any web application that a test serves

A suite is tested without a browser by a fixture in its `conftest.py`:

    @pytest.fixture
    def environment():
        return FakeEnvironment({"notes": {}}, reaction)

Run it with `--agent=module:Class`, or with a fixture `agent` and `--agent=fixture`.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import Action, Capability, Screenshot, Size, check_on_screen
from pytest_cuabench.task.evidence import State, Write
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import ActionResult, Box, Observation, ObservationKind

Rows = dict[str, dict[str, dict[str, Any]]]


def blank_png(size: Size) -> bytes:
    """Return a white PNG of a size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + b"\xff" * size.width
    header = struct.pack(">IIBBBBB", size.width, size.height, 8, 0, 0, 0, 0)
    pixels = zlib.compress(row * size.height, 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


class FakeEnvironment(Environment):
    """An environment of plain rows; `reaction` is called with each action and changes them.

        def reaction(world: FakeEnvironment, action: Action) -> None:
            if isinstance(action, Key) and action.keys == ("n",):
                world.write("notes", "1", text="seen")

        environment = FakeEnvironment({"patients": {"A": {"name": "Ada"}}}, reaction)

    A reaction that raises `EnvironmentFailure` plays a computer that broke.

    Args:
        rows: What each reset starts from: collection -> id -> row.
        screen: Size of the screen, which is white.
    """

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
        if isinstance(action, Screenshot):
            return ActionResult(image=blank_png(self.screen))
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
        # A copy: the rows go on changing under a state that is kept.
        return State(deepcopy(self.rows), tuple(self.journal), len(self.journal), journaled=True)

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
    """Plays a list of decisions from the start of each episode; the last one is repeated.

        agent = ScriptedAgent([Click(10, 20), Type("seen"), Terminate("success")])

    An action is a decision of its own; an exception in the list is raised by `decide`.

    Attributes:
        briefing: What `start` was given last.
        observations: What `decide` was given since then.
        closed: How often `close` was called.
    """

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
