"""OSWorld's computer_13: one JSON object an action, such as {"action_type": "CLICK", "x": 10, "y": 20}."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    HERE,
    Arguments,
    BaseActionSpace,
    Reply,
    ToolCall,
    fenced,
    formatted,
    from_json,
    notches,
)
from pytest_cuabench.agents.makers.chat.action_spaces.pyautogui import dragged
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point, Size
from pytest_cuabench.task.keys import canonical_key

_BUTTONS: Mapping[str, Button] = {"left": "left", "middle": "middle", "right": "right"}
_PAUSE = 2.0  # seconds
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action]]


def _where(call: Arguments, space: CoordinateSpace) -> Point:
    return space.to_screen(call.number("x"), call.number("y"))


def _if_given(call: Arguments, space: CoordinateSpace) -> Point | tuple[None, None]:
    return _where(call, space) if call.has("x") or call.has("y") else HERE


def _move(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = _where(call, space)
    call.end()
    yield act.Move(*where)


def _click(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    x, y = _if_given(call, space)
    button, count = call.one_of(_BUTTONS, "button", default="left"), call.whole("num_clicks", default=1)
    call.end()
    yield act.Click(x, y, button, count)


def _fixed_click(button: Button, count: int) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        x, y = _if_given(call, space)
        call.end()
        yield act.Click(x, y, button, count)

    return read


def _press_button(kind: type[act.MouseDown] | type[act.MouseUp]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        button: Button = call.one_of(_BUTTONS, "button", default="left")
        call.end()
        yield kind(button=button)

    return read


def _drag(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = _where(call, space)
    call.end()
    yield from dragged(where)


def _scroll(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    right, up = call.number("dx", default=0), call.number("dy", default=0)
    call.end()
    yield from notches("SCROLL", -up, right, None)


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield act.Type(text)


def _one_key(kind: Callable[[str], Action]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        key = canonical_key(call.text("key"))
        call.end()
        yield kind(key)

    return read


def _hotkey(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    keys = call.keys("keys")
    call.end()
    yield act.Key(keys)


def _plain(action: Action) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        call.end()
        yield action

    return read


def _answer(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield act.Answer(text)


_KNOWN: Mapping[str, _Reader] = {
    "MOVE_TO": _move,
    "CLICK": _click,
    "MOUSE_DOWN": _press_button(act.MouseDown),
    "MOUSE_UP": _press_button(act.MouseUp),
    "RIGHT_CLICK": _fixed_click("right", 1),
    "DOUBLE_CLICK": _fixed_click("left", 2),
    "DRAG_TO": _drag,
    "SCROLL": _scroll,
    "TYPING": _type,
    "PRESS": _one_key(lambda key: act.Key((key,))),
    "KEY_DOWN": _one_key(act.KeyDown),
    "KEY_UP": _one_key(act.KeyUp),
    "HOTKEY": _hotkey,
    "WAIT": _plain(act.Wait(_PAUSE)),
    "FAIL": _plain(act.Terminate("infeasible")),
    "DONE": _plain(act.Terminate("success")),
    "ANSWER": _answer,
}
_ENDING = (
    "Say in a few words what you see and what comes next; then give the next action, or a list, as JSON between "
    'fences:\n```json\n{{"action_type": "CLICK", "x": 10, "y": 20, "button": "left", "num_clicks": 1}}\n```\n'
    "action_type is one of: MOVE_TO (x, y); CLICK (x, y, button, num_clicks; each may be left out); RIGHT_CLICK and "
    "DOUBLE_CLICK (x, y); MOUSE_DOWN and MOUSE_UP (button); DRAG_TO (x, y) from where the pointer is; SCROLL (dx, dy "
    "in notches; dy above 0 is up, dx above 0 is right); TYPING (text); PRESS, KEY_DOWN, KEY_UP (key); HOTKEY (keys, a "
    "list); WAIT; DONE when the task is finished; FAIL when it cannot be done at all; ANSWER (text) where the task "
    "asks for an answer: it ends the task, too. {coordinates}"
)


class Computer13(BaseActionSpace):
    """JSON objects between fences; a reply without fences is one object from its first brace on."""

    hint = 'Write JSON such as {"action_type": "CLICK", "x": 10, "y": 20} between ```json and ```'

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        return prompts.instructions(briefing, _ENDING.format(coordinates=self.coordinates.describe(image)))

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text before the JSON, and the JSON."""
        return before_json(reply.text), reply.text

    def actions(self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace) -> Iterator[Action]:
        """Yield the actions of all blocks."""
        if text.strip() in {"WAIT", "FAIL", "DONE"}:
            text = json.dumps(text.strip())
        for value in json_values(text):
            for entry in value if isinstance(value, list) else [value]:
                yield from _act({"action_type": entry} if isinstance(entry, str) else entry, space)


def _act(entry: Any, space: CoordinateSpace) -> Iterator[Action]:
    call = Arguments("action", entry)
    kind = call.one_of(dict(zip(_KNOWN, _KNOWN, strict=True)), "action_type", "action")
    given = {key: value for key, value in entry.items() if key not in ("action_type", "action")}
    if "parameters" in given:
        nested = given.pop("parameters")
        if given or not isinstance(nested, dict):
            raise ActionError(
                f"{kind}: parameters is {formatted(nested)}, but must be the object of all arguments"
            )
        given = nested
    yield from _KNOWN[kind](Arguments(kind, given), space)


def before_json(text: str) -> str:
    """Return the text around the JSON of a reply."""
    if "```" in text:
        return fenced(text)[0]
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    return text[: min(starts)] if starts else ""


def json_values(text: str) -> Iterator[Any]:
    """Yield the JSON of each block, or of a reply without blocks.

    Raises:
        ActionError: A block is not JSON, or not closed.
    """
    if "```" not in text:
        inner = text[len(before_json(text)) :].strip()
        if inner:
            yield from_json(inner)
        return
    _, blocks, unclosed = fenced(text)
    for block in blocks[:-1] if unclosed else blocks:
        yield json.loads(f'"{block}"') if block in {"WAIT", "FAIL", "DONE"} else from_json(block)
    if unclosed:
        raise ActionError("a block is not closed by ```")
