"""The conversation with OpenAI's Responses API: kept by OpenAI, or sent again with every request."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.makers.openai.reply import Reply

Items = list[dict[str, Any]]
_RECALLED = 50  # actions that a recap names


class Conversation(ABC):
    """Who remembers what; with every request either what is new goes out, or what is needed to understand it.

    Attributes:
        new: Whether there is nothing to go on from, so that the goal is to be told.
    """

    def __init__(self, goal: str) -> None:
        self._goal = goal
        self._called: list[list[str]] = []

    @property
    @abstractmethod
    def new(self) -> bool: ...

    @abstractmethod
    def parameters(self, said: Items) -> dict[str, Any]:
        """Return the request's part that depends on the conversation."""

    def keep(self, said: Items, reply: Reply) -> None:
        """Remember a turn."""
        self._called.append(list(reply.called))

    def goal_so_far(self, turns: int | None = None) -> str:
        """Return the goal, and which actions the model called before, where that is seen no more."""
        called = [line for lines in self._called[:turns] for line in lines][-_RECALLED:]
        if not called:
            return self._goal
        return "\n".join(
            (self._goal, "", "You have begun already; the last actions you called were:", *called)
        )


class OnServer(Conversation):
    """OpenAI keeps the conversation. A reply that cannot be answered ends it, and a new one begins."""

    _last: str | None = None

    @property
    def new(self) -> bool:
        return self._last is None

    def parameters(self, said: Items) -> dict[str, Any]:
        return {"input": said} | ({"previous_response_id": self._last} if self._last else {})

    def keep(self, said: Items, reply: Reply) -> None:
        super().keep(said, reply)
        self._last = None if reply.problem else reply.id


class Resent(Conversation):
    """This side keeps the conversation. Turns with old screenshots become words: an answer is never without one."""

    def __init__(self, goal: str, history: int) -> None:
        super().__init__(goal)
        self._history = history
        self._turns: list[tuple[Items, Items]] = []

    @property
    def new(self) -> bool:
        return not self._turns

    def parameters(self, said: Items) -> dict[str, Any]:
        return {
            "input": [*self._remembered(), *said],
            "store": False,
            "include": ["reasoning.encrypted_content"],  # the server keeps no reasoning either
        }

    def keep(self, said: Items, reply: Reply) -> None:
        super().keep(said, reply)
        self._turns.append((said, [] if reply.problem else reply.items))
        for number in range(self._first):
            self._turns[number] = ([], self._turns[number][1])  # their pictures are large

    @property
    def _first(self) -> int:
        """The first turn whose screenshot the next request holds; its answers need the calls of the turn before."""
        return max(0, len(self._turns) + 1 - self._history)

    def _remembered(self) -> Items:
        first = self._first
        if not first:
            return [item for said, replied in self._turns for item in (*said, *replied)]
        head = message(text(self.goal_so_far(first - 1)))
        rest = [item for said, replied in self._turns[first:] for item in (*said, *replied)]
        return [head, *self._turns[first - 1][1], *rest]


def message(*content: dict[str, Any]) -> dict[str, Any]:
    """Return what is said to the model, of these parts."""
    return {"role": "user", "content": list(content)}


def text(words: str) -> dict[str, Any]:
    """Return words as a part of a message."""
    return {"type": "input_text", "text": strip_surrogates(words)}
