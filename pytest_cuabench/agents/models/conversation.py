"""A conversation in chat messages: all that was said, and the newest of the pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_cuabench.agents.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.models.pictures import data_url

Message = dict[str, Any]

_GONE = "(a screenshot, left out by now)"
_AFTER = "The screen after it follows."


@dataclass(slots=True)
class _Shown:
    """What a user message shows; pictures are `data:` URLs."""

    text: str
    pictures: list[str] = field(default_factory=list)

    def message(self) -> Message:
        if not self.pictures:
            return {"role": "user", "content": self.text}
        parts: list[Message] = [{"type": "text", "text": self.text}] if self.text else []
        parts += [{"type": "image_url", "image_url": {"url": url}} for url in self.pictures]
        return {"role": "user", "content": parts}


class Conversation:
    """Messages in the order that every chat template takes: instructions, then user and assistant by turns.

    `history` is how many looks keep their pictures; an older one keeps its words and a note.
    """

    def __init__(self, instructions: str, history: int, *, in_user: bool = False) -> None:
        self._history = history
        asked = bool(instructions) and not in_user
        self._system: list[Message] = [{"role": "system", "content": instructions}] if asked else []
        self._opening = instructions if in_user else ""
        self._turns: list[_Shown | Message] = []

    def show(self, text: str, pictures: Sequence[bytes] = ()) -> None:
        """Add a user message; calls of the assistant before it are answered first."""
        self._answer_calls()
        words = strip_surrogates("\n\n".join(part for part in (self._opening, text) if part))
        self._opening = ""
        self._turns.append(_Shown(words, [data_url(png) for png in pictures]))
        for old in self._looks()[: -self._history]:
            old.text, old.pictures = f"{old.text}\n{_GONE}", []

    def said(self, message: Message) -> None:
        """Add the assistant's message."""
        self._turns.append(message)

    def messages(self) -> list[Message]:
        """Return the messages to send."""
        turns = [turn.message() if isinstance(turn, _Shown) else turn for turn in self._turns]
        return [*self._system, *turns]

    def _looks(self) -> list[_Shown]:
        return [turn for turn in self._turns if isinstance(turn, _Shown) and turn.pictures]

    def _answer_calls(self) -> None:
        last = self._turns[-1] if self._turns else None
        calls = last.get("tool_calls", ()) if isinstance(last, dict) else ()
        self._turns += [{"role": "tool", "tool_call_id": call["id"], "content": _AFTER} for call in calls]
