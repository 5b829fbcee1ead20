"""UI-TARS: `Action: click(point='<point>x y</point>')` of version 1.5, and the tagged functions of version 2."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from textwrap import dedent
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces import tags
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    DIRECTIONS,
    HERE,
    Arguments,
    BaseActionSpace,
    Repair,
    Reply,
    ToolCall,
    from_json,
    notches,
)
from pytest_cuabench.agents.makers.chat.action_spaces.code import mended_calls
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Size
from pytest_cuabench.task.keys import canonical_key, parse_chord

_POINT, _START, _END = (
    ("point", "start_box", "start_point"),
    ("start_point", "start_box"),
    ("end_point", "end_box"),
)
_TWO_WORDS = re.compile(r"\b(page|caps|num|scroll|print) (up|down|lock|screen)\b", re.I)  # names of one key
_PAUSE = 5.0  # seconds of a wait without a number
_BUTTONS: Mapping[str, Button] = {"left": "left", "right": "right", "middle": "middle"}
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action | Repair]]


def _click(button: Button = "left", count: int = 1) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        where = call.point(space, *_POINT)
        call.end()
        yield act.Click(*where, button=button, count=count)

    return read


def _drag(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    path = (call.point(space, *_START), call.point(space, *_END))
    call.end()
    yield act.Drag(path)


def _hotkey(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    keys = call.text("key", "hotkey")
    call.end()
    yield act.Key(parse_chord("+".join(_TWO_WORDS.sub(r"\1_\2", keys).split())))


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("content")
    call.end()
    yield act.Type(text)


def _scroll(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    if call.has(*_END):  # the maker's parser scrolls at the first of two points
        call.take(*_END)
        yield Repair("second point of a scroll")
    where = call.point(space, *_POINT) if call.has(*_POINT) else None
    down, right = call.one_of(DIRECTIONS, "direction", ignore_case=True)
    call.end()
    yield from notches("scroll", down, right, where)


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    seconds = call.number("time", default=_PAUSE)
    call.end()
    yield act.Wait(float(seconds))


def _finished(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    content = call.text("content", default="").strip()
    call.end()
    yield act.Answer(content) if content else act.Terminate("success")


def _call_user(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    content = call.text("content", default="")
    call.end()
    yield act.CallUser(content)


def _move(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, *_POINT)
    call.end()
    yield act.Move(*where)


def _hold_key(kind: type[act.KeyDown] | type[act.KeyUp]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        key = call.text("key", "press")
        call.end()
        yield kind(canonical_key(key))

    return read


def _hold_button(kind: type[act.MouseDown] | type[act.MouseUp]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        x, y = call.point(space, *_POINT) if call.has(*_POINT) else HERE
        button: Button = call.one_of(_BUTTONS, "button", default="left")
        call.end()
        yield kind(x, y, button)

    return read


def _screenshot(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    call.end()
    yield act.Screenshot()


def _infeasible(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    content = call.text("content", default="")
    call.end()
    yield act.Terminate("infeasible", content)


_FIRST: Mapping[str, _Reader] = {  # what the maker's parser knows, in the prompt or not
    "click": _click(),
    "left_single": _click(),
    "left_double": _click(count=2),
    "right_single": _click("right"),
    "hover": _move,
    "drag": _drag,
    "select": _drag,
    "press": _hold_key(act.KeyDown),
    "keydown": _hold_key(act.KeyDown),
    "release": _hold_key(act.KeyUp),
    "keyup": _hold_key(act.KeyUp),
    "hotkey": _hotkey,
    "type": _type,
    "scroll": _scroll,
    "wait": _wait,
    "finished": _finished,
    "call_user": _call_user,
}
_SECOND: Mapping[str, _Reader] = {
    **_FIRST,
    "move_to": _move,
    "mouse_down": _hold_button(act.MouseDown),
    "mouse_up": _hold_button(act.MouseUp),
    "infeasible": _infeasible,
    "take_screenshot": _screenshot,
    "open_computer": _screenshot,
}

_ENDING = (
    "Answer each turn with a thought and one action, or several in order, one a line:\n"
    "Thought: a short plan, and the next step with the element it is for\n"
    "Action: one of\n"
    "click(point='<point>x y</point>')\n"
    "left_double(point='<point>x y</point>')\n"
    "right_single(point='<point>x y</point>')\n"
    "drag(start_point='<point>x y</point>', end_point='<point>x y</point>')\n"
    "hotkey(key='ctrl c')  # lower case, with spaces between keys\n"
    "type(content='...')  # escape quotes and backslashes as in Python; \\n at the end presses Enter\n"
    "scroll(point='<point>x y</point>', direction='down')  # down, up, right or left\n"
    "wait()  # five seconds\n"
    "finished(content='...')  # the answer where the task asks for one, and nothing else; empty otherwise\n"
    "{coordinates}"
)
_SIGN = re.compile(r"(?:<[|｜][\w▁ ]{1,40}[|｜]>|</s>|<eos>|\[EOS\])$", re.IGNORECASE)
_LONGEST_SIGN = 44
_EOS = "[EOS]"
_WIDE = "："  # the colon of Chinese texts
_SUFFIX = re.compile(r"_never_used_[0-9a-f]{1,64}(?=[=>])")  # of each tag in the newest prompts
_ACTION = re.compile(r"^[ \t]*Action[ \t]*[:：][ \t]*", re.MULTILINE)
_THOUGHT = re.compile(r"^\s*Thought[ \t]*[:：][ \t]*")


class UiTars(BaseActionSpace):
    """Version 1.5: a thought, then calls in Python syntax."""

    default = "uitars15"
    official = "ui-tars"
    asks_in_user = True
    hint = "Write Action: and a call such as click(point='<point>10 20</point>')"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply at the first `Action:`."""
        thought_text, *action_text = _ACTION.split(reply.text)
        if not action_text:
            return ("", reply.text) if "(" in reply.text else (reply.text, "")
        wide = _WIDE if any(_WIDE in found for found in _ACTION.findall(reply.text)) else ""
        return _THOUGHT.sub("", thought_text), wide + "\n".join(action_text)

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the calls."""
        if text.startswith(_WIDE):
            yield Repair("full-width colon")
        ended = _without_signs(text.removeprefix(_WIDE)).replace(_EOS, "")
        if ended != text.removeprefix(_WIDE):
            yield Repair("sign of the end")
        for call in mended_calls(dedent(ended).strip(), close=True):
            if isinstance(call, Repair):
                yield call
            elif call.name not in _FIRST:
                raise ActionError(f"unknown action {call.name}; known: {', '.join(_FIRST)}")
            else:
                yield from _FIRST[call.name](call.bind(), space)


def _without_signs(text: str) -> str:
    """Return a text without the signs by which models end a reply; one look at the end for each of them."""
    bare = text.rstrip()
    while sign := _SIGN.search(bare, max(0, len(bare) - _LONGEST_SIGN)):
        bare = text = bare[: sign.start()].rstrip()
    return text


class Mano(UiTars):
    """Mano: UI-TARS's calls, after a thought and a description of the action."""

    official = "mano"


