"""What becomes of an attempt that an error ends: it is not graded, except for harm that was done before.

Where the environment broke after the agent did something, a control plays without the agent (`grading.py`): if that
works, the attempt has failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.episode.clocks import Clocks
from pytest_cuabench.episode.grading import STOPS, control, deed_of, is_retried, judge_salvage, outcome_of
from pytest_cuabench.episode.play import End, Play
from pytest_cuabench.episode.progress import Progress
from pytest_cuabench.episode.recording import Recording
from pytest_cuabench.errors import CheckerFailure, EnvironmentFailure, Leaked
from pytest_cuabench.ledger.attempt import Broke
from pytest_cuabench.task.action import Action, Wait
from pytest_cuabench.task.evidence import Activity, State
from pytest_cuabench.task.outcome import BROKEN, Outcome
from pytest_cuabench.task.redact import secrets_in, without
from pytest_cuabench.task.verdict import Verdict

LAST_LOOK = 10.0  # seconds for the state when the run is being stopped, and for closing the agent


class Salvage:
    """Judges what is left of a failed attempt.

    Attributes:
        failure: What ended the attempt.
        broke: What the agent did before its environment broke.
        verdict: The verdict on the state that was left; it counts where the attempt is graded after all.
        last_action: The last action other than waiting, and its step.
    """

    def __init__(
        self, play: Play, end: End, progress: Progress, clocks: Clocks, recording: Recording
    ) -> None:
        self._play, self._end, self._progress = play, end, progress
        self._clocks, self._recording = clocks, recording
        self._carried_out: list[Action] = []
        self._unread = ""  # why the state could not be read
        self.failure: BaseException | None = None
        self.broke: Broke | None = None
        self.verdict: Verdict | None = None
        self.last_action: tuple[int, Action] | None = None

    @property
    def again(self) -> bool:
        """Whether to retry the attempt."""
        return is_retried(self.failure, self._end.outcome)

    @property
    def suspect(self) -> bool:
        """Whether the environment broke after the agent did something, and no harm was found."""
        return self._end.outcome is Outcome.ENVIRONMENT_ERROR and self.broke is not None

    def note(self, step: int, action: Action, *, by_person: bool) -> None:
        """Note an action that is about to be carried out."""
        if not isinstance(action, Wait) and not by_person:
            self.last_action = step, action
        self._carried_out.append(action)

    def fail(self, error: BaseException, *, run_aborted: bool) -> None:
        """Set the outcome of an attempt that ended with an error."""
        self.failure = error
        self._end.outcome, self._end.error = outcome_of(error, run_aborted=run_aborted)

    async def judge(self, error: BaseException, steps: int) -> None:
        """Judge by the state that can be read; only harm is graded."""
        end, progress = self._end, self._progress
        deed = deed_of(self._play.agent, self.last_action, steps)
        if end.outcome is Outcome.ENVIRONMENT_ERROR and deed and not isinstance(error, Leaked):
            hidden = tuple(secrets_in(progress.case.values))
            self.broke = Broke.of(deed[0], without(deed[1], hidden), without(end.error or "", hidden))
        left, activity = await self._read(LAST_LOOK if isinstance(error, STOPS) else None)
        states = progress.before, progress.current, left
        judged = judge_salvage(self._play.instance.task, progress.case, states, end.answer, activity)
        if judged is None:
            return
        state, verdict = judged
        # The checker failed on complete evidence, which stays as it was recorded.
        whole = isinstance(error, CheckerFailure) and "after" in self._recording.documents
        if verdict.harmed or not whole:
            self.verdict, end.ending = verdict, BROKEN
            self._recording.keep_end(state, activity)
        if verdict.harmed:
            self.grade()

    async def play_control(
        self, environment: Environment, *, last: bool, phase: Salvage | None = None
    ) -> None:
        """Where the environment broke after the agent did something: play without it; if that works, it has failed.

        Before the `last` attempt it may have been chance, unless the agent's actions break the environment again.

        Args:
            phase: The earlier phase in which it broke, with `environment`.
        """
        broken = phase or self
        assert self.broke is not None
        problem = await broken._control(environment)
        self.broke = replace(self.broke, control=problem is None)
        if problem:
            self._end.add_error(f"without the agent the environment failed, too: {problem}")
        elif last or await broken._breaks_again(environment):
            self.grade()

    async def _breaks_again(self, environment: Environment) -> bool:
        """Whether what the agent did breaks the environment without it; a script, which is not repeated, does."""
        assert self.broke is not None
        if self.broke.action["kind"] == "script":
            return True
        return bool(self._carried_out) and await self._control(environment, self._carried_out) is not None

    async def _control(self, environment: Environment, deeds: Iterable[Action] = ()) -> str | None:
        play, limits = self._play, self._play.limits
        return await control(play.instance, environment, play.observation, limits.reset, limits.action, deeds)

    def grade(self) -> None:
        """Grade the attempt by what was left, if that could be judged."""
        if self.verdict:
            self._end.verdict, self._end.outcome = self.verdict, Outcome.of_verdict(self.verdict, BROKEN)
            self._end.error = f"{self._end.error}{self._unread}"

    async def _read(self, most: float | None) -> tuple[State, Activity]:
        """Return the readable state and requests, or the last known state."""
        environment, clocks = self._play.environment, self._clocks
        state, activity = self._progress.current, Activity()
        # A run that is being stopped waits for nothing.
        if most is None:
            with suppress(EnvironmentFailure):
                await drain(self._play, self._end, clocks)
        try:
            state = await clocks.state(environment, "reading the state after the failure", most)
        except EnvironmentFailure as failure:
            if failure.state is None:
                self._unread = (
                    f"; judged by the last known state, because the state cannot be read: {failure}"
                )
            state = failure.state or state
        with suppress(EnvironmentFailure):
            activity = await clocks.of_world(environment.activity(), "reading the request log")
        return state, activity


async def drain(play: Play, end: End, clocks: Clocks) -> None:
    """Wait for what the agent set going, and tell what had not ended in time.

    Raises:
        EnvironmentFailure: The environment failed.
    """
    seconds = play.environment.finish_seconds
    work = play.environment.finish()
    late = await clocks.timed("world", seconds + play.limits.action, work, "ending the episode")
    if late:
        end.add_error(f"not ended {seconds:g} s after the agent, and not judged: {', '.join(late)}")
