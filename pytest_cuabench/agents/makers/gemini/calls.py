"""Gemini's predefined functions as canonical actions: both sets, with every spelling of arguments that is in use.

Google's pages, its sample code and what its models really send do not agree about names of arguments. All of them
are read here, and which one was seen is noted; what none of them knows is an error that the model is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal

from pytest_cuabench.agents.makers.gemini.models import FunctionSet
from pytest_cuabench.agents.models.extras import Extra
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point, Size
from pytest_cuabench.task.keys import canonical_key, parse_chords

Environment = Literal["browser", "desktop"]

FINISH: Final = "finish"
FINISH_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "status": {
            "type": "string",
            "enum": ["success", "failure", "infeasible"],
            "description": "success: the task is done; failure: you give up; infeasible: it cannot be done here",
        },
        "answer": {
            "type": "string",
            "description": "what the task asks for; leave it out if it asks nothing",
        },
    },
    "required": ["status"],
}

_NOTCH = 120  # pixels that one notch of the wheel scrolls
_GRID = 1000  # Gemini's places and lengths are thousandths of the screen
_NO_ARGUMENTS = frozenset({"intent", "safety_decision"})  # said about a call, not part of what it does
_NEEDED: Final = object()


class Arguments:
    """The arguments of one call. Each is taken once; one that nobody takes is the model's mistake.

    Attributes:
        spellings: Which name was used, where several are in use.
    """

    def __init__(self, given: Mapping[str, Any], space: CoordinateSpace, image: Size) -> None:
        self._rest = {
            name: value for name, value in given.items() if name not in _NO_ARGUMENTS and value is not None
        }
        self._space = space
        self._image = image
        self.spellings: list[str] = []

    def take(self, *names: str, default: Any = _NEEDED) -> Any:
        """Return the argument, whichever of its names was used.

        Raises:
            ActionError: It is missing, or given by two names.
        """
        return self._either(*names, default=default)[1]

    def text(self, name: str, default: Any = _NEEDED) -> str:
        """Return a text."""
        value = self.take(name, default=default)
        if not isinstance(value, str):
            raise ActionError(f"{name} is {value!r:.60}, but must be text")
        return value

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        value = self.take(name, default=default)
        if not isinstance(value, bool):
            raise ActionError(f"{name} is {value!r:.60}, but must be true or false")
        return value

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """Return one of some words."""
        value = self.take(name)
        if value not in allowed:
            raise ActionError(f"{name} is {value!r:.60}, but must be one of {', '.join(allowed)}")
        return str(value)

    def point(self, *spellings: tuple[str, str]) -> Point:
        """Return the screen point of a pair of coordinates."""
        xs, ys = zip(*spellings or (("x", "y"),), strict=True)
        return self._space.to_screen(self.take(*xs), self.take(*ys))

    def place(self) -> Point | None:
        """Return the screen point, or None where the call means the pointer's place."""
        return self.point() if {"x", "y"} & self._rest.keys() else None

    def chords(self) -> tuple[tuple[str, ...], ...]:
        """Return keys pressed together: `control+c`, or a list; several in sequence: `tab tab`."""
        value = self.take("keys", "key")
        if isinstance(value, str):
            return parse_chords(value)
        if isinstance(value, list) and all(isinstance(key, str) for key in value):
            return (tuple(canonical_key(key) for key in value),)
        raise ActionError(f"keys is {value!r:.60}, but must be text such as control+c, or a list of keys")

    def notches(self, sideways: bool, magnitude: float | None = None) -> int:
        """Return how far to turn the wheel; `magnitude` thousandths where nothing is said, else 300 pixels."""
        names = ("magnitude_in_pixels", "magnitude_in_wheel_clicks", "magnitude")
        name, length = self._either(*names, default=magnitude)
        if length is None:
            name, length = "magnitude_in_pixels", 300
        if isinstance(length, bool) or not isinstance(length, int | float) or not 0 < length <= 100_000:
            raise ActionError(f"{name} is {length!r:.60}, but must be a number above 0")
        if name == "magnitude_in_wheel_clicks":
            return max(1, round(length))
        axis = 0 if sideways else 1
        seen = _GRID if name == "magnitude" else self._image[axis]
        return max(1, round(length * self._space.screen[axis] / seen / _NOTCH))

    def end(self) -> None:
        """Refuse arguments that were not taken.

        Raises:
            ActionError: There is an argument that the function does not have.
        """
        if self._rest:
            raise ActionError(f"there is no argument {', '.join(sorted(map(repr, self._rest)))[:200]}")

    def _either(self, *names: str, default: Any) -> tuple[str, Any]:
        given = [name for name in names if name in self._rest]
        if len(given) > 1:
            raise ActionError(f"give only one of {' and '.join(given)}")
        if not given:
            if default is _NEEDED:
                raise ActionError(f"{names[0]} is missing")
            return names[-1], default
        if len(names) > 1:
            self.spellings.append(given[0])
        return given[0], self._rest.pop(given[0])