_SECOND_ENDING = (
    "Act by calling functions, one or several a turn, in this form:\n"
    "<seed:tool_call><function=click><parameter=point><point>x y</point></parameter></function></seed:tool_call>\n"
    "Functions: click, left_double, right_single, move_to, mouse_down, mouse_up (point; button of the last two); drag "
    "(start_point, end_point); scroll (point, direction: up, down, left or right); type (content; a newline presses "
    "Enter); hotkey (key, such as ctrl c); press and release (key: to hold it down and to let it go); wait (time in "
    "seconds); take_screenshot; finished (content: the answer where the task asks for one, and nothing else; "
    "empty otherwise). {coordinates}"
)


class UiTars2(BaseActionSpace):
    """Version 2: functions between tags, or native calls."""

    default = "relative1000"
    official = "ui-tars-2"
    hint = "Call a function between <seed:tool_call> and </seed:tool_call>"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(
            briefing, _SECOND_ENDING.format(coordinates=self.coordinates.describe(image))
        )

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text around the calls, and the calls."""
        text = _SUFFIX.sub("", reply.text)
        return tags.outside("seed:tool_call", text), text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the functions, first those in the text."""
        for block in tags.inside("seed:tool_call", text):
            for name, arguments in tags.functions(block):
                yield from self._act(name, arguments, space)
        for call in calls:
            yield from self._act(call.name, from_json(call.arguments or "{}"), space)

    @staticmethod
    def _act(name: str, arguments: Any, space: CoordinateSpace) -> Iterator[Action | Repair]:
        if name not in _SECOND:
            raise ActionError(f"unknown function {name}; known: {', '.join(_SECOND)}")
        yield from _SECOND[name](Arguments(name, arguments), space)
