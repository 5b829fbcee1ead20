"""A person who takes over an episode in the page that watches it (`--cua-take-over`).

The person's actions come as commands (`ledger/live.py`) and are read as strictly as a program's. Each is recorded in
`human.jsonl`, apart from the agent's steps, with the pictures before and after it. No clock runs meanwhile.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pytest_cuabench.agents.program.endpoints.wire import read_action
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.deadlines import await_world
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.errors import ActionError
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.action import Action
from pytest_cuabench.task.durations import seconds_for
from pytest_cuabench.task.redact import without

_T = TypeVar("_T")
PAUSED = 0.2  # seconds between two looks whether a pause is over
_PERSON = 0.05  # the same while a person acts, who waits for the next picture
_INPUT = ("pointer", "keyboard")  # what a person can do: what `Action.needs` names


class Person:
    """Performs what a person asks for.

    Args:
        first: Awaited before the first action, or before the person ends the episode.

    Attributes:
        steps: The number of actions that were performed, or failed.
        helped: Whether the person acted, or ended the episode.
    """

    def __init__(
        self,
        environment: Environment,
        recorder: Recorder,
        turns: Turns,
        seconds: float,
        first: Callable[[], Awaitable[None]],
    ) -> None:
        self._environment = environment
        self._recorder = recorder
        self._turns = turns
        self._seconds = seconds
        self._first = first
        self._pictures = 0
        self.steps = 0
        self.helped = False

    async def play(self, step: int, secrets: tuple[str, ...]) -> bool:
        """Act until the episode is given back (False), or ended by the person (True) or by an abort (False)."""
        commands = self._recorder.commands
        picture = await self._show("")
        while not commands.aborted:
            if not commands.acts:
                await asyncio.sleep(_PERSON)
                commands.look()
                continue
            command, data = commands.acts.popleft()
            if command == "give":
                commands.taken = False
                commands.acts.clear()
                return False
            try:
                action = None if command == "end" else self._read(data)
            except ActionError as error:
                picture = await self._show(str(error))
                continue
            if not self.helped:
                await self._first()
                self.helped = True
            if action is None:
                return True
            picture = await self._perform(action, step, picture, secrets)
        return False

    async def apart(self, work: Awaitable[_T], doing: str, seconds: float = 0.0) -> _T:
        """Await the environment, on no clock of the attempt."""
        async with self._turns.take(work):
            return await await_world(self._seconds + seconds, work, doing)

    def _read(self, data: object) -> Action:
        action = read_action(data)
        if action.needs not in _INPUT:
            raise ActionError(f"{action.kind}: a person acts by mouse and keyboard only")
        if action.needs not in self._environment.capabilities:
            raise ActionError(f"{action.kind}: this environment has no {action.needs}")
        width, height = self._environment.screen
        if any(not (0 <= x < width and 0 <= y < height) for x, y in action.points()):
            raise ActionError(f"{action.kind}: a point is outside of the screen of {width}x{height} pixels")
        return action

    async def _perform(
        self, action: Action, step: int, before: str | None, secrets: tuple[str, ...]
    ) -> str | None:
        self.steps += 1
        start, after = time.perf_counter(), None
        error: str | None = "it was not finished"
        try:
            doing = f"carrying out a person's {action.kind}"
            result = await self.apart(self._environment.perform(action), doing, seconds_for(action))
            error = result.error
            after = await self._show(error or "")
        finally:
            told = {
                "who": "human",
                "step": step,
                "action": action.to_json(),
                "error": error,
                "before": before,
                "after": after,
                "seconds": round(time.perf_counter() - start, 4),
            }
            self._recorder.human_step(without(told, secrets))
        return after

    async def _show(self, problem: str) -> str | None:
        """Record the screen, and show it to the person."""
        seen = await self.apart(self._environment.observe("screenshot"), "observing the screen")
        picture = self._recorder.picture(f"human-{self._pictures:03d}", seen.screenshot)
        self._pictures += 1
        self._recorder.tell(state="taken", picture=picture, problem=problem)
        return picture