# What each function does


def _look(arguments: Arguments) -> list[Action]:
    return [act.Screenshot()]


def _click(arguments: Arguments, button: Button = "left", count: int = 1) -> list[Action]:
    return [act.Click(*arguments.point(), button, count)]


def _button(arguments: Arguments, does: type[act.MouseDown | act.MouseUp]) -> list[Action]:
    return [does(*(arguments.place() or (None, None)))]


def _move(arguments: Arguments) -> list[Action]:
    return [act.Move(*arguments.point())]


def _drag(arguments: Arguments) -> list[Action]:
    start = arguments.point(("x", "y"), ("start_x", "start_y"))
    end = arguments.point(("destination_x", "destination_y"), ("end_x", "end_y"))
    return [act.Drag((start, end))]


def _type(arguments: Arguments) -> list[Action]:
    return _typed(arguments, arguments.place(), usual=False)


def _type_at(arguments: Arguments) -> list[Action]:
    return _typed(arguments, arguments.point(), usual=True)


def _typed(arguments: Arguments, at: Point | None, usual: bool) -> list[Action]:
    """Click, empty the field, type, press Enter: as far as it is asked for; `usual` is what holds unsaid."""
    text = arguments.text("text")
    actions: list[Action] = [act.Click(*at)] if at else []
    if arguments.flag("clear_before_typing", usual):
        actions += [act.Key(("ctrl", "a")), act.Key(("delete",))]
    if text:
        actions.append(act.Type(text))
    if arguments.flag("press_enter", usual):
        actions.append(act.Key(("enter",)))
    if not actions:
        raise ActionError("text is empty, so there is nothing to type")
    return actions


def _press(arguments: Arguments) -> list[Action]:
    return [act.Key(chord) for chord in arguments.chords()]


def _hold(arguments: Arguments, does: type[act.KeyDown | act.KeyUp]) -> list[Action]:
    return [does(canonical_key(arguments.text("key")))]


def _scroll(arguments: Arguments) -> list[Action]:
    return [_turned(arguments, arguments.place())]


def _scroll_at(arguments: Arguments) -> list[Action]:
    return [_turned(arguments, arguments.point(), magnitude=800)]


def _turned(arguments: Arguments, at: Point | None, magnitude: float | None = None) -> act.Scroll:
    direction = arguments.choice("direction", ("up", "down", "left", "right"))
    sideways = direction in ("left", "right")
    notches = arguments.notches(sideways, magnitude) * (-1 if direction in ("up", "left") else 1)
    x, y = at or (None, None)
    return act.Scroll(x, y, dx=notches) if sideways else act.Scroll(x, y, dy=notches)


def _scroll_document(arguments: Arguments) -> list[Action]:
    """Scroll a page up or down as its keys do, and half a page sideways, for which there is no key."""
    direction = arguments.choice("direction", ("up", "down", "left", "right"))
    if direction in ("up", "down"):
        return [act.Key((f"page{direction}",))]
    notches = arguments.notches(sideways=True, magnitude=_GRID / 2)
    return [act.Scroll(dx=-notches if direction == "left" else notches)]


def _wait(arguments: Arguments) -> list[Action]:
    return [act.Wait(arguments.take("seconds", default=1))]


def _wait_five(arguments: Arguments) -> list[Action]:
    return [act.Wait(5)]


def _navigate(arguments: Arguments) -> list[Action]:
    return [act.Navigate(arguments.text("url"))]


def _back(arguments: Arguments) -> list[Action]:
    return [act.Back()]


def _forward(arguments: Arguments) -> list[Action]:
    return [act.Forward()]


def _finish(arguments: Arguments) -> list[Action]:
    status = arguments.choice("status", ("success", "failure", "infeasible"))
    answer = arguments.text("answer", default="")
    match status:
        case "success":
            return [act.Answer(answer) if answer else act.Terminate("success")]
        case "failure":
            return [act.Terminate("failure", answer)]
        case _:
            return [act.Terminate("infeasible", answer)]


