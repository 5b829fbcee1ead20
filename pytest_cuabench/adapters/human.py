"""A person as the agent: acts in the visible window, then tells the terminal that the task is done."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from pytest_cuabench.action import Action, Answer, Terminate
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.environment import DEEDS, Deed, Environment, Watched
from pytest_cuabench.errors import SettingError
from pytest_cuabench.observation import Observation
from pytest_cuabench.profile import Profile
from pytest_cuabench.task import Case, Instance

_QUESTION = (
    "\n\n{goal}\n\nAct in the window. Then: Enter = done, or type the answer and Enter, or 'give up'. > "
)


class HumanAgent:
    """Asks on the terminal; the person's own clicks go straight to the window, which counts them.

    The record of the decision holds how long it took and what was done (MedCUA-Bench, Appendix O).
    `ask` shows a prompt and returns a line; the default talks to the controlling terminal, so that pytest's
    capturing does not stand in the way.
    """

    def __init__(self, profile: Profile | None = None, ask: Callable[[str], str] | None = None) -> None:
        self._ask = ask or _ask_terminal
        self._goal = ""
        self._window: Watched | None = None

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Keep the window, and nothing else of what it is told."""
        self._window = environment if isinstance(environment, Watched) else None

    async def start(self, briefing: Briefing) -> None:
        """Keep the goal for the question."""
        self._goal = briefing.goal

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the person."""
        began = time.monotonic()
        line = (await asyncio.to_thread(self._ask, _QUESTION.format(goal=self._goal))).strip()
        action: Action = Answer(line) if line else Terminate("success")
        if line.lower() == "give up":
            action = Terminate("failure")
        seconds = round(time.monotonic() - began, 3)
        deeds = self._window.deeds() if self._window else ()
        return Decision((action,), _told(deeds, seconds), raw={"seconds": seconds, "deeds": list(deeds)})

    async def close(self) -> None:
        """Nothing to release."""


def _told(deeds: tuple[Deed, ...], seconds: float) -> str:
    times = Counter(deed.kind for deed in deeds)
    words = ", ".join(f"{times[kind]} {kind}{'' if times[kind] == 1 else 's'}" for kind in DEEDS)
    return f"(a person acted: {words} in {seconds:.0f} s)"


def _ask_terminal(question: str) -> str:
    try:
        with Path("/dev/tty").open("w") as screen, Path("/dev/tty").open() as keyboard:
            screen.write(question)
            screen.flush()
            return keyboard.readline()
    except OSError as error:
        raise SettingError("--agent=human needs a terminal; run pytest in one, without -n") from error
