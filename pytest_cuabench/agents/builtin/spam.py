"""Two agents that know nothing of a task and try what costs nothing; floors that a real one must beat.

`answer-spam` ends each episode at once with an answer that is right now and then: yes, no, a small number, a number or
a name out of the goal. `click-everything` clicks all over the screen until its budget of steps ends.
"""

from __future__ import annotations

import re
from zlib import crc32

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Answer, Click, Size, Terminate
from pytest_cuabench.task.observation import Observation

_ANSWERS = ("yes", "no", "0", "1", "2", "3", "5", "10", "none", "normal")
_CLICKS = 8  # in one step
_TURN = 0.618033988749895, 0.7548776662466927  # points of an R-sequence lie apart, however many there are


class AnswerSpamAgent:
    """Answers without a look: by its argument (`answer-spam:yes`), or one of several answers by the goal."""

    def __init__(self, profile: Profile) -> None:
        self._given = profile.argument
        self._answer = ""

    async def start(self, briefing: Briefing) -> None:
        """Choose an answer, the same one for the same goal."""
        of_goal = (*re.findall(r"\d+(?:\.\d+)?", briefing.goal), *re.findall(r"[A-Z][a-z]+", briefing.goal))
        known = (*_ANSWERS, *dict.fromkeys(of_goal))
        # The `hash` of a text differs from process to process.
        self._answer = self._given or known[crc32(briefing.goal.encode()) % len(known)]

    async def decide(self, observation: Observation) -> Decision:
        """Return the answer."""
        return Decision((Answer(self._answer),), thought="I answer without a look.")

    async def close(self) -> None:
        """Nothing to release."""


class ClickEverythingAgent:
    """Clicks evenly over the whole screen, eight points in a step, and says at its last step that all is done."""

    def __init__(self, profile: Profile | None = None) -> None:
        self.profile = profile
        self._screen, self._last, self._step = Size(1280, 720), 1, 0

    async def start(self, briefing: Briefing) -> None:
        """Begin anew."""
        self._screen, self._last, self._step = briefing.screen, briefing.max_steps, 0

    async def decide(self, observation: Observation) -> Decision:
        """Return the next clicks."""
        self._step += 1
        if self._step >= self._last:
            return Decision((Terminate("success"),), thought="I have clicked everywhere.")
        first = (self._step - 1) * _CLICKS
        return Decision(tuple(map(self._click, range(first, first + _CLICKS))), thought="I click everything.")

    async def close(self) -> None:
        """Nothing to release."""

    def _click(self, number: int) -> Click:
        across, down = ((0.5 + number * turn) % 1.0 for turn in _TURN)
        return Click(int(across * self._screen.width), int(down * self._screen.height))
