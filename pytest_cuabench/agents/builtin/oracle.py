"""The reference solution as an agent: it finds elements by selectors, but acts by mouse and keyboard.

A solution is a coroutine that uses a `Pilot`. The pilot finds elements by privileged selectors, converts each to a
point on the screen, and passes canonical actions to the episode's loop, one step at a time.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.drivers.base import Environment
from pytest_cuabench.errors import EnvironmentFailure, ProviderFailure
from pytest_cuabench.task.action import Action, Answer, Button, Click, Key, Point, Scroll, Status, Type
from pytest_cuabench.task.action import Terminate as End
from pytest_cuabench.task.case import Case, Solution
from pytest_cuabench.task.keys import parse_chord
from pytest_cuabench.task.model import Instance, PhaseInstance
from pytest_cuabench.task.observation import Box, Observation, Placed
from pytest_cuabench.task.tracebacks import raised_at, told

T = TypeVar("T")
_NOTCH = 100  # pixels that a notch surely scrolls; more only means another look
_MAX_SCROLLS = 30
_POLL = 0.2  # seconds between two looks at an element that is to appear


class Lost(Exception):
    """Raised when the reference solution cannot find an element."""


class Pilot:
    """The interface of solutions to the screen. Every acting method is one step of the agent."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._decisions: asyncio.Queue[tuple[str, tuple[Action, ...]]] = asyncio.Queue(1)
        self._performed = asyncio.Event()
        self._observation: Observation | None = None

    async def act(self, *actions: Action, thought: str = "") -> None:
        """Perform actions, and return when the screen has settled.

        Raises:
            Lost: The environment rejected an action.
        """
        self._performed.clear()
        await self._decisions.put((thought, actions))
        await self._performed.wait()
        errors = [result.error for result in (self._observation.results if self._observation else ())]
        if any(errors):
            raise Lost(next(error for error in errors if error))

    async def click(self, target: str, count: int = 1, button: Button = "left") -> None:
        """Click the middle of the element."""
        point = await self._point(target)
        await self.act(Click(*point, count=count, button=button), thought=f"Click {target}")

    async def fill(self, target: str, text: str) -> None:
        """Replace the content of a field."""
        point = await self._point(target)
        await self.act(Click(*point), Key(("ctrl", "a")), Type(text), thought=f"Fill {target}")

    async def type(self, text: str) -> None:
        """Type where the focus is."""
        await self.act(Type(text), thought="Type")

    async def press(self, chord: str, repeat: int = 1) -> None:
        """Press a key chord."""
        await self.act(Key(parse_chord(chord), repeat), thought=f"Press {chord}")

    async def answer(self, text: str) -> None:
        """Give the final answer, which ends the episode."""
        await self.act(Answer(text), thought="Answer")

    async def give_up(self, status: Status = "infeasible", reason: str = "") -> None:
        """End the episode with failure or infeasible."""
        await self.act(End(status, reason), thought="Give up")

    async def sees(self, target: str) -> bool:
        """Return whether the element is on the page now."""
        return await self._environment.locate(target) is not None

    async def read(self, target: str) -> str:
        """Return an element's text."""
        return await self._awaited(target, self._environment.read)

    async def box(self, target: str) -> Box:
        """Return where an element is, in pixels of the screen; it may lie beyond its edges."""
        return await self._awaited(target, self._located)

    async def screenshot(self) -> bytes:
        """Return the screen as PNG, for solutions that judge a picture; also where no screenshots are kept."""
        seen = self._observation
        if seen is None or seen.screenshot is None:
            seen = await self._environment.observe("screenshot")
        if seen.screenshot is None:
            raise Lost("this environment has no picture of the screen")
        return seen.screenshot

    async def _point(self, target: str) -> Point:
        for _ in range(_MAX_SCROLLS):
            box, window = await self._awaited(target, self._placed)
            if box.shown_in(window):
                return box.middle
            dx, dy = (
                _notches(box.middle.x - window.x, window.width),
                _notches(box.middle.y - window.y, window.height),
            )
            await self.act(Scroll(*window.middle, dx=dx, dy=dy), thought="Scroll")
        raise Lost(f"cannot scroll {target} into view")

    async def _awaited(self, target: str, look: Callable[[str], Awaitable[T | None]]) -> T:
        """Look for the element, which may appear late on a busy machine."""
        give_up = time.monotonic() + self._environment.late_seconds
        while (found := await look(target)) is None:
            if time.monotonic() > give_up:
                raise Lost(f"no element {target} on the screen")
            await asyncio.sleep(_POLL)
        return found

    async def _located(self, target: str) -> Box | None:
        try:
            return await self._environment.locate(target)
        except LookupError as error:
            raise Lost(str(error)) from error

    async def _placed(self, target: str) -> Placed | None:
        try:
            return await self._environment.place(target)
        except LookupError as error:
            raise Lost(str(error)) from error

    # The loop's side

    async def next_decision(self) -> tuple[str, tuple[Action, ...]]:
        """Wait for the solution's next step."""
        return await self._decisions.get()

    def seen(self, observation: Observation) -> None:
        """Continue the solution after its actions were performed."""
        self._observation = observation
        self._performed.set()


