"""A conversation in chat messages: each request tells again what was said, and shows the newest of the pictures.

`Conversation` tells it as any chat template takes it. `PublishedConversation` tells it as a model's maker does, which
its prompt says in a table:

    [history]
    task = "oldest"                   # where the task stands
    said = "{reply}"                  # an earlier step, as the assistant's message
    step = "Step {number}: {action}"  # an earlier step in a list of them
    action = '''Action: (.*)'''       # which part of a reply that is
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from pytest_cuabench.agents.makers.chat.action_spaces.base import strip_surrogates
from pytest_cuabench.agents.models.pictures import data_url, resized, size_of
from pytest_cuabench.task.action import Size

Message = dict[str, Any]

_GONE = "(a screenshot, left out by now)"
_AFTER = "The screen after it follows."
_SEARCHED = 10_000  # characters of a reply; expressions may take the square of it
_NAME = re.compile(r"\{(goal|width|height|previous|remembered|screenshot|number|thought|action|reply)\}")


def _pattern(text: str) -> str:
    if re.compile(text).groups < 1:
        raise ValueError("write the part that is wanted as a group in brackets")
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]


class Telling(BaseModel):
    """How a model's maker tells it the steps before, `[history]` in its prompt.

    Attributes:
        task: Where the task stands: in a message of its own `before` all pictures, with the `first` look, with the
            `oldest` that still has its picture, with the `newest`, or `alone`, in the only message there is.
        look: A message with a look: `{screenshot}` and `{number}`; notices and errors follow it.
        said: The assistant's message of an earlier step: `{number}`, `{thought}`, `{action}`, `{reply}`.
        step: An earlier step within `{previous}` of the task, the same and `{screenshot}`.
        none: What `{previous}` is at first.
        omitted: What stands in a step for a screenshot that is left out.
        shrink: By how much the pictures of earlier steps are made smaller.
        thought: Regular expression of the thought in a reply; without it, what the server set apart.
        action: Regular expression of the action in a reply; without it, and where it finds none, the whole reply.
        remembered: Regular expression of what the model wants to remember; `{remembered}` is its newest.
        nothing: What `{remembered}` is at first.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: Literal["before", "first", "oldest", "newest", "alone"]
    look: str = "{screenshot}"
    said: str = "{reply}"
    step: str = ""
    none: str = ""
    omitted: str = ""
    shrink: float = Field(default=1.0, gt=0, le=1)
    thought: Pattern | None = None
    action: Pattern | None = None
    remembered: Pattern | None = None
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a `data:` URL."""

    url: str


Part = str | Picture


@dataclass(slots=True)
class _Shown:
    """What a user message shows."""

    text: str
    pictures: list[Picture] = field(default_factory=list)


class Conversation:
    """Messages in the order that every chat template takes: instructions, then user and assistant by turns.

    `history` is how many looks keep their pictures; an older one keeps its words and a note. `pictures` belong to the
    task, and go with the first look.
    """

    def __init__(
        self,
        instructions: str,
        task: str,
        history: int,
        *,
        pictures: Sequence[bytes] = (),
        in_user: bool = False,
    ) -> None:
        self._history = history
        asked = bool(instructions) and not in_user
        self._system: list[Message] = [{"role": "system", "content": instructions}] if asked else []
        self._opening = "\n\n".join(part for part in (instructions if in_user else "", task) if part)
        self._of_task = pictures
        self._turns: list[_Shown | Message] = []

    def show(self, text: str, pictures: Sequence[bytes] = ()) -> None:
        """Add a user message; calls of the assistant before it are answered first."""
        self._answer_calls()
        words = strip_surrogates("\n\n".join(part for part in (self._opening, text) if part))
        self._turns.append(_Shown(words, _as_pictures([*self._of_task, *pictures])))
        self._opening, self._of_task = "", ()
        for old in self._looks()[: -self._history]:
            old.text, old.pictures = f"{old.text}\n{_GONE}", []

    def said(self, message: Message, thought: str = "") -> None:
        """Add the assistant's message; its thought is not told again."""
        self._turns.append(message)

    def messages(self) -> list[Message]:
        """Return the messages to send."""
        turns = (
            user_message([turn.text, *turn.pictures]) if isinstance(turn, _Shown) else turn
            for turn in self._turns
        )
        return [*self._system, *turns]

    def _looks(self) -> list[_Shown]:
        return [turn for turn in self._turns if isinstance(turn, _Shown) and turn.pictures]

    def _answer_calls(self) -> None:
        last = self._turns[-1] if self._turns else None
        calls = last.get("tool_calls", ()) if isinstance(last, dict) else ()
        self._turns += [{"role": "tool", "tool_call_id": call["id"], "content": _AFTER} for call in calls]