@dataclass(frozen=True, slots=True)
class _Function:
    """What a function does, and what of an environment it needs for that."""

    read: Callable[[Arguments], list[Action]]
    needs: frozenset[str] = frozenset()


_POINTER, _KEYBOARD, _BROWSER = (frozenset({name}) for name in ("pointer", "keyboard", "browser"))

_LEGACY = {
    "open_web_browser": _Function(_look, _BROWSER),  # it is open already
    "wait_5_seconds": _Function(_wait_five),
    "go_back": _Function(_back, _BROWSER),
    "go_forward": _Function(_forward, _BROWSER),
    "navigate": _Function(_navigate, _BROWSER),
    "click_at": _Function(_click, _POINTER),
    "hover_at": _Function(_move, _POINTER),
    "type_text_at": _Function(_type_at, _POINTER | _KEYBOARD),
    "key_combination": _Function(_press, _KEYBOARD),
    "scroll_document": _Function(_scroll_document, _POINTER | _KEYBOARD),
    "scroll_at": _Function(_scroll_at, _POINTER),
    "drag_and_drop": _Function(_drag, _POINTER),
}
_DESKTOP = {
    "click": _Function(_click, _POINTER),
    "double_click": _Function(partial(_click, count=2), _POINTER),
    "triple_click": _Function(partial(_click, count=3), _POINTER),
    "middle_click": _Function(partial(_click, button="middle"), _POINTER),
    "right_click": _Function(partial(_click, button="right"), _POINTER),
    "mouse_down": _Function(partial(_button, does=act.MouseDown), _POINTER),
    "mouse_up": _Function(partial(_button, does=act.MouseUp), _POINTER),
    "move": _Function(_move, _POINTER),
    "type": _Function(_type, _KEYBOARD),
    "drag_and_drop": _Function(_drag, _POINTER),
    "wait": _Function(_wait),
    "press_key": _Function(_press, _KEYBOARD),
    "key_down": _Function(partial(_hold, does=act.KeyDown), _KEYBOARD),
    "key_up": _Function(partial(_hold, does=act.KeyUp), _KEYBOARD),
    "hotkey": _Function(_press, _KEYBOARD),
    "take_screenshot": _Function(_look),
    "scroll": _Function(_scroll, _POINTER),
}
_CURRENT_BROWSER = {
    "navigate": _Function(_navigate, _BROWSER),
    "go_back": _Function(_back, _BROWSER),
    "go_forward": _Function(_forward, _BROWSER),
}
_NEVER = ("search",)  # no world of ours has a search engine


class Functions:
    """The functions that one model may call on one screen.

    Attributes:
        environment: What Google is told the screen is; the older set knows browsers only.
        excluded: Predefined functions that this screen cannot carry out.
        extras: Functions beside the predefined ones, see `models.extras`.
    """

    def __init__(
        self,
        kind: FunctionSet,
        capabilities: Iterable[str],
        space: CoordinateSpace,
        image: Size,
        environment: Environment | None = None,
        extras: Callable[[Collection[str]], Mapping[str, Extra]] = lambda own: {},
    ) -> None:
        able = frozenset(capabilities)
        likely: Environment = "browser" if kind == "legacy" or "browser" in able else "desktop"
        self.environment = environment or likely
        predefined = _LEGACY if kind == "legacy" else dict(_DESKTOP)
        if kind == "current" and self.environment == "browser":
            predefined |= _CURRENT_BROWSER
        lacking = (name for name, function in predefined.items() if not function.needs <= able)
        self.excluded = (*lacking, *(_NEVER if kind == "legacy" else ()))
        self._offered = {name: value.read for name, value in predefined.items() if name not in self.excluded}
        self.extras = extras(self._offered)
        self._offered[FINISH] = _finish
        self._space, self._image = space, image

    def read(self, name: str, given: Mapping[str, Any]) -> tuple[list[Action], list[str]]:
        """Return the actions that a call means, at least one, and which spellings it used.

        Raises:
            ActionError: The function is not offered, or an argument is missing, unknown or wrong.
        """
        if name in self.extras:
            return [self.extras[name].read({key: given[key] for key in given.keys() - _NO_ARGUMENTS})], []
        if name not in self._offered:
            known = ", ".join((*self._offered, *self.extras))
            raise ActionError(f"there is no such function here; known: {known}")
        arguments = Arguments(given, self._space, self._image)
        actions = self._offered[name](arguments)
        arguments.end()
        return actions, arguments.spellings
