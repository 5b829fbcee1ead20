"""GLM-4.5V and GLM-4.6V on computers: a thought, one call such as `left_click(start_box='[x,y]')`, and a memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    Arguments,
    BaseActionSpace,
    Repair,
    Reply,
    ToolCall,
    notches,
)
from pytest_cuabench.agents.makers.chat.action_spaces.code import mended_calls
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Size
from pytest_cuabench.task.keys import parse_chords

_PAUSE = 5.0  # seconds of WAIT
_STEPS = 5  # notches of a scroll without a number
_DIRECTIONS = {"down": 1, "up": -1}
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action]]

_BOX = re.compile(r"<\|begin_of_box\|>(.*?)<\|end_of_box\|>", re.S)
_CALL = re.compile(r"^[ \t`]*(\w+\(.*\))[ \t`]*$", re.M)
_MEMORY = re.compile(r"^[ \t]*Memory:.*", re.M | re.S)


def _end(call: Arguments) -> None:
    call.take("element_info", default=None)
    call.end()


def _click(button: Button = "left", count: int = 1) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        where = call.point(space, "start_box")
        _end(call)
        yield act.Click(*where, button, count)

    return read


def _hover(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "start_box")
    _end(call)
    yield act.Move(*where)


def _drag(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    path = (call.point(space, "start_box"), call.point(space, "end_box"))
    _end(call)
    yield act.Drag(path)


def _key(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    chords = parse_chords(call.text("keys"))
    _end(call)
    yield from map(act.Key, chords)


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("content")
    _end(call)
    yield act.Type(text)


def _scroll(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "start_box")
    down = call.one_of(_DIRECTIONS, "direction") * call.number("step", default=_STEPS)
    _end(call)
    yield from notches("scroll", down, 0, where)


def _answer(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("content")
    _end(call)
    yield act.Answer(text)


def _always(action: Action) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        call.end()
        yield action

    return read


_KNOWN: Mapping[str, _Reader] = {
    "left_click": _click(),
    "right_click": _click("right"),
    "middle_click": _click("middle"),
    "left_double_click": _click(count=2),
    "hover": _hover,
    "left_drag": _drag,
    "key": _key,
    "type": _type,
    "scroll": _scroll,
    "WAIT": _always(act.Wait(_PAUSE)),
    "DONE": _always(act.Terminate("success")),
    "FAIL": _always(act.Terminate("infeasible")),
    "answer": _answer,
}
_BEGINS = re.compile(r"\s*\w+\(")
_WITHIN = re.compile(rf"\b(?:{'|'.join(_KNOWN)})\([^)]{{0,2000}}\)")
_ENDING = (
    "Each turn, say in a few words what you see and what comes next, then write one call: "
    "left_click, right_click, middle_click, left_double_click or hover(start_box='[x,y]'), "
    "left_drag(start_box='[x,y]', end_box='[x,y]'), key(keys='ctrl+a'), type(content='...'), "
    "scroll(start_box='[x,y]', direction='down', step=5), WAIT(), DONE() when the task is finished, FAIL() when it "
    "cannot be done, answer(content='...') where the task asks for one. {coordinates}\n"
    'Then write Memory: and a list of what you have to remember, such as [] or [{{"total": "12"}}].'
)


class Glm(BaseActionSpace):
    """The call stands in a box, or on a line of its own; what follows `Memory:` is for the model's next turns."""

    default = "relative999"
    official = "glm"
    hint = "Write one call such as left_click(start_box='[10,20]')"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text around the call, and the call."""
        text = _MEMORY.sub("", reply.text)
        if boxed := _BOX.search(text):
            return _BOX.sub("", text), boxed[1].strip()
        calls = _CALL.findall(text)
        return (_CALL.sub("", text), "\n".join(calls)) if calls else ("", text)

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the calls; where none stands by itself, of the first within a sentence."""
        if not _BEGINS.match(text):
            if not (found := _WITHIN.search(text)):
                return
            yield Repair("call within a sentence")
            text = found[0]
        for call in mended_calls(text):
            if isinstance(call, Repair):
                yield call
            elif call.name not in _KNOWN:
                raise ActionError(f"unknown action {call.name}; known: {', '.join(_KNOWN)}")
            else:
                yield from _KNOWN[call.name](call.bind(), space)