@dataclass(slots=True)
class _Step:
    """One look, and what the model said to it."""

    number: int
    shown: _Shown
    reply: str = ""
    thought: str = ""
    action: str = ""


class PublishedConversation(Conversation):
    """Messages as `telling` says; `values` fill the placeholders of the task."""

    def __init__(
        self,
        system: str,
        task: str,
        history: int,
        telling: Telling,
        values: Mapping[str, str],
        pictures: Sequence[bytes] = (),
    ) -> None:
        super().__init__(system, "", history)
        self._telling = telling
        self._task, self._values = task, values
        self._with_task: list[Part] = [*_as_pictures(pictures)]
        self._steps: list[_Step] = []
        self._remembered = telling.nothing

    def show(self, text: str, pictures: Sequence[bytes] = ()) -> None:
        """Add a look."""
        shown = _Shown(strip_surrogates(text), _as_pictures(pictures))
        self._steps.append(_Step(len(self._steps) + 1, shown))
        self._pngs = pictures

    def said(self, message: Message, thought: str = "") -> None:
        """Add the assistant's message to the newest look."""
        telling, step = self._telling, self._steps[-1]
        step.reply = message["content"]
        step.thought = _found(telling.thought, step.reply[:_SEARCHED]) or thought
        step.action = _found(telling.action, step.reply[:_SEARCHED]) or step.reply
        step.thought = step.thought.replace(step.action, "").strip()
        self._remembered = _found(telling.remembered, step.reply[-_SEARCHED:]) or self._remembered
        if telling.shrink < 1:
            step.shown.pictures = _as_pictures(_smaller(png, telling.shrink) for png in self._pngs)

    def messages(self) -> list[Message]:
        """Return the messages to send."""
        *past, now = self._steps
        split = max(0, len(past) - self._history + 1)
        old, recent = past[:split], past[split:]
        return [*self._system, *getattr(self, f"_{self._telling.task}")(old, recent, now)]

    def _before(self, old: list[_Step], recent: list[_Step], now: _Step) -> Iterator[Message]:
        yield user_message(self._asked(now))
        yield from map(self._assistant, old)
        yield from self._pairs(recent)
        yield user_message(self._look(now))

    def _first(self, old: list[_Step], recent: list[_Step], now: _Step) -> Iterator[Message]:
        if old:
            first, *later = old
            yield user_message(self._asked(replace(first, shown=_Shown(""))))
            yield from map(self._assistant, (first, *later))
            yield from self._pairs(recent)
            yield user_message(self._look(now))
        else:
            yield from self._opened_by_task(recent, now, ())

    def _oldest(self, old: list[_Step], recent: list[_Step], now: _Step) -> Iterator[Message]:
        yield from self._opened_by_task(recent, now, [(step, False) for step in old])

    def _newest(self, old: list[_Step], recent: list[_Step], now: _Step) -> Iterator[Message]:
        if old:
            told = "\n".join(self._text(self._telling.said, step) for step in old)
            yield {"role": "assistant", "content": told}
        yield from self._pairs(recent)
        yield user_message(self._asked(now, with_look=True))

    def _alone(self, old: list[_Step], recent: list[_Step], now: _Step) -> Iterator[Message]:
        listed = [*((step, False) for step in old), *((step, True) for step in recent)]
        yield user_message(self._asked(now, listed, with_look=True))

    def _opened_by_task(
        self, recent: list[_Step], now: _Step, listed: Sequence[tuple[_Step, bool]]
    ) -> Iterator[Message]:
        """Yield the steps with pictures, the task with the first of them."""
        first, *rest = [*recent, now]
        yield user_message(self._asked(first, listed, with_look=True))
        if recent:
            yield self._assistant(first)
            yield from self._pairs(rest[:-1])
            yield user_message(self._look(now))

    def _pairs(self, steps: Iterable[_Step]) -> Iterator[Message]:
        for step in steps:
            yield user_message(self._look(step))
            yield self._assistant(step)

    def _assistant(self, step: _Step) -> Message:
        return {"role": "assistant", "content": self._text(self._telling.said, step)}

    def _look(self, step: _Step) -> list[Part]:
        values: dict[str, str | Sequence[Part]] = {
            "screenshot": step.shown.pictures,
            "number": str(step.number),
        }
        return [*filled(self._telling.look, values), *_beside(step.shown.text)]

    def _asked(
        self, step: _Step, listed: Iterable[tuple[_Step, bool]] = (), *, with_look: bool = False
    ) -> list[Part]:
        """Return the task, with a look, and with the steps before in it, each with its picture or without."""
        before: list[Part] = []
        for past, pictured in listed:
            picture: list[Part] = [*past.shown.pictures] if pictured else [self._telling.omitted]
            before += filled(self._telling.step, {**_values_of(past), "screenshot": picture})
        pictures: Sequence[Part] = step.shown.pictures
        values = {
            **self._values,
            "previous": before or [self._telling.none],
            "remembered": self._remembered,
            "screenshot": pictures,
            "number": str(step.number),
        }
        placed = with_look and "{screenshot}" not in self._task
        words = _beside(step.shown.text) if with_look else []
        return [*self._with_task, *(pictures if placed else ()), *filled(self._task, values), *words]

    @staticmethod
    def _text(template: str, step: _Step) -> str:
        return "".join(part for part in filled(template, _values_of(step)) if isinstance(part, str))


