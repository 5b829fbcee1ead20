"""Claude's calls of tools, read strictly into canonical actions; what does not fit is an `ActionError`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.agents.makers.anthropic.models import Tool
from pytest_cuabench.agents.models.extras import Extra
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point
from pytest_cuabench.task.keys import parse_chords

COMPUTER = "computer"  # name of the old tools, and of the set


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, as the model wrote it.

    Attributes:
        toolset: The set that the tool belongs to; the result must name it again.
    """

    id: str
    name: str
    arguments: Mapping[str, Any]
    toolset: str | None = None

    @classmethod
    def of(cls, block: Mapping[str, Any]) -> Call:
        """Return the call that a `tool_use` block holds.

        Raises:
            ActionError: It is no call that could be answered.
        """
        match block:
            case {"id": str(identifier), "name": str(name), "input": dict(arguments)}:
                toolset = block.get("toolset_name")
                return cls(identifier, name, arguments, toolset if isinstance(toolset, str) else None)
        raise ActionError("a tool call lacks its id, its name or its input")


class Reader:
    """Reads the calls that one tool and the extras allow."""

    def __init__(self, tool: Tool, extras: Mapping[str, Extra], space: CoordinateSpace) -> None:
        self._tool = tool
        self._space = space
        self._extras = extras

    def read(self, call: Call) -> Action:
        """Return the action that a call means.

        Raises:
            ActionError: It means none; the sentence is told to the model.
        """
        if call.toolset is None and call.name == FINISH["name"]:
            return _finish(_Arguments("finish", call.arguments, self._space))
        if call.toolset is None and call.name in self._extras:
            return self._extras[call.name].read(call.arguments)
        if self._tool.is_set and call.toolset == COMPUTER:
            return self._act(call.name, call.arguments)
        if not self._tool.is_set and (call.toolset, call.name) == (None, COMPUTER):
            rest = dict(call.arguments)
            return self._act(rest.pop("action", None), rest)
        raise ActionError(f"there is no tool {call.name!r}; the tools are {COMPUTER} and {self._own_tools()}")

    def _act(self, name: object, given: Mapping[str, Any]) -> Action:
        meaning = _ACTIONS.get(name) if isinstance(name, str) else None
        if meaning is None or (name == "zoom" and not self._tool.zooms):
            raise ActionError(f"unknown action {name!r}; known: {', '.join(self._known())}")
        arguments = _Arguments(str(name), given, self._space)
        action = meaning(arguments)
        arguments.finish()
        return action

    def _known(self) -> Iterable[str]:
        return sorted(name for name in _ACTIONS if self._tool.zooms or name != "zoom")

    def _own_tools(self) -> str:
        return ", ".join(sorted({FINISH["name"], *self._extras}))


class _Arguments:
    """The arguments of one call: each is taken once, and at the end none may be left."""

    def __init__(self, name: str, given: Mapping[str, Any], space: CoordinateSpace) -> None:
        self._name = name
        self._left = {key: value for key, value in given.items() if value is not None}
        self._space = space

    def take(self, name: str) -> Any:
        if name not in self._left:
            raise ActionError(f"{self._name}: missing argument {name}")
        return self._left.pop(name)

    def maybe(self, name: str, default: Any = None) -> Any:
        return self._left.pop(name, default)

    def finish(self) -> None:
        if self._left:
            raise ActionError(f"{self._name}: unknown argument {', '.join(sorted(self._left))}")

    def point(self, name: str) -> Point:
        return self._space.to_screen(*self._numbers(name, 2))

    def point_or_pointer(self) -> tuple[int, int] | tuple[None, None]:
        return self.point("coordinate") if "coordinate" in self._left else (None, None)

    def region(self) -> tuple[int, int, int, int]:
        """Return the screen's pixels that the region touches; its numbers are edges."""
        numbers = self._numbers("region", 4)
        for x, y in (numbers[:2], numbers[2:]):
            self._space.to_screen(*map(float, (x, y)))  # refuses what lies outside
        width, height = (
            pixels / span for pixels, span in zip(self._space.screen, self._space.span, strict=True)
        )
        left, top, right, bottom = numbers
        return (
            math.floor(left * width),
            math.floor(top * height),
            math.ceil(right * width),
            math.ceil(bottom * height),
        )

    def chords(self) -> tuple[tuple[str, ...], ...]:
        text = self.take("text")
        if not isinstance(text, str):
            raise ActionError(f"{self._name}: text is {text!r}, but must be a key or keys joined by '+'")
        return parse_chords(text)

    def chord(self) -> tuple[str, ...]:
        chord, *others = self.chords()
        if others:
            raise ActionError(f"{self._name}: join keys that are pressed together with '+'")
        return chord

    def modifiers(self) -> tuple[str, ...]:
        if self._left.get("text") == "":
            self._left.pop("text")
        return self.chord() if "text" in self._left else ()

    def _numbers(self, name: str, count: int) -> list[float]:
        numbers = self.take(name)
        if not isinstance(numbers, list) or len(numbers) != count or not all(map(_is_number, numbers)):
            raise ActionError(f"{self._name}: {name} is {numbers!r}, but must be a list of {count} numbers")
        return numbers


