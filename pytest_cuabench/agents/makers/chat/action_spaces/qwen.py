"""Qwen-VL's `computer_use` function: JSON or XML between <tool_call> tags, or a native call."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.makers.chat.action_spaces import tags
from pytest_cuabench.agents.makers.chat.action_spaces.base import (
    HERE,
    SWIPES,
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
from pytest_cuabench.agents.makers.chat.action_spaces.pyautogui import dragged
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Size
from pytest_cuabench.task.keys import parse_chord

NOTCH = 100  # "pixels" per wheel notch, as in the function's description
_FUNCTION = "computer_use"
_STATUS: Mapping[str, act.Terminate] = {
    "success": act.Terminate("success"),
    "failure": act.Terminate("failure"),
}
_ENDS = {**_STATUS, "fail": _STATUS["failure"]}  # MAI-UI's word
_OTHER_ENDS = {"failed": "failure", "succeeded": "success", "successful": "success"}
_PAUSE = 2.0  # seconds of a wait without a number
_Reader = Callable[[Arguments, CoordinateSpace], Iterator[Action | Repair]]


def _click(button: Button = "left", count: int = 1) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        x, y = call.point(space, "coordinate") if call.has("coordinate") else HERE
        held = _held(call)
        call.end()
        yield from map(act.KeyDown, held)
        yield act.Click(x, y, button, count)
        yield from map(act.KeyUp, reversed(held))

    return read


def _held(call: Arguments) -> tuple[str, ...]:
    """Return the keys that Qwen3.5 writes as the text of a click or a scroll: they are held meanwhile."""
    return parse_chord(call.text("text")) if call.has("text") else ()


def _move(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "coordinate")
    call.end()
    yield act.Move(*where)


def _drag(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "coordinate")
    call.end()
    yield from dragged(where)


def _scroll(right: bool, notch: int = NOTCH) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
        turns = call.number("pixels") / notch
        where = call.point(space, "coordinate") if call.has("coordinate") else None
        held = _held(call)
        call.end()
        yield from map(act.KeyDown, held)
        yield from notches(call.call, 0 if right else -turns, turns if right else 0, where)
        yield from map(act.KeyUp, reversed(held))

    return read


def _key(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    keys = yield from _keys(call)
    call.end()
    yield act.Key(keys)


def _keys(call: Arguments) -> Generator[Repair, None, tuple[str, ...]]:
    """Return the keys of a call; makers' parsers take off what belongs to a list and stands in a key."""
    given = call.take("keys")
    if isinstance(given, list) and all(isinstance(key, str) for key in given):
        cleaned = [key.removeprefix("keys=").strip("[]'\" ") or key for key in given]
        if cleaned != given:
            yield Repair("brackets in a key")
        given = cleaned
    return Arguments(call.call, {"keys": given}).keys("keys")


def _type(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield act.Type(text)


def _type_unescaped(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    """Read EvoCUA's way to type: a backslash before a letter is read once more."""
    text = call.text("text")
    call.end()
    if _ESCAPE.search(text):
        yield Repair("escape in a text")
    yield act.Type(_ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), text))


