"""Qwen-VL's `computer_use` function: JSON or XML between <tool_call> tags, or a native call."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from pytest_cuabench.agents.action_spaces import tags
from pytest_cuabench.agents.action_spaces.base import (
    HERE,
    Arguments,
    BaseActionSpace,
    Coordinates,
    Repair,
    Reply,
    ToolCall,
    fenced,
    formatted,
    from_json,
    notches,
)
from pytest_cuabench.agents.action_spaces.pyautogui import dragged
from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.model import Reading
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import (
    Action,
    Answer,
    Back,
    Button,
    Click,
    CoordinateSpace,
    Key,
    KeyDown,
    KeyUp,
    Move,
    Navigate,
    Screenshot,
    Size,
    Terminate,
    Type,
    Wait,
)

NOTCH = 100  # "pixels" per wheel notch, as in the function's description
_FUNCTION = "computer_use"
_STATUS: Mapping[str, Terminate] = {"success": Terminate("success"), "failure": Terminate("failure")}
_PAUSE = 2.0  # seconds of a wait without a number
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action | Repair]]


def _click(button: Button = "left", count: int = 1) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        x, y = call.point(space, "coordinate") if call.has("coordinate") else HERE
        call.end()
        yield Click(x, y, button, count)

    return read


def _move(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "coordinate")
    call.end()
    yield Move(*where)


def _drag(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "coordinate")
    call.end()
    yield from dragged(where)


def _scroll(right: bool) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        turns = call.number("pixels") / NOTCH
        where = call.point(space, "coordinate") if call.has("coordinate") else None
        call.end()
        yield from notches(call.call, 0 if right else -turns, turns if right else 0, where)

    return read


def _key(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    keys = call.keys("keys")
    call.end()
    yield Key(keys)


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield Type(text)


def _hold(kind: type[KeyDown] | type[KeyUp]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        keys = call.keys("keys")
        call.end()
        yield from map(kind, keys if kind is KeyDown else reversed(keys))

    return read


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    if not call.has("time"):
        yield Repair("wait without a time")
    seconds = call.number("time", default=_PAUSE)
    call.end()
    yield Wait(float(seconds))


def _answer(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield Answer(text)


def _terminate(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    if not call.has("status"):
        yield Repair("end without a status")
    end: Terminate = call.one_of(_STATUS, "status", default="success")
    call.end()
    yield end


def _type_into(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read Fara's way to type: into a field, instead of what is there, and with Enter."""
    text, enter = call.text("text"), call.yes("press_enter", default=False)
    where = call.point(space, "coordinate") if call.has("coordinate") else None
    empty = call.yes("delete_existing_text", default=False)
    call.end()
    if where:
        yield Click(*where)
    if empty:
        yield Key(("ctrl", "a"))
    yield Type(f"{text}\n" if enter else text)


