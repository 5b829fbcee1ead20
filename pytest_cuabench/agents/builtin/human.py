"""A person as the agent: acts in the visible window, then confirms in the terminal."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, TextIO

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.drivers.base import Environment, InputEvent
from pytest_cuabench.errors import SettingError
from pytest_cuabench.task.action import Action, Answer, Terminate
from pytest_cuabench.task.case import Case
from pytest_cuabench.task.machine import INPUT_EVENTS
from pytest_cuabench.task.model import Instance
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.text import printed

_QUESTION = (
    "\n\n{goal}\n\nAct in the window. Then: Enter = done, or type the answer and Enter, or 'give up'. > "
)


class HumanAgent:
    """Prompts in the terminal; the person's input goes directly to the window, which counts its events.

    The record of the step holds its duration and input events (MedCUA-Bench, Appendix O). `ask` shows a prompt and
    returns a line; the default uses the controlling terminal, independent of pytest's capturing.
    """

    headed: ClassVar[bool] = True

    def __init__(self, profile: Profile | None = None, ask: Callable[[str], str] | None = None) -> None:
        self._ask = ask or _ask_terminal
        self._goal = ""
        self._window: Environment | None = None

    def check(self) -> None:
        """Check that there is a terminal.

        Raises:
            SettingError: There is no terminal.
        """
        if self._ask is _ask_terminal:
            with _terminal():
                pass

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Keep the window only, not the case."""
        self._window = environment

    async def start(self, briefing: Briefing) -> None:
        """Keep for the prompt what an agent is told: documents, such as the page of an earlier search, and the goal."""
        self._goal = printed("\n\n".join((*briefing.documents, briefing.goal)))

    async def decide(self, observation: Observation) -> Decision:
        """Wait for the person to finish."""
        began = time.monotonic()
        line = (await asyncio.to_thread(self._ask, _QUESTION.format(goal=self._goal))).strip()
        action: Action = Answer(line) if line else Terminate("success")
        if line.lower() == "give up":
            action = Terminate("failure")
        seconds = round(time.monotonic() - began, 3)
        events = self._window.input_events() if self._window else ()
        raw = {"seconds": seconds, "input_events": list(events)}
        return Decision((action,), _told(events, seconds), raw=raw)

    async def close(self) -> None:
        """Nothing to release."""


def _told(events: tuple[InputEvent, ...], seconds: float) -> str:
    times = Counter(event.kind for event in events)
    words = ", ".join(f"{times[kind]} {kind}{'' if times[kind] == 1 else 's'}" for kind in INPUT_EVENTS)
    return f"(a person acted: {words} in {seconds:.0f} s)"


def _ask_terminal(question: str) -> str:
    with _terminal() as (screen, keyboard):
        screen.write(question)
        screen.flush()
        return keyboard.readline()


@contextmanager
def _terminal() -> Iterator[tuple[TextIO, TextIO]]:
    try:
        with Path("/dev/tty").open("w") as screen, Path("/dev/tty").open() as keyboard:
            yield screen, keyboard
    except OSError as error:
        raise SettingError("--agent=human needs a terminal; run pytest in one, without -n") from error
