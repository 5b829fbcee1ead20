"""A person as the agent: acts in the visible window, then tells the terminal that the task is done."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from pytest_cuabench.action import Action, Answer, Terminate
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.errors import SettingError
from pytest_cuabench.observation import Observation
from pytest_cuabench.profile import Profile

_QUESTION = (
    "\n\n{goal}\n\nAct in the window. Then: Enter = done, or type the answer and Enter, or 'give up'. > "
)


class HumanAgent:
    """Asks on the terminal; the person's own clicks go straight to the window.

    `ask` shows a prompt and returns a line; the default talks to the controlling terminal, so that pytest's
    capturing does not stand in the way.
    """

    def __init__(self, profile: Profile | None = None, ask: Callable[[str], str] | None = None) -> None:
        self._ask = ask or _ask_terminal
        self._goal = ""

    async def start(self, briefing: Briefing) -> None:
        """Keep the goal for the question."""
        self._goal = briefing.goal

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the person."""
        line = (await asyncio.to_thread(self._ask, _QUESTION.format(goal=self._goal))).strip()
        action: Action = Answer(line) if line else Terminate("success")
        if line.lower() == "give up":
            action = Terminate("failure")
        return Decision((action,), thought="(a person acted)")

    async def close(self) -> None:
        """Nothing to release."""


def _ask_terminal(question: str) -> str:
    try:
        with Path("/dev/tty").open("w") as screen, Path("/dev/tty").open() as keyboard:
            screen.write(question)
            screen.flush()
            return keyboard.readline()
    except OSError as error:
        raise SettingError("--agent=human needs a terminal; run pytest in one, without -n") from error
