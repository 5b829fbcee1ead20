"""An agent that acts at random, the same way for the same seed; a floor that a real one must beat."""

from __future__ import annotations

import random
from collections.abc import Callable

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Action, Click, Key, Move, Scroll, Size, Type
from pytest_cuabench.task.observation import Observation

_KEYS = ("enter", "tab", "escape", "backspace", "space", "up", "down", "pageup", "pagedown")
_WORDS = ("yes", "12", "98.6", "test", "pain", "ü", "100/70")


class RandomAgent:
    """Clicks, types, scrolls and presses keys until its budget of steps ends."""

    def __init__(self, profile: Profile) -> None:
        seed = profile.argument or profile.options.get("seed", 0)
        self._seed = str(seed)
        self.seed(self._seed, Size(1280, 720))

    def seed(self, seed: object, screen: Size) -> None:
        """Begin the sequence of a seed, on a screen."""
        self._chance = random.Random(str(seed))  # noqa: S311 - variety, not secrecy
        self._screen = screen

    async def start(self, briefing: Briefing) -> None:
        """Begin the same sequence for the same goal and seed."""
        self.seed(f"{self._seed}:{briefing.goal}", briefing.screen)

    async def decide(self, observation: Observation) -> Decision:
        """Return one random action."""
        return Decision((self.choose(),), thought="I act at random.")

    def choose(self) -> Action:
        """Return the next action of the sequence."""
        makers: tuple[Callable[[], Action], ...] = (
            self._click,
            self._click,
            self._type,
            self._key,
            self._scroll,
        )
        return self._chance.choice((*makers, self._move))()

    async def close(self) -> None:
        """Nothing to release."""

    def _point(self) -> tuple[int, int]:
        return self._chance.randrange(self._screen.width), self._chance.randrange(self._screen.height)

    def _click(self) -> Action:
        return Click(*self._point())

    def _move(self) -> Action:
        return Move(*self._point())

    def _type(self) -> Action:
        return Type(self._chance.choice(_WORDS))

    def _key(self) -> Action:
        return Key((self._chance.choice(_KEYS),))

    def _scroll(self) -> Action:
        return Scroll(*self._point(), dy=self._chance.choice((-5, -2, 2, 5)))
