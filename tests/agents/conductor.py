"""Who tells a maker's server what its model says next: one case after the other, one entry for each request."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.task.action import Action, Size

from .speaking import Body, Speaker

DEAD = "dead"  # from here on nothing but errors comes


@dataclass(frozen=True)
class Concern:
    """Actions that come with a question of the maker's safety service."""

    actions: tuple[Action, ...]


Entry = tuple[Action, ...] | Concern | str  # what is done; or one of `TROUBLES`, or DEAD
Case = Sequence[Entry]


class Conductor:
    """Plays cases in order; a request that begins an episode begins the next.

    Attributes:
        unsaid: What was left of the cases that ended early.
    """

    def __init__(self, speaker: Speaker, screen: Size, cases: Iterable[Case]) -> None:
        self._speaker, self._screen = speaker, screen
        self._cases = deque(cases)
        self._left: deque[Entry] = deque()
        self._ended: list[Entry] = []

    def __call__(self, body: Body) -> Any:
        """Return the reply to a request."""
        if (answer := self._speaker.aside(body)) is not None:
            return answer
        if self._speaker.opens(body):
            self._ended += self._left
            self._left = deque(self._cases.popleft() if self._cases else [DEAD])
        entry = self._left[0] if self._left else DEAD
        if entry != DEAD:
            self._left.popleft()
        return self._reply(body, entry)

    @property
    def unsaid(self) -> list[Entry]:
        """What was never asked for; that a server stays dead is not counted."""
        waiting = [entry for case in self._cases for entry in case]
        return [entry for entry in (*self._ended, *self._left, *waiting) if entry != DEAD]

    def _reply(self, body: Body, entry: Entry) -> Any:
        match entry:
            case "dead":
                return self._speaker.trouble("broken")
            case str():
                return self._speaker.trouble(entry)
            case Concern(actions):
                return self._speaker.concern(self._speaker.reply(body, actions, self._screen))
        return self._speaker.reply(body, entry, self._screen)


def turns(steps: Iterable[Sequence[Action]], most: int) -> list[tuple[Action, ...]]:
    """Return what is done turn by turn, by a model that does no more than `most` things at a time."""
    return [tuple(step[start : start + most]) for step in steps for start in range(0, len(step), most)]