def _hold(kind: type[act.KeyDown] | type[act.KeyUp]) -> _Reader:
    def read(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
        keys = yield from _keys(call)
        call.end()
        yield from map(kind, keys if kind is act.KeyDown else reversed(keys))

    return read


def _wait(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    if not call.has("time"):
        yield Repair("wait without a time")
    seconds = call.number("time", default=_PAUSE)
    call.end()
    yield act.Wait(float(seconds))


def _pause(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    call.end()
    yield act.Wait(_PAUSE)


def _answer(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text")
    call.end()
    yield act.Answer(text)


def _terminate(call: Arguments, space: CoordinateSpace) -> Iterator[Action | Repair]:
    if not call.has("status"):
        yield Repair("end without a status")
    status = call.text("status", default="success")
    if status in _OTHER_ENDS:
        yield Repair("another word for a status")
    end: act.Terminate = Arguments(call.call, {"status": _OTHER_ENDS.get(status, status)}).one_of(
        _ENDS, "status"
    )
    call.end()
    yield end


def _type_into(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read Fara's way to type: into a field, instead of what is there, and with Enter unless it says no."""
    text, enter = call.text("text", "text_value"), call.yes("press_enter", default=True)
    where = call.point(space, "coordinate") if call.has("coordinate") else None
    empty = call.yes("delete_existing_text", default=False)
    call.end()
    if where:
        yield act.Click(*where)
    if empty:
        yield act.Key(("ctrl", "a"))
    yield act.Type(f"{text}\n" if enter else text)


def _visit(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    url = call.text("url")
    call.end()
    yield act.Navigate(url)


def _search(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    raise ActionError("web_search: there is no search engine beside the pages; use those of the task")


def _back(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    call.end()
    yield act.Back()


def _memorize(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read a note of the model to itself, which stays in the conversation."""
    call.text("fact")
    call.end()
    yield act.Screenshot()


def _long_press(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    where = call.point(space, "coordinate")
    call.end()
    yield from (act.MouseDown(*where), act.Wait(_LONG), act.MouseUp(*where))


def _swipe(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    """Read a finger's swipe as the scroll that it is: the page follows the finger."""
    down, right = call.one_of(SWIPES, "direction")
    where = call.point(space, "coordinate") if call.has("coordinate") else None
    call.end()
    yield from notches("swipe", down, right, where)


def _drag_from(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    path = (call.point(space, "start_coordinate"), call.point(space, "end_coordinate"))
    call.end()
    yield act.Drag(path)


def _system_button(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    keys: tuple[str, ...] | None = call.one_of(_PHONE_BUTTONS, "button")
    call.end()
    if keys is None:
        raise ActionError("system_button: this is a computer; click what is on the screen")
    yield act.Key(keys)


def _open(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    raise ActionError("open: no app can be opened by its name; click what is on the screen")


def _ask_user(call: Arguments, space: CoordinateSpace) -> Iterator[Action]:
    text = call.text("text", default="")
    call.end()
    yield act.CallUser(text)


_ESCAPE = re.compile(r"""\\([nrt'"\\])""")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}
_LONG = 1.0  # seconds of a long press
_PHONE_BUTTONS: Mapping[str, tuple[str, ...] | None] = {
    "enter": ("enter",), "back": ("alt", "left"), "home": None, "menu": None,
}  # fmt: skip
_KNOWN: Mapping[str, _Reader] = {
    "key": _key,
    "key_down": _hold(act.KeyDown),
    "key_up": _hold(act.KeyUp),
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
    also: ClassVar[Mapping[str, str]] = {"click": "left_click"}  # other names of known actions
    function = _FUNCTION
    picture = Limit(pixels=13_107_200, tile=32, least=3136)  # 12,800 patches of 32 x 32

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
        blocks = [block for block in tags.inside("tool_call", text, closed=False) if block.strip()]
        if len(blocks) > text.count("</tool_call>"):
            yield Repair("unclosed tag")
        if not blocks and not calls and (blocks := _untagged(text)):
            yield Repair("call without tags")
        for block in blocks:
            for call in _calls(block, self.function):
                yield from [call] if isinstance(call, Repair) else self._act(*call, space)
        for native in calls:
            yield from self._act(native.name, from_json(native.arguments), space)

    def _act(self, name: str, arguments: Any, space: CoordinateSpace) -> Iterator[Action | Repair]:
        if name != self.function:
            raise ActionError(f"unknown function {formatted(name)}; known: {self.function}")
        known = {**dict(zip(self.known, self.known, strict=True)), **self.also}
        action = Arguments(self.function, arguments).one_of(known, "action")
        given = {key: value for key, value in arguments.items() if key != "action"}
        yield from _mended_points(given)
        yield from self.known[action](Arguments(action, given), space)


class Qwen25(Qwen):
    """Qwen2.5-VL: pixels of an image whose sides are multiples of 28."""

    default = "qwen25"
    official = "qwen2.5-vl"


class EvoCua(Qwen):
    """EvoCUA with function calls: coordinates from 0 to 999, and keys that are held."""

    default = "relative999"
    official = "evocua"
    known: ClassVar[Mapping[str, _Reader]] = {
        **_KNOWN,
        "type": _type_unescaped,
        "scroll": _scroll(right=False, notch=1),
        "hscroll": _scroll(right=False, notch=1),  # so says the prompt
    }


class Fara(Qwen25):
    """Fara-7B: Qwen2.5-VL's function without some of the mouse, and with a browser's own actions.

    It answers in the text before the call that terminates.
    """

    official = "fara"
    also: ClassVar[Mapping[str, str]] = {
        "click": "left_click", "hover": "mouse_move", "input_text": "type", "keypress": "key", "sleep": "wait",
        "stop": "terminate",
    }  # fmt: skip
    known: ClassVar[Mapping[str, _Reader]] = {
        **{name: _KNOWN[name] for name in ("key", "mouse_move", "left_click", "scroll", "wait", "answer")},
        "type": _type_into,
        "visit_url": _visit,
        "web_search": _search,
        "history_back": _back,
        "pause_and_memorize_fact": _memorize,
        "terminate": _terminate,
    }

    def read(self, reply: Reply, space: CoordinateSpace) -> Decision:
        """Parse a reply; what it says before it terminates with success is the answer."""
        reading = super().read(reply, space)
        if reading.actions[-1:] != (_STATUS["success"],) or not reading.thought:
            return reading
        return replace(reading, actions=(*reading.actions[:-1], act.Answer(reading.thought)))


class MaiUi(Qwen):
    """MAI-UI: `mobile_use`, a function for phones, with coordinates from 0 to 999."""

    default = "relative999"
    official = "mai-ui"
    function = "mobile_use"
    hint = 'Write <tool_call>{"name": "mobile_use", "arguments": {"action": ...}}</tool_call>'
    also: ClassVar[Mapping[str, str]] = {}
    known: ClassVar[Mapping[str, _Reader]] = {
        "click": _click(),
        "long_press": _long_press,
        "double_click": _click(count=2),
        "type": _type,
        "swipe": _swipe,
        "open": _open,
        "drag": _drag_from,
        "system_button": _system_button,
        "wait": _pause,
        "terminate": _terminate,
        "answer": _answer,
        "ask_user": _ask_user,
    }

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""
        where = self.coordinates.describe(image)
        return prompts.instructions(briefing, _MOBILE.format(coordinates=where))

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return no functions; the model was trained with those in the text."""
        return []


_MOBILE = (
    "Answer each turn with your thoughts between <thinking> and </thinking> and one call:\n"
    '<tool_call>\n{{"name": "mobile_use", "arguments": {{"action": "click", "coordinate": [x, y]}}}}\n</tool_call>\n'
    "Actions: click, double_click, long_press (coordinate); type (text); swipe (direction: up, down, left or right; "
    "coordinate); drag (start_coordinate, end_coordinate); system_button (button: enter or back); wait; "
    "terminate (status: success or fail); answer (text), where the task asks for an answer. {coordinates}"
)


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


def _mended_points(given: dict[str, Any]) -> Iterator[Repair]:
    """Write points as pairs that are objects of x and y, or stand as x and y beside the others."""
    for name in ("coordinate", "start_coordinate", "end_coordinate"):
        value = given.get(name)
        if isinstance(value, Mapping) and set(value) == {"x", "y"}:
            given[name] = [value["x"], value["y"]]
            yield Repair("point as an object")
    if "coordinate" not in given and {"x", "y"} <= given.keys():
        given["coordinate"] = [given.pop("x"), given.pop("y")]
        yield Repair("x and y instead of a point")


def _calls(block: str, function: str) -> Iterator[tuple[str, Any] | Repair]:
    """Yield names and arguments of a block, JSON or XML; JSON may be written as Python does."""
    if block.lstrip().startswith("<function"):
        yield from tags.functions(block)
        return
    whole, kinds, data = _mended_json(block)
    yield from map(Repair, kinds)
    if not whole:
        data = _as_python(block)
        yield Repair("Python instead of JSON")
    if _is_call(data) and "name" not in data:  # there is one function only
        data = {"name": function, "arguments": data["arguments"] if set(data) == {"arguments"} else data}
        yield Repair("call without a name")
    call = Arguments("tool_call", data)
    name, arguments = call.text("name"), call.take("arguments")
    call.end()
    yield name, from_json(arguments) if isinstance(arguments, str) else arguments


def _is_call(data: Any) -> bool:
    return isinstance(data, dict) and bool({"arguments", "action"} & data.keys())


def _mended_json(block: str) -> tuple[bool, list[str], Any]:
    """Return whether a block is JSON, perhaps with something wrong at its end; the kinds of repairs; and its value."""
    text = block.strip()
    for missing in ("", "}", "}}"):
        try:
            value, end = json.JSONDecoder(strict=False).raw_decode(text + missing)
        except (ValueError, RecursionError):
            continue
        if missing and not _is_call(value):
            continue
        rest = (text + missing)[end:].strip()
        garbled = _GARBLED.search(rest)
        braces = rest[: garbled.start()] if garbled else rest
        if braces.strip("} \n\t"):
            return False, [], None
        told = (("unclosed bracket", missing), ("bracket too many", braces.strip()), ("garbled tag", garbled))
        return True, [kind for kind, found in told if found], value
    return False, [], None


_GARBLED = re.compile(r"</?\s*\|?[\w.\- ]{0,20}\|?>?\s*$")  # a misspelt end tag, or the beginning of one


def _as_python(block: str) -> Any:
    """Return the literal that a block is as Python.

    Raises:
        ActionError: It is not Python; the message is about JSON.
    """
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return ast.literal_eval(block.strip())
    return from_json(block)
