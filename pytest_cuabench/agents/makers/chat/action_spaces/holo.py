"""Holo1 and Holo1.5 on pages of the web: one JSON object with a thought, notes and an action."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    DIRECTIONS,
    Arguments,
    BaseActionSpace,
    Repair,
    Reply,
    ToolCall,
    fenced,
    from_json,
    join_thoughts,
    notches,
)
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, CoordinateSpace, Size

_PAUSE = 2  # seconds of a wait without a number
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action]]


def _place(call: Arguments, space: CoordinateSpace) -> tuple[int, int]:
    call.take("element", default=None)
    x, y = space.to_screen(call.number("x"), call.number("y"))
    return x, y


def _click(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = _place(call, space)
    call.end()
    yield act.Click(*where)


def _write(ending: str) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        content, where = call.text("content"), _place(call, space)
        call.end()
        yield act.Click(*where)
        yield act.Key(("ctrl", "a"))
        yield act.Type(content + ending)

    return read


def _scroll(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    down, right = call.one_of(DIRECTIONS, "direction", default="down")
    call.end()
    yield from notches("scroll", down, right, None)


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    seconds = call.number("seconds", default=_PAUSE)
    call.end()
    yield act.Wait(float(seconds))


def _goto(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    url = call.text("url")
    call.end()
    yield act.Navigate(url)


def _answer(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    content = call.text("content")
    call.end()
    yield act.Answer(content)


def _always(action: Action) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        call.end()
        yield action

    return read


def _restart(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    raise ActionError("restart: a task cannot begin again; go back, and mend what went wrong")


_KNOWN: Mapping[str, _Reader] = {
    "click_element": _click,
    "write_element": _write(""),
    "write_element_abs": _write("\n"),
    "scroll": _scroll,
    "go_back": _always(act.Back()),
    "refresh": _always(act.Key(("f5",))),
    "goto": _goto,
    "wait": _wait,
    "restart": _restart,
    "answer": _answer,
}
_ENDING = (
    "Answer each turn with one JSON object and nothing else: "
    '{{"note": "what you have to remember", "thought": "what comes next and why", "action": {{...}}}}\n'
    'Actions: {{"action": "click_element", "element": "...", "x": 1, "y": 2}}; '
    '{{"action": "write_element_abs", "content": "...", "element": "...", "x": 1, "y": 2}} replaces what a field holds '
    'and presses Enter, write_element does not press it; {{"action": "scroll", "direction": "down"}}; '
    '{{"action": "go_back"}}; {{"action": "refresh"}}; {{"action": "wait", "seconds": 2}}; '
    '{{"action": "answer", "content": "the answer, or what was done"}} ends the task. {coordinates}'
)


class Holo(BaseActionSpace):
    """The object may stand in a fence."""

    default = "qwen25"
    official = "holo"
    hint = 'Write {"thought": "...", "action": {"action": "click_element", ...}}'

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into thought and notes, and the whole, which `actions` reads."""
        try:
            step = _step(reply.text)
        except ActionError:
            return "", reply.text
        said = [step.get(name) for name in ("thought", "note", "notes")] if isinstance(step, dict) else []
        return join_thoughts(*(text for text in said if isinstance(text, str))), reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the object."""
        if not text.strip():
            return
        if "```" in text:
            yield Repair("JSON in a fence")
        chosen = Arguments("the reply", _step(text)).take("action")
        name = Arguments("action", chosen).one_of(dict(zip(_KNOWN, _KNOWN, strict=True)), "action")
        given = {key: value for key, value in chosen.items() if key != "action"}
        yield from _KNOWN[name](Arguments(name, given), space)


def _step(text: str) -> Any:
    blocks = fenced(text)[1] if "```" in text else []
    return from_json(blocks[0] if blocks else text)