def _visit(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    url = call.text("url")
    call.end()
    yield Navigate(url)


def _search(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    raise ActionError("web_search: there is no search engine beside the pages; use those of the task")


def _back(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    call.end()
    yield Back()


def _memorize(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read a note of the model to itself, which stays in the conversation."""
    call.text("fact")
    call.end()
    yield Screenshot()


_KNOWN: Mapping[str, _Reader] = {
    "key": _key,
    "key_down": _hold(KeyDown),
    "key_up": _hold(KeyUp),
    "type": _type,
    "mouse_move": _move,
    "left_click": _click(),
    "left_click_drag": _drag,
    "right_click": _click("right"),
    "middle_click": _click("middle"),
    "double_click": _click(count=2),
    "triple_click": _click(count=3),
    "scroll": _scroll(right=False),
    "hscroll": _scroll(right=True),
    "wait": _wait,
    "terminate": _terminate,
    "answer": _answer,
}
_PARAMETERS = {
    "keys": {"type": "array", "items": {"type": "string"}, "description": "For key: pressed together."},
    "text": {"type": "string", "description": "For type and answer."},
    "coordinate": {"type": "array", "items": {"type": "number"}, "description": "(x, y), for the mouse."},
    "pixels": {
        "type": "number",
        "description": f"For scroll (positive is up) and hscroll (positive is right); a notch is {NOTCH}.",
    },
    "time": {"type": "number", "description": "Seconds, for wait."},
    "status": {"type": "string", "enum": list(_STATUS), "description": "For terminate."},
}
_DESCRIPTION = (
    "Operate mouse and keyboard. left_click_drag drags from where the pointer is to the coordinate; terminate ends the "
    "task; answer gives the answer where the task asks for one, and ends it, too. {coordinates}"
)
_ENDING = (
    "Say briefly what you see and what comes next, then call the function, once or several times in order. When the "
    "task is finished, call it with the action terminate, or with answer where the task asks for one."
)
_FORM = (
    "\n# Tools\nFunctions, each as JSON:\n<tools>\n{tools}\n</tools>\n"
    "Write each call as JSON with name and arguments, between tags:\n"
    '<tool_call>\n{{"name": "computer_use", "arguments": {{"action": "left_click", "coordinate": [x, y]}}}}\n'
    "</tool_call>"
)


class Qwen(BaseActionSpace):
    """Qwen3-VL and Qwen3.5: coordinates from 0 to 1000 for any image size."""

    default = "relative1000"
    official = "qwen3-vl"
    known: ClassVar[Mapping[str, _Reader]] = _KNOWN
    picture = Limit(pixels=12_845_056, tile=32, least=3136)
    hint = 'Write <tool_call>{"name": "computer_use", "arguments": {"action": ...}}</tool_call>'

    @property
    def limit(self) -> Limit:
        """The largest image that the model does not scale down, unless the coordinates have a limit."""
        return self.picture if self.coordinates.limit == Limit() else self.coordinates.limit

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions, including the function unless it is sent natively."""
        if native:
            return prompts.instructions(briefing, _ENDING)
        listed = "\n".join(json.dumps(tool) for tool in self.tools(briefing, image))
        return prompts.instructions(briefing, _ENDING + _FORM.format(tools=listed))

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return the function."""
        return [_function(self.coordinates, image)]

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into the text around the calls, and the calls."""
        return tags.outside("tool_call", reply.text), reply.text

    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of the calls, first those in the text."""
        blocks = list(tags.inside("tool_call", text, closed=False))
        if len(blocks) > text.count("</tool_call>"):
            yield Repair("unclosed tag")
        if not blocks and not calls and (blocks := _untagged(text)):
            yield Repair("call without tags")
        for block in blocks:
            for call in _calls(block):
                yield from [call] if isinstance(call, Repair) else self._act(*call, space)
        for native in calls:
            yield from self._act(native.name, from_json(native.arguments), space)

    def _act(self, name: str, arguments: Any, space: CoordinateSpace) -> Iterator[Action | Repair]:
        if name != _FUNCTION:
            raise ActionError(f"unknown function {formatted(name)}; known: {_FUNCTION}")
        known = dict(zip(self.known, self.known, strict=True)) | {"click": "left_click"}
        action = Arguments(_FUNCTION, arguments).one_of(known, "action")
        given = {key: value for key, value in arguments.items() if key != "action"}
        yield from self.known[action](Arguments(action, given), space)


class Qwen25(Qwen):
    """Qwen2.5-VL: pixels of an image whose sides are multiples of 28."""

    default = "qwen25"
    official = "qwen2.5-vl"


class EvoCua(Qwen):
    """EvoCUA with function calls: coordinates from 0 to 999, and keys that are held."""

    default = "relative999"
    official = "evocua"


class Fara(Qwen25):
    """Fara-7B: Qwen2.5-VL's function without some of the mouse, and with a browser's own actions.

    It answers in the text before the call that terminates.
    """

    official = "fara"
    known: ClassVar[Mapping[str, _Reader]] = {
        **{name: _KNOWN[name] for name in ("key", "mouse_move", "left_click", "scroll", "wait", "answer")},
        "type": _type_into,
        "visit_url": _visit,
        "web_search": _search,
        "history_back": _back,
        "pause_and_memorize_fact": _memorize,
        "terminate": _terminate,
    }

    def read(self, reply: Reply, space: CoordinateSpace) -> Reading:
        """Parse a reply; what it says before it terminates with success is the answer."""
        reading = super().read(reply, space)
        if reading.actions[-1:] != (_STATUS["success"],) or not reading.thought:
            return reading
        return replace(reading, actions=(*reading.actions[:-1], Answer(reading.thought)))


def _function(coordinates: Coordinates, image: Size) -> dict[str, Any]:
    action = {"type": "string", "enum": list(_KNOWN)}
    schema = {"type": "object", "properties": {"action": action, **_PARAMETERS}, "required": ["action"]}
    description = _DESCRIPTION.format(coordinates=coordinates.describe(image))
    return {
        "type": "function",
        "function": {"name": _FUNCTION, "description": description, "parameters": schema},
    }


def _untagged(text: str) -> list[str]:
    """Return the calls that stand in a fence or on lines of their own, without tags."""
    lines = [line.strip() for line in text.splitlines()]
    found = [*fenced(text)[1], *(line for line in lines if line.startswith("{") and line.endswith("}"))]
    return list(dict.fromkeys(one for one in found if '"arguments"' in one))


def _calls(block: str) -> Iterator[tuple[str, Any] | Repair]:
    """Yield names and arguments of a block, JSON or XML; JSON may be written as Python does."""
    if block.lstrip().startswith("<function"):
        yield from tags.functions(block)
        return
    try:
        data = from_json(block)
    except ActionError:
        data = _as_python(block)
        yield Repair("Python instead of JSON")
    call = Arguments("tool_call", data)
    name, arguments = call.text("name"), call.take("arguments")
    call.end()
    yield name, from_json(arguments) if isinstance(arguments, str) else arguments


def _as_python(block: str) -> Any:
    """Return the literal that a block is as Python.

    Raises:
        ActionError: It is none; the sentence is that of JSON.
    """
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return ast.literal_eval(block.strip())
    return from_json(block)
