"""BrowserGym's calls: mouse and keyboard by coordinates, elements by the number of their mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    Arguments,
    BaseActionSpace,
    Reply,
    ToolCall,
    fenced,
    notches,
)
from pytest_cuabench.agents.makers.chat.action_spaces.code import Call
from pytest_cuabench.agents.makers.chat.action_spaces.code import calls as code_calls
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point, Size
from pytest_cuabench.task.keys import canonical_key, parse_chord

NOTCH = 100  # pixels of delta_y per wheel notch
_BUTTONS: Mapping[str, Button] = {"left": "left", "middle": "middle", "right": "right"}
_Reader = Callable[[Call, CoordinateSpace], Iterator[Action]]


def _place(call: Arguments, space: CoordinateSpace, x: str = "x", y: str = "y") -> Point:
    return space.to_screen(call.number(x), call.number(y))


def _mouse(kind: Callable[[Point, Button], Action]) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind("x", "y", "button")
        where, button = _place(given, space), given.one_of(_BUTTONS, "button", default="left")
        given.end()
        yield kind(where, button)

    return read


def _move(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("x", "y")
    where = _place(given, space)
    given.end()
    yield act.Move(*where)


def _drag(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("from_x", "from_y", "to_x", "to_y")
    path = (_place(given, space, "from_x", "from_y"), _place(given, space, "to_x", "to_y"))
    given.end()
    yield act.Drag(path)


def _scroll(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("delta_x", "delta_y")
    right, down = given.number("delta_x"), given.number("delta_y")
    given.end()
    yield from notches("scroll", down / NOTCH, right / NOTCH, None)


def _with_text(name: str, kind: Callable[[str], Action], default: str | None = None) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind(name)
        text = given.text(name) if default is None else given.text(name, default=default)
        given.end()
        yield kind(text)

    return read


def _plain(action: Action) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        call.bind().end()
        yield action

    return read


def _noop(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("wait_ms")
    milliseconds = given.number("wait_ms", default=1000)
    given.end()
    yield act.Wait(milliseconds / 1000)


def _focus_tab(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("index")
    index = given.whole("index")
    given.end()
    yield act.SwitchTab(index)


def _click_mark(count: int) -> _Reader:
    def read(call: Call, space: CoordinateSpace) -> Iterator[Action]:
        given = call.bind("bid", "button")
        mark, button = given.whole("bid"), given.one_of(_BUTTONS, "button", default="left")
        given.end()
        yield act.ClickElement(mark, button, count)

    return read


def _fill(call: Call, space: CoordinateSpace) -> Iterator[Action]:
    given = call.bind("bid", "value")
    mark, text = given.whole("bid"), given.text("value")
    given.end()
    yield act.FillElement(mark, text)


_KNOWN: Mapping[str, _Reader] = {
    "noop": _noop,
    "mouse_click": _mouse(lambda where, button: act.Click(*where, button=button)),
    "mouse_dblclick": _mouse(lambda where, button: act.Click(*where, button=button, count=2)),
    "mouse_down": _mouse(lambda where, button: act.MouseDown(*where, button=button)),
    "mouse_up": _mouse(lambda where, button: act.MouseUp(*where, button=button)),
    "mouse_move": _move,
    "mouse_drag_and_drop": _drag,
    "scroll": _scroll,
    "keyboard_type": _with_text("text", act.Type),
    "keyboard_insert_text": _with_text("text", act.Type),
    "keyboard_press": _with_text("key", lambda key: act.Key(parse_chord(key))),
    "keyboard_down": _with_text("key", lambda key: act.KeyDown(canonical_key(key))),
    "keyboard_up": _with_text("key", lambda key: act.KeyUp(canonical_key(key))),
    "click": _click_mark(1),
    "dblclick": _click_mark(2),
    "fill": _fill,
    "goto": _with_text("url", act.Navigate),
    "go_back": _plain(act.Back()),
    "go_forward": _plain(act.Forward()),
    "tab_focus": _focus_tab,
    "tab_close": _plain(act.CloseTab()),
    "send_msg_to_user": _with_text("text", act.Answer),
    "report_infeasible": _with_text("reason", lambda reason: act.Terminate("infeasible", reason), default=""),
    "done": _plain(act.Terminate("success")),
}
_ENDING = (
    "Say in a few words what you see and what comes next; then give the calls, one a line, in a block between ``` "
    "fences. Calls: {calls}. {coordinates}\nEnd with done(); with send_msg_to_user('...') where the task asks for an "
    "answer: give the answer and nothing else; with report_infeasible('why') where the task cannot be done at all."
)
_POINTER = (
    "mouse_click(x, y, button='left'), mouse_dblclick(x, y), mouse_move(x, y), mouse_down(x, y), mouse_up(x, y), "
    "mouse_drag_and_drop(from_x, from_y, to_x, to_y), scroll(delta_x, delta_y) in pixels with positive delta_y showing "
    f"what is further down ({NOTCH} a notch)"
)
_KEYBOARD = "keyboard_type('text'), keyboard_press('Control+a'), keyboard_down('Shift'), keyboard_up('Shift')"
_ELEMENTS = "click('7') and dblclick('7') by the number of a box, fill('7', 'text')"
_BROWSER = "goto('address'), go_back(), go_forward(), tab_focus(0), tab_close()"
_ACTION = re.compile(r"<action>(.*?)</action>", re.DOTALL)


class BrowserGym(BaseActionSpace):
    """Calls in fenced blocks, between <action> tags, or as the whole reply."""

    hint = "Write calls such as mouse_click(10, 20) in a block between ``` fences"

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions, with the calls that this environment can carry out."""
        groups = {"pointer": _POINTER, "keyboard": _KEYBOARD, "browser": _BROWSER}
        listed = [words for group, words in groups.items() if group in briefing.capabilities]
        if briefing.observation == "marks":
            listed.append(_ELEMENTS)
        description = self.coordinates.describe(image)
        return prompts.instructions(
            briefing, _ENDING.format(calls="; ".join([*listed, "noop(1000)"]), coordinates=description)
        )

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text around the calls, and the calls."""
        if "```" in reply.text:
            return fenced(reply.text)[0], reply.text
        return (_ACTION.sub("", reply.text) if _ACTION.search(reply.text) else ""), reply.text

    def actions(self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace) -> Iterator[Action]:
        """Yield the actions of all blocks."""
        unclosed = False
        if "```" in text:
            _, blocks, unclosed = fenced(text)
        else:
            blocks = _ACTION.findall(text) or [text]
        for block in blocks[:-1] if unclosed else blocks:
            for call in code_calls(block.strip()):
                if call.name not in _KNOWN:
                    raise ActionError(f"unknown call {call.name}; known: {', '.join(_KNOWN)}")
                yield from _KNOWN[call.name](call, space)
        if unclosed:
            raise ActionError("a block is not closed by ```")