def _notches(middle: float, extent: float) -> int:
    if 0 <= middle < extent:
        return 0
    beyond = (middle - extent / 2) / _NOTCH
    return max(-20, min(20, round(beyond) or (1 if beyond > 0 else -1)))


class OracleAgent:
    """Plays a task's reference solution, or another given one."""

    def __init__(self, profile: Profile | None = None, solution: Solution | None = None) -> None:
        self.profile = profile
        self._solution = solution
        self._decided = False
        self._playing: asyncio.Task[None] | None = None
        self._pilot: Pilot | None = None
        self._name = ""
        self._work: Coroutine[Any, Any, None] | None = None

    async def confide(self, instance: Instance, case: Case, environment: Environment) -> None:
        """Keep the instance's solution, and the environment to find elements with."""
        if not environment.locates:
            raise ProviderFailure("the oracle cannot find elements in this environment")
        self._pilot = Pilot(environment)
        self._name = instance.task.name
        given = None if isinstance(instance, PhaseInstance) else self._solution
        self._work = self._play(given or instance.task.functions.solve, self._pilot, case)

    async def start(self, briefing: Briefing) -> None:
        """Start the solution, which runs until its first action."""
        if self._work is None:
            raise ProviderFailure("the oracle was called without a case")
        self._decided = False
        self._playing = asyncio.create_task(self._work)

    async def decide(self, observation: Observation) -> Decision:
        """Return the solution's next step, or the end."""
        if self._pilot is None or self._playing is None:
            raise ProviderFailure("the oracle was called before its start")
        if self._decided:
            self._pilot.seen(observation)
        following = asyncio.create_task(self._pilot.next_decision())
        try:
            await asyncio.wait({following, self._playing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            following.cancel()  # a decision that was made stays
        if following.done():
            thought, actions = following.result()
            self._decided = True
            return Decision(actions, thought)
        if error := self._playing.exception():
            if isinstance(error, EnvironmentFailure):
                raise error  # what broke while the pilot looked for an element is no fault of the solution
            words = f"{error}{raised_at(error)}" if isinstance(error, Lost) else told(error)
            raise ProviderFailure(f"the solution of {self._name} failed: {words}") from error
        return Decision((End("success"),), thought="Done.")

    async def close(self) -> None:
        """Stop the solution."""
        if self._playing is not None:
            self._playing.cancel()
            with suppress(asyncio.CancelledError, Lost):  # its fate was told by decide
                await self._playing
        elif self._work is not None:
            self._work.close()
        self._playing = self._pilot = self._work = None

    @staticmethod
    async def _play(solution: Solution, pilot: Pilot, case: Case) -> None:
        await solution(pilot, case)
