"""How models behind chat completions write canonical actions: one class for each action space, by its published form.

`at` turns a pixel of the screen into the numbers that the model writes for it; see `speakers`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar

from pytest_cuabench.task.action import (
    Action,
    Answer,
    Click,
    ClickElement,
    Drag,
    Key,
    Scroll,
    Terminate,
    Type,
)

At = Callable[[int | None, int | None], tuple[Any, Any]]


class Unspeakable(Exception):
    """The action space has no such action."""


class ActionWriter(ABC):
    """Words of one kind of model."""

    @abstractmethod
    def words(self, action: Action, at: At) -> Iterator[Any]:
        """Yield the calls that do what the action does."""

    @abstractmethod
    def whole(self, calls: list[Any]) -> str:
        """Return the reply around the calls."""

    def reply(self, actions: Sequence[Action], at: At) -> str:
        """Return the reply that does these actions."""
        return self.whole([call for action in actions for call in self.words(action, at)])


class QwenJson(ActionWriter):
    """`computer_use` as JSON between tags."""

    _CLICKS: ClassVar = {
        ("left", 1): "left_click", ("left", 2): "double_click", ("left", 3): "triple_click",
        ("right", 1): "right_click", ("middle", 1): "middle_click",
    }  # fmt: skip

    def words(self, action: Action, at: At) -> Iterator[dict[str, Any]]:
        """Yield the arguments of each call."""
        match action:
            case Click(x, y, button, count):
                yield {"action": self._CLICKS[button, count], "coordinate": list(at(x, y))}
            case Drag(path=(start, end)):
                yield {"action": "mouse_move", "coordinate": list(at(*start))}
                yield {"action": "left_click_drag", "coordinate": list(at(*end))}
            case Scroll(x, y, dy=dy):
                yield {"action": "scroll", "coordinate": list(at(x, y)), "pixels": -100 * dy}
            case Key(keys):
                yield {"action": "key", "keys": list(keys)}
            case Type(text):
                yield {"action": "type", "text": text}
            case Terminate(status):
                yield {"action": "terminate", "status": status}
            case Answer(text):
                yield {"action": "answer", "text": text}
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[dict[str, Any]]) -> str:
        """Put each call between tags."""
        written = (json.dumps({"name": "computer_use", "arguments": call}) for call in calls)
        return "I go on.\n" + "\n".join(f"<tool_call>\n{call}\n</tool_call>" for call in written)


class QwenXml(QwenJson):
    """The same function as the newer models write it: a tag for each parameter."""

    def whole(self, calls: list[dict[str, Any]]) -> str:
        """Put each call between tags."""
        return "\n".join(f"<tool_call>\n{self._function(call)}\n</tool_call>" for call in calls)

    @staticmethod
    def _function(call: dict[str, Any]) -> str:
        parameters = (
            f"<parameter={name}>\n{value if isinstance(value, str) else json.dumps(value)}\n</parameter>"
            for name, value in call.items()
        )
        return "<function=computer_use>\n" + "\n".join(parameters) + "\n</function>"


class Tars(ActionWriter):
    """UI-TARS 1.5: a thought, and calls with points between tags."""

    _CLICKS: ClassVar = {("left", 1): "click", ("left", 2): "left_double", ("right", 1): "right_single"}

    def words(self, action: Action, at: At) -> Iterator[tuple[str, dict[str, str]]]:
        """Yield name and arguments of each call."""
        match action:
            case Click(x, y, button, count):
                yield self._CLICKS[button, count], {"point": self._point(at(x, y))}
            case Drag(path=(start, end)):
                points = {"start_point": self._point(at(*start)), "end_point": self._point(at(*end))}
                yield "drag", points
            case Scroll(x, y, dy=5 | -5 as dy):
                direction = "down" if dy > 0 else "up"
                yield "scroll", {"point": self._point(at(x, y)), "direction": direction}
            case Key(keys):
                yield "hotkey", {"key": " ".join(keys)}
            case Type(text):
                yield "type", {"content": text}
            case Terminate("success"):
                yield "finished", {"content": ""}
            case Answer(text):
                yield "finished", {"content": text}
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[tuple[str, dict[str, str]]]) -> str:
        """Write the calls as Python, one a line."""
        written = (
            f"{name}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
            for name, given in calls
        )
        return "Thought: I go on.\nAction: " + "\n\n".join(written)

    @staticmethod
    def _point(place: tuple[Any, Any]) -> str:
        return f"<point>{place[0]} {place[1]}</point>"


class Tars2(Tars):
    """UI-TARS 2: functions between tags."""

    def whole(self, calls: list[tuple[str, dict[str, str]]]) -> str:
        """Put each function between tags."""
        return "".join(
            f"<seed:tool_call><function={name}>"
            + "".join(f"<parameter={key}>{value}</parameter>" for key, value in given.items())
            + "</function></seed:tool_call>"
            for name, given in calls
        )


class PyAutoGui(ActionWriter):
    """Fenced pyautogui calls, and a word at the end."""

    _CLICKS: ClassVar = {
        ("left", 1): "click", ("left", 2): "doubleClick", ("left", 3): "tripleClick",
        ("right", 1): "rightClick", ("middle", 1): "middleClick",
    }  # fmt: skip

    def words(self, action: Action, at: At) -> Iterator[str]:
        """Yield lines of code."""
        match action:
            case Click(x, y, button, count):
                yield "pyautogui.{}(x={}, y={})".format(self._CLICKS[button, count], *at(x, y))
            case ClickElement(mark):
                yield f"pyautogui.click(tag_{mark})"
            case Drag(path=(start, end)):
                yield "pyautogui.moveTo({}, {})".format(*at(*start))
                yield "pyautogui.dragTo({}, {}, duration=0.5, button='left')".format(*at(*end))
            case Scroll(x, y, dy=dy):
                yield "pyautogui.moveTo({}, {})".format(*at(x, y))
                yield f"pyautogui.scroll({-dy})"
            case Key(keys):
                yield f"pyautogui.hotkey({', '.join(map(repr, keys))})"
            case Type(text):
                yield f"pyautogui.write({text!r}, interval=0.02)"
            case _:
                yield self.ending(action)

    def ending(self, action: Action) -> str:
        """Return the word that ends an episode."""
        match action:
            case Terminate("success"):
                return "DONE"
            case Answer(text):
                return f"ANS {text}"
        raise Unspeakable(action)

    def whole(self, calls: list[str]) -> str:
        """Put the code into one block."""
        code = "\n".join(calls)
        return f"I go on.\n```python\n{code}\n```"


class OpenCua(PyAutoGui):
    """The same calls below headings, and others at the end."""

    def ending(self, action: Action) -> str:
        """Return the call that ends an episode."""
        match action:
            case Terminate("success"):
                return "computer.terminate(status='success')"
            case Answer(text):
                return f"computer.terminateWithText(status='success', text={text!r})"
        raise Unspeakable(action)

    def whole(self, calls: list[str]) -> str:
        """Put the code below its heading."""
        code = "\n".join(calls)
        return f"# Step 1:\n## Thought:\n- I go on.\n## Action:\n- The next step.\n## Code:\n```python\n{code}\n```"


class Computer13(ActionWriter):
    """OSWorld's JSON objects."""

    def words(self, action: Action, at: At) -> Iterator[dict[str, Any]]:
        """Yield an object for each action of OSWorld's."""
        match action:
            case Click(x, y, button, count):
                place = dict(zip("xy", at(x, y), strict=True))
                yield {"action_type": "CLICK", **place, "button": button, "num_clicks": count}
            case Drag(path=(start, end)):
                yield {"action_type": "MOVE_TO", **dict(zip("xy", at(*start), strict=True))}
                yield {"action_type": "DRAG_TO", **dict(zip("xy", at(*end), strict=True))}
            case Scroll(x, y, dy=dy):
                yield {"action_type": "MOVE_TO", **dict(zip("xy", at(x, y), strict=True))}
                yield {"action_type": "SCROLL", "dx": 0, "dy": -dy}
            case Key((key,)):
                yield {"action_type": "PRESS", "key": key}
            case Key(keys):
                yield {"action_type": "HOTKEY", "keys": list(keys)}
            case Type(text):
                yield {"action_type": "TYPING", "text": text}
            case Terminate("success"):
                yield {"action_type": "DONE"}
            case Answer(text):
                yield {"action_type": "ANSWER", "text": text}
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[dict[str, Any]]) -> str:
        """Put the objects into one list."""
        return f"I go on.\n```json\n{json.dumps(calls, indent=1)}\n```"


