"""Who tells a maker's server what its model says next: a script, or one case after the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_cuabench.task.action import Action, Size

from .speaking import Body, Speaker

DEAD = "dead"  # from here on nothing but errors comes


@dataclass(frozen=True)
class Concern:
    """Actions that come with a question of the maker's safety service."""

    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Uncounted:
    """Actions in a reply whose tokens the server does not count."""

    actions: tuple[Action, ...]


@dataclass(frozen=True)
class Status:
    """An error of the server, which may ask to wait some seconds."""

    status: int
    message: str = "trouble"
    after: float | None = None


Entry = tuple[Action, ...] | Concern | str  # what is done; or the name of a trouble, or DEAD
Case = Sequence[Entry]


def reply_to(body: Body, entry: Any, speaker: Speaker, screen: Size) -> Any:
    """Return the reply that an entry stands for; any other object is the maker's own."""
    match entry:
        case str():
            return speaker.trouble("broken" if entry == DEAD else entry)
        case Status(status, message, after):
            return speaker.fault(status, message, after)
        case Concern(actions):
            return speaker.concern(speaker.reply(body, actions, screen))
        case Uncounted(actions):
            return speaker.uncounted(speaker.reply(body, actions, screen))
        case Action():
            return speaker.reply(body, (entry,), screen)
        case tuple():
            return speaker.reply(body, entry, screen)
    return entry


@dataclass
class Script:
    """Plays entries, the last again and again, and keeps the requests.

    A reply that is asked for again came too late: a busy machine is no failure.
    """

    speaker: Speaker
    screen: Size
    entries: deque[Any]
    requests: list[Body] = field(default_factory=list)
    _entry: Any = None

    def __call__(self, body: Body) -> Any:
        """Return the reply to a request."""
        if (answer := self.speaker.aside(body)) is not None:
            return answer
        late = self.requests[-1:] == [body] and isinstance(self._entry, Action | tuple)
        self.requests.append(body)
        if not late:
            self._entry = self.entries.popleft() if len(self.entries) > 1 else self.entries[0]
        return reply_to(body, self._entry, self.speaker, self.screen)


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
        return reply_to(body, entry, self._speaker, self._screen)

    @property
    def unsaid(self) -> list[Entry]:
        """What was never asked for; that a server stays dead is not counted."""
        waiting = [entry for case in self._cases for entry in case]
        return [entry for entry in (*self._ended, *self._left, *waiting) if entry != DEAD]


def turns(steps: Iterable[Sequence[Action]], most: int) -> list[tuple[Action, ...]]:
    """Return what is done turn by turn, by a model that does no more than `most` things at a time."""
    return [tuple(step[start : start + most]) for step in steps for start in range(0, len(step), most)]