def filled(template: str, values: Mapping[str, str | Sequence[Part]]) -> list[Part]:
    """Return a text with its placeholders filled, in one pass, so that no value is read as a placeholder."""
    parts: list[Part] = []
    for number, piece in enumerate(_NAME.split(template)):
        value = values.get(piece, f"{{{piece}}}") if number % 2 else piece
        parts += [value] if isinstance(value, str) else value
    return parts


def _values_of(step: _Step) -> dict[str, str | Sequence[Part]]:
    return {
        "number": str(step.number),
        "thought": step.thought,
        "action": step.action,
        "reply": step.reply,
    }


def _found(pattern: str | None, reply: str) -> str:
    """Return the first group that a pattern finds in a reply."""
    match = re.search(pattern, reply) if pattern else None
    return next((group.strip() for group in match.groups() if group), "") if match else ""


def _beside(words: str) -> list[Part]:
    return [f"\n\n{words}"] if words else []


def _as_pictures(pngs: Iterable[bytes]) -> list[Picture]:
    return [Picture(data_url(png)) for png in pngs]


def _smaller(png: bytes, scale: float) -> bytes:
    return resized(png, Size(*(max(1, int(side * scale)) for side in size_of(png))))


def user_message(parts: Iterable[Part]) -> Message:
    """Return a user message; texts that follow one another become one."""
    content: list[Message] = []
    for part in parts:
        if isinstance(part, Picture):
            content.append({"type": "image_url", "image_url": {"url": part.url}})
        elif content and "text" in content[-1]:
            content[-1]["text"] += part
        elif part:
            content.append({"type": "text", "text": part})
    if all("text" in part for part in content):
        return {"role": "user", "content": "".join(part["text"] for part in content) or "(no text)"}
    return {"role": "user", "content": content}