def _is_number(value: object) -> bool:
    """Whether a value is a number that a place could have; false for NaN and for what no float can hold."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -1e9 < value < 1e9


def _click(button: Button, count: int = 1) -> Callable[[_Arguments], Action]:
    def click(given: _Arguments) -> Action:
        x, y = given.point_or_pointer()
        return act.Click(x, y, button, count, given.modifiers())

    return click


_DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def _scroll(given: _Arguments) -> Action:
    direction, amount = given.take("scroll_direction"), given.take("scroll_amount")
    if not isinstance(direction, str) or direction not in _DIRECTIONS:
        raise ActionError(f"scroll: scroll_direction is {direction!r}, but must be up, down, left or right")
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise ActionError(f"scroll: scroll_amount is {amount!r}, but must be a whole number of wheel clicks")
    dx, dy = (step * amount for step in _DIRECTIONS[direction])
    x, y = given.point_or_pointer()
    return act.Scroll(x, y, dx, dy, given.modifiers())


def _drag(given: _Arguments) -> Action:
    path = (given.point("start_coordinate"), given.point("coordinate"))
    return act.Drag(path, modifiers=given.modifiers())


def _key(given: _Arguments) -> Action:
    """Read keys pressed together, or the same ones several times in sequence: `Tab Tab Tab`."""
    chord, *others = chords = given.chords()
    if any(other != chord for other in others):
        raise ActionError("key: write different keys as one call each, and keys pressed together with '+'")
    return act.Key(chord, given.maybe("repeat", 1) * len(chords))


_ACTIONS: dict[str, Callable[[_Arguments], Action]] = {
    "key": _key,
    "hold_key": lambda given: act.HoldKey(given.chord(), given.take("duration")),
    "type": lambda given: act.Type(given.take("text")),
    "cursor_position": lambda given: act.CursorPosition(),
    "mouse_move": lambda given: act.Move(*given.point("coordinate")),
    "left_mouse_down": lambda given: act.MouseDown(),
    "left_mouse_up": lambda given: act.MouseUp(),
    "left_click": _click("left"),
    "left_click_drag": _drag,
    "right_click": _click("right"),
    "middle_click": _click("middle"),
    "double_click": _click("left", 2),
    "triple_click": _click("left", 3),
    "scroll": _scroll,
    "wait": lambda given: act.Wait(given.take("duration")),
    "screenshot": lambda given: act.Screenshot(),
    "zoom": lambda given: act.Zoom(given.region()),
}


# The tool of ours, beside the computer


def _finish(given: _Arguments) -> Action:
    status, answer, reason = given.take("status"), given.maybe("answer"), given.maybe("reason", "")
    given.finish()
    if answer is None or answer == "":
        return act.Terminate(status, reason)
    if status != "success":
        raise ActionError("finish: an answer goes with status success only")
    return act.Answer(answer)


FINISH: dict[str, Any] = {
    "name": "finish",
    "description": "End the task. Nothing can be done afterwards, and the first call counts.",
    "input_schema": {
        "type": "object",
        "properties": {
            "status": {
                "type": "string",
                "enum": ["success", "failure", "infeasible"],
                "description": "success: all is done. failure: you give up. infeasible: it cannot be done at all.",
            },
            "answer": {
                "type": "string",
                "description": "The answer, if the task asks for one; nothing but the answer.",
            },
            "reason": {"type": "string", "description": "Why you end, if it is no success."},
        },
        "required": ["status"],
        "additionalProperties": False,
    },
}
