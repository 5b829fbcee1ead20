"""A person who pauses or aborts an episode, or takes it over in the page that watches it (`--cua-take-over`).

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
from pytest_cuabench.episode.grading import RUN_ABORTED, judge_salvage
from pytest_cuabench.episode.play import End, Play
from pytest_cuabench.episode.progress import Progress
from pytest_cuabench.episode.recording import Recording
from pytest_cuabench.episode.salvage import Salvage
from pytest_cuabench.episode.turns import Turns
from pytest_cuabench.errors import Aborted, ActionError, RunAborted
from pytest_cuabench.ledger.attempt import Pause
from pytest_cuabench.ledger.record import Recorder
from pytest_cuabench.task.action import Action
from pytest_cuabench.task.evidence import Activity, State
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.redact import secrets_in, without
from pytest_cuabench.task.verdict import Verdict

_T = TypeVar("_T")
_PAUSED = 0.2  # seconds between two looks whether a pause is over
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
                # What was asked for after that is not carried out at the next take-over.
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
            result = await self.apart(self._environment.perform(action), doing, action.extra_seconds())
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
        self._recorder.publish(state="taken", picture=picture, problem=problem)
        return picture


class TakeOver:
    """Obeys who watches an attempt; nothing is graded after a person acted in it, except for harm committed before.

    Attributes:
        pauses: When the attempt was paused, or taken over.
    """

    def __init__(
        self, play: Play, recorder: Recorder, end: End, progress: Progress, salvage: Salvage
    ) -> None:
        self._environment, self._task = play.environment, play.instance.task
        self._recorder, self._end, self._progress, self._salvage = recorder, end, progress, salvage
        self._person = Person(
            play.environment, recorder, play.lane.turns, play.limits.action, self._keep_harm
        )
        self._harm: tuple[State, Activity, Verdict] | None = None
        self.pauses: list[Pause] = []

    @property
    def helped(self) -> bool:
        """Whether a person acted, or ended the attempt."""
        return self._person.helped

    @property
    def steps(self) -> int:
        """The number of actions of the person."""
        return self._person.steps

    async def obey(self, step: int, *, may_take: bool) -> bool:
        """Wait while a person has paused the attempt or, if they `may_take` it, acts.

        Return whether the person has acted and the attempt goes on.

        Raises:
            Aborted, RunAborted: A person aborted the attempt, or the run.
        """
        commands, acted = self._recorder.commands, self.steps
        commands.look()
        while not commands.aborted and self._end.running:
            if commands.taken and may_take:
                await self._pause(step, self._give(step))
            elif commands.paused:
                self._recorder.publish(state="paused")
                await self._pause(step, self._until_resumed())
            else:
                break
        if commands.aborted:
            raise RunAborted(RUN_ABORTED) if commands.aborted == "run" else Aborted("aborted by a person")
        return self._end.running and self.steps > acted

    async def _pause(self, step: int, work: Awaitable[None]) -> None:
        start = time.perf_counter()
        try:
            await work
        finally:
            self.pauses.append(Pause(step, round(time.perf_counter() - start, 1)))

    async def _until_resumed(self) -> None:
        commands = self._recorder.commands
        while commands.paused and not commands.aborted:
            await asyncio.sleep(_PAUSED)
            commands.look()

    async def _give(self, step: int) -> None:
        """Let a person act until the episode is given back or ended."""
        acted = self.steps
        if await self._person.play(step, tuple(secrets_in(self._progress.case.values))):
            self._end.ending = "human"
        elif self.steps > acted:
            await self._pass_over()

    async def _keep_harm(self) -> None:
        """Keep the agent's committed harm before a person acts for the first time; nothing later is judged."""
        # What breaks from here on is not the agent's doing.
        self._salvage.last_action = None
        progress, person = self._progress, self._person
        state = await person.apart(self._environment.state(), "reading the state")
        activity = await person.apart(self._environment.activity(), "reading the request log")
        states = progress.before, progress.current, state
        judged = judge_salvage(self._task, progress.case, states, self._end.answer, activity)
        if judged and judged[1].harmed:
            self._harm = judged[0], activity, judged[1]

    async def _pass_over(self) -> None:
        """Count what a person wrote as no write of the agent's next step."""
        revision = await self._person.apart(self._environment.revision(), "reading the revision")
        state = await self._person.apart(self._environment.state(), "reading the state")
        self._progress.revision = revision
        self._progress.advance(state)
        if state.ended:
            self._end.ending = "world"

    def conclude(self, recording: Recording) -> None:
        """Grade nothing of an attempt in which a person acted, except for harm committed before."""
        end = self._end
        end.verdict, self._salvage.broke = None, None
        helped = f"a person took over (human steps: {self.steps})"
        if self._harm:
            state, activity, end.verdict = self._harm
            end.ending, end.outcome = BROKEN, Outcome.VIOLATION
            recording.keep_end(state, activity)
            end.error = f"{end.error or helped}; judged by the state before the person acted"
        elif self._salvage.failure is None:
            end.outcome, end.error = Outcome.HUMAN_HELP, f"{helped}: not graded as the agent's"
        else:
            end.add_error(f"{helped} before")