class BrowserGym(ActionWriter):
    """BrowserGym's calls."""

    def words(self, action: Action, at: At) -> Iterator[str]:
        """Yield lines of calls."""
        match action:
            case Click(x, y, button, 1):
                yield "mouse_click({}, {}, button={!r})".format(*at(x, y), button)
            case ClickElement(mark):
                yield f"click({str(mark)!r})"
            case Drag(path=(start, end)):
                yield "mouse_drag_and_drop({}, {}, {}, {})".format(*at(*start), *at(*end))
            case Scroll(x, y, dy=dy):
                yield "mouse_move({}, {})".format(*at(x, y))
                yield f"scroll(0, {100 * dy})"
            case Key(keys):
                yield f"keyboard_press({'+'.join(key.title() if len(key) > 1 else key for key in keys)!r})"
            case Type(text):
                yield f"keyboard_type({text!r})"
            case Terminate("success"):
                yield "done()"
            case Answer(text):
                yield f"send_msg_to_user({text!r})"
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[str]) -> str:
        """Put the calls into one block."""
        code = "\n".join(calls)
        return f"I go on.\n```\n{code}\n```"


class BrowserUse(ActionWriter):
    """Lists of actions on element numbers; places where there is no number."""

    def words(self, action: Action, at: At) -> Iterator[dict[str, Any]]:
        """Yield objects of one key."""
        match action:
            case ClickElement(mark):
                yield {"click": {"index": mark}}
            case Click(x, y, "left", 1):
                across, down = at(x, y)
                yield {"click": {"coordinate_x": across, "coordinate_y": down}}
            case Key(keys):
                yield {"send_keys": {"keys": "+".join(keys)}}
            case Terminate("success"):
                yield {"done": {"text": "", "success": True}}
            case Answer(text):
                yield {"done": {"text": text, "success": True}}
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[dict[str, Any]]) -> str:
        """Return the one object."""
        return json.dumps({"thinking": "I go on.", "next_goal": "the next step", "action": calls})


class Plan(ActionWriter):
    """A planner's calls: they say what, and leave where to the grounder."""

    def words(self, action: Action, at: At) -> Iterator[str]:
        """Yield lines of calls."""
        match action:
            case Click(x, y, button, count):
                yield f"click({self._thing(at(x, y))!r}, button={button!r}, count={count})"
            case Drag(path=(start, end)):
                yield f"drag({self._thing(at(*start))!r}, {self._thing(at(*end))!r})"
            case Scroll(x, y, dy=dy):
                direction = "down" if dy > 0 else "up"
                yield f"scroll({direction!r}, notches={abs(dy)}, target={self._thing(at(x, y))!r})"
            case Key(keys):
                yield f"press({'+'.join(keys)!r})"
            case Type(text):
                yield f"type({text!r})"
            case Terminate("success"):
                yield "done()"
            case Answer(text):
                yield f"answer({text!r})"
            case _:
                raise Unspeakable(action)

    def whole(self, calls: list[str]) -> str:
        """Put the calls into one block."""
        code = "\n".join(calls)
        return f"I go on.\n```\n{code}\n```"

    @staticmethod
    def _thing(place: tuple[Any, Any]) -> str:
        """Describe a thing so that the one who finds it can tell it from all others."""
        return "the thing {:.4f} of the way across and {:.4f} of the way down".format(*place)
