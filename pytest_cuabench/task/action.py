"""The canonical actions of agents, independent of model and driver.

Points are screen pixels with the origin at the top left and y pointing down. Agents convert a model's own notation
into these actions, and drivers perform them. Parsing is strict: invalid input raises `ActionError`, whose message is
returned to the agent.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.keys import MODIFIERS, canonical_key
from pytest_cuabench.task.text import short

Button = Literal["left", "middle", "right", "back", "forward"]
Status = Literal["success", "failure", "infeasible"]
Capability = Literal["pointer", "keyboard", "browser", "elements", "apps", "api", "code", "talk"]

MAX_TEXT = 20_000  # characters in one action: a page of a book, far beyond any form field
MAX_WAIT = 60.0  # seconds an agent may ask to wait or hold a key
MAX_REPEAT = 100

# Many times the usual duration: a timeout is for hanging actions only, and 16 workers may share two processors.
_CHARACTER = 0.1  # seconds for one character of a text
_POINT = 0.25  # for one point of a drag's path
_STROKE = 0.2  # for one repeat of a chord
_NOTCH = 0.1  # for one notch of the wheel
_WAITED = 1.5  # for one second that an agent asks to wait


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


class Point(NamedTuple):
    """A screen pixel."""

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Action:
    """Base of all actions; what reports, agents and drivers know of an action is declared here.

    Attributes:
        kind: The name in trajectories and in prompts.
        needs: The capability of an environment that performs it; `talk` needs none.
        passive: Whether it changes nothing on the screen: it looks, waits, talks or ends.
        ends: Whether it ends the episode.
    """

    kind: ClassVar[str] = ""
    needs: ClassVar[Capability] = "talk"
    passive: ClassVar[bool] = False
    ends: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for name, argument in _arguments(self.kind).items():
            value = getattr(self, name)
            if not argument.fits(value):
                raise ActionError(
                    f"{self.kind}: {name} is {_listed(value)!r:.200}, but must be {_words(argument.allowed)}"
                )
            if isinstance(value, str):
                _text(self.kind, value)
        self._validate()

    def _validate(self) -> None:
        """Validate the values beyond their types."""

    def points(self) -> tuple[Point, ...]:
        """Return the screen points of the action."""
        x, y = getattr(self, "x", None), getattr(self, "y", None)
        return () if x is None or y is None else (Point(x, y),)

    def words(self) -> str:
        """Describe the action in one line for people, such as `click (512, 300)`."""
        return self.kind.replace("_", " ")

    def extra_seconds(self) -> float:
        """Return the seconds to add to the timeout of a driver, a guest's client or an episode, by the work in it."""
        return 0.0

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `parse_action`, without default values."""
        data: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                data[field.name] = value
        return data

    def __str__(self) -> str:
        inside = ", ".join(f"{key}={value!r}" for key, value in self.to_json().items() if key != "kind")
        return f"{self.kind}({inside})"


@dataclass(frozen=True, slots=True)
class _Pointed(Action):
    needs: ClassVar[Capability] = "pointer"

    x: int | None = None
    y: int | None = None

    def _validate(self) -> None:
        if (self.x is None) != (self.y is None):
            raise ActionError(f"{self.kind}: give both x and y, or neither for the cursor's place")

    def _place(self) -> str:
        return " at the pointer" if self.x is None else f" ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move the pointer."""

    kind: ClassVar[str] = "move"
    needs: ClassVar[Capability] = "pointer"

    x: int
    y: int

    def words(self) -> str:
        return f"move to ({self.x}, {self.y})"


@dataclass(frozen=True, slots=True)
class Click(_Pointed):
    """Click `count` times at a point, or where the pointer is."""

    kind: ClassVar[str] = "click"

    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()

    def _validate(self) -> None:
        _Pointed._validate(self)  # `super()` fails in a data class with slots, which is made a second time
        _clicks(self.kind, self.count)
        _modifiers(self)

    def words(self) -> str:
        return f"{_held(self.modifiers)}{_clicked(self.button, self.count)}{self._place()}"


@dataclass(frozen=True, slots=True)
class MouseDown(_Pointed):
    """Press a mouse button and keep it down."""

    kind: ClassVar[str] = "mouse_down"

    button: Button = "left"

    def words(self) -> str:
        return f"press {_named(self.button)}button{self._place()}"


@dataclass(frozen=True, slots=True)
class MouseUp(_Pointed):
    """Release a mouse button."""

    kind: ClassVar[str] = "mouse_up"

    button: Button = "left"

    def words(self) -> str:
        return f"release {_named(self.button)}button{self._place()}"


@dataclass(frozen=True, slots=True)
class Drag(Action):
    """Press at the first point of the path, move along it, and release at the last."""

    kind: ClassVar[str] = "drag"
    needs: ClassVar[Capability] = "pointer"

    path: tuple[tuple[int, int], ...]
    button: Button = "left"
    modifiers: tuple[str, ...] = ()

    def _validate(self) -> None:
        if not 2 <= len(self.path) <= 1000:
            raise ActionError(f"drag: path has {len(self.path)} points, but needs 2 to 1000")
        _modifiers(self)

    def points(self) -> tuple[Point, ...]:
        return tuple(Point(*point) for point in self.path)

    def words(self) -> str:
        first, last = self.path[0], self.path[-1]
        return f"{_held(self.modifiers)}drag ({first[0]}, {first[1]}) → ({last[0]}, {last[1]})"

    def extra_seconds(self) -> float:
        return _POINT * (len(self.path) - 2)


@dataclass(frozen=True, slots=True)
class Scroll(_Pointed):
    """Scroll by wheel notches; dy > 0 scrolls down, dx > 0 scrolls right."""

    kind: ClassVar[str] = "scroll"

    dx: int = 0
    dy: int = 0
    modifiers: tuple[str, ...] = ()

    def _validate(self) -> None:
        _Pointed._validate(self)
        if not (self.dx or self.dy) or max(abs(self.dx), abs(self.dy)) > 100:
            raise ActionError(f"scroll: dx={self.dx}, dy={self.dy} is not 1 to 100 notches in some direction")
        _modifiers(self)

    def words(self) -> str:
        ways = ((self.dy, "down", "up"), (self.dx, "right", "left"))
        turns = [
            f"{further if notches > 0 else back} {abs(notches)}" for notches, further, back in ways if notches
        ]
        place = "" if self.x is None else self._place()
        return f"{_held(self.modifiers)}scroll {' and '.join(turns)}{place}"

    def extra_seconds(self) -> float:
        return _NOTCH * (abs(self.dx) + abs(self.dy) - 1)


@dataclass(frozen=True, slots=True)
class Key(Action):
    """Press a chord such as ctrl+a, `repeat` times."""

    kind: ClassVar[str] = "key"
    needs: ClassVar[Capability] = "keyboard"

    keys: tuple[str, ...]
    repeat: int = 1

    def _validate(self) -> None:
        _known_keys(self.kind, self.keys)
        if not 1 <= self.repeat <= MAX_REPEAT:
            raise ActionError(f"key: repeat is {self.repeat}, but must be 1 to {MAX_REPEAT}")

    def words(self) -> str:
        return "+".join(self.keys) + (f" × {self.repeat}" if self.repeat != 1 else "")

    def extra_seconds(self) -> float:
        return _STROKE * (self.repeat - 1)


@dataclass(frozen=True, slots=True)
class KeyDown(Action):
    """Press a key and keep it down."""

    kind: ClassVar[str] = "key_down"
    needs: ClassVar[Capability] = "keyboard"

    key: str

    def _validate(self) -> None:
        _known_keys(self.kind, (self.key,))

    def words(self) -> str:
        return f"press {self.key}"


@dataclass(frozen=True, slots=True)
class KeyUp(Action):
    """Release a key."""

    kind: ClassVar[str] = "key_up"
    needs: ClassVar[Capability] = "keyboard"

    key: str

    def _validate(self) -> None:
        _known_keys(self.kind, (self.key,))

    def words(self) -> str:
        return f"release {self.key}"


@dataclass(frozen=True, slots=True)
class HoldKey(Action):
    """Hold a chord for some seconds."""

    kind: ClassVar[str] = "hold_key"
    needs: ClassVar[Capability] = "keyboard"

    keys: tuple[str, ...]
    seconds: float

    def _validate(self) -> None:
        _known_keys(self.kind, self.keys)
        _duration(self.kind, self.seconds)

    def words(self) -> str:
        return f"hold {'+'.join(self.keys)} for {self.seconds:g} s"

    def extra_seconds(self) -> float:
        return _WAITED * self.seconds


@dataclass(frozen=True, slots=True)
class Type(Action):
    """Type a text literally; a newline is the Enter key, a tab the Tab key."""

    kind: ClassVar[str] = "type"
    needs: ClassVar[Capability] = "keyboard"

    text: str

    def words(self) -> str:
        return f"type {_quoted(self.text)}"

    def extra_seconds(self) -> float:
        return _CHARACTER * len(self.text)


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Do nothing for some seconds."""

    kind: ClassVar[str] = "wait"
    passive: ClassVar[bool] = True

    seconds: float = 1.0

    def _validate(self) -> None:
        _duration(self.kind, self.seconds)

    def words(self) -> str:
        return f"wait {self.seconds:g} s"

    def extra_seconds(self) -> float:
        return _WAITED * self.seconds


@dataclass(frozen=True, slots=True)
class Screenshot(Action):
    """Take a screenshot at this point of a batch."""

    kind: ClassVar[str] = "screenshot"
    passive: ClassVar[bool] = True

    def words(self) -> str:
        return "take a screenshot"


@dataclass(frozen=True, slots=True)
class Zoom(Action):
    """Take an enlarged screenshot of a region (left, top, right, bottom)."""

    kind: ClassVar[str] = "zoom"
    passive: ClassVar[bool] = True

    region: tuple[int, int, int, int]

    def _validate(self) -> None:
        left, top, right, bottom = self.region
        if left >= right or top >= bottom:
            raise ActionError(f"zoom: region {self.region} is empty; give left, top, right, bottom")

    def points(self) -> tuple[Point, ...]:
        left, top, right, bottom = self.region
        return (Point(left, top), Point(right - 1, bottom - 1))

    def words(self) -> str:
        left, top, right, bottom = self.region
        return f"zoom into ({left}, {top}) – ({right}, {bottom})"


@dataclass(frozen=True, slots=True)
class CursorPosition(Action):
    """Return the pointer's position."""

    kind: ClassVar[str] = "cursor_position"
    passive: ClassVar[bool] = True

    def words(self) -> str:
        return "get the pointer's position"


@dataclass(frozen=True, slots=True)
class Navigate(Action):
    """Go to a URL of the world in the current tab."""

    kind: ClassVar[str] = "navigate"
    needs: ClassVar[Capability] = "browser"

    url: str

    def words(self) -> str:
        return f"go to {short(self.url)}"


@dataclass(frozen=True, slots=True)
class Back(Action):
    """Go back in the current tab's history."""

    kind: ClassVar[str] = "back"
    needs: ClassVar[Capability] = "browser"

    def words(self) -> str:
        return "go back"


@dataclass(frozen=True, slots=True)
class Forward(Action):
    """Go forward in the current tab's history."""

    kind: ClassVar[str] = "forward"
    needs: ClassVar[Capability] = "browser"

    def words(self) -> str:
        return "go forward"


@dataclass(frozen=True, slots=True)
class SwitchTab(Action):
    """Bring the tab with this index (from 0) to the front."""

    kind: ClassVar[str] = "switch_tab"
    needs: ClassVar[Capability] = "browser"

    index: int

    def _validate(self) -> None:
        _tab(self.kind, self.index)

    def words(self) -> str:
        return f"switch to tab {self.index}"


@dataclass(frozen=True, slots=True)
class CloseTab(Action):
    """Close the tab with this index, or the current one."""

    kind: ClassVar[str] = "close_tab"
    needs: ClassVar[Capability] = "browser"

    index: int | None = None

    def _validate(self) -> None:
        _tab(self.kind, self.index)

    def words(self) -> str:
        return "close the tab" if self.index is None else f"close tab {self.index}"


@dataclass(frozen=True, slots=True)
class ClickElement(Action):
    """Click the middle of a numbered mark of the last observation."""

    kind: ClassVar[str] = "click_element"
    needs: ClassVar[Capability] = "elements"

    mark: int
    button: Button = "left"
    count: int = 1

    def _validate(self) -> None:
        _clicks(self.kind, self.count)

    def words(self) -> str:
        return f"{_clicked(self.button, self.count)} mark {self.mark}"

    def at(self, point: Point) -> tuple[Action, ...]:
        """Return the actions of mouse and keyboard that do it at a point."""
        return (Click(*point, button=self.button, count=self.count),)


@dataclass(frozen=True, slots=True)
class FillElement(Action):
    """Click a numbered mark and replace its content by a text."""

    kind: ClassVar[str] = "fill_element"
    needs: ClassVar[Capability] = "elements"

    mark: int
    text: str

    def words(self) -> str:
        return f"fill mark {self.mark} with {_quoted(self.text, 50)}"

    def extra_seconds(self) -> float:
        return _CHARACTER * len(self.text)

    def at(self, point: Point) -> tuple[Action, ...]:
        """Return the actions of mouse and keyboard that do it at a point."""
        emptied = (Click(*point), Key(("ctrl", "a")), Key(("delete",)))
        return (*emptied, Type(self.text)) if self.text else emptied


@dataclass(frozen=True, slots=True)
class OpenApp(Action):
    """Start an application of the desktop."""

    kind: ClassVar[str] = "open_app"
    needs: ClassVar[Capability] = "apps"

    name: str

    def words(self) -> str:
        return f"open {_quoted(self.name)}"


@dataclass(frozen=True, slots=True)
class CallApi(Action):
    """Call an API function that the task offers besides the screen."""

    kind: ClassVar[str] = "call_api"
    needs: ClassVar[Capability] = "api"

    name: str
    arguments: str = "{}"

    def words(self) -> str:
        arguments = "" if self.arguments == "{}" else short(self.arguments, 40)
        return f"call {short(self.name, 40)}({arguments})"


@dataclass(frozen=True, slots=True)
class RunCode(Action):
    """Run a program inside the sandboxed guest, never on the host."""

    kind: ClassVar[str] = "run_code"
    needs: ClassVar[Capability] = "code"

    code: str
    language: Literal["python", "bash"] = "python"

    def words(self) -> str:
        return f"run {self.language} {_quoted(self.code, 50)}"


@dataclass(frozen=True, slots=True)
class Terminate(Action):
    """End the episode with success, failure or infeasible."""

    kind: ClassVar[str] = "terminate"
    passive: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    status: Status = "success"
    reason: str = ""

    def words(self) -> str:
        return f"end: {self.status}" + (f" — {short(self.reason)}" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Answer(Action):
    """Give the final answer and end the episode; the first one counts."""

    kind: ClassVar[str] = "answer"
    passive: ClassVar[bool] = True
    ends: ClassVar[bool] = True

    text: str

    def words(self) -> str:
        return f"answer {_quoted(self.text)}"


@dataclass(frozen=True, slots=True)
class CallUser(Action):
    """Ask the user a question; the result says that no user is present."""

    kind: ClassVar[str] = "call_user"
    passive: ClassVar[bool] = True

    text: str = ""

    def words(self) -> str:
        return f"ask the user {_quoted(self.text, 50)}"


def _leaves(base: type[Action]) -> Iterable[type[Action]]:
    for child in base.__subclasses__():
        if child.kind:
            yield child
        yield from _leaves(child)


ACTIONS: dict[str, type[Action]] = {leaf.kind: leaf for leaf in _leaves(Action)}


def parse_action(data: object) -> Action:
    """Return the action that plain data describes.

    Raises:
        ActionError: The data is not a mapping, its kind is unknown, or an argument is missing, unknown or invalid.
    """
    if not isinstance(data, Mapping):
        raise ActionError(f"an action is a JSON object with a 'kind', not {type(data).__name__}")
    kind = data.get("kind")
    cls = ACTIONS.get(kind) if isinstance(kind, str) else None
    if cls is None:
        named = f"unknown action {kind!r:.200}" if "kind" in data else "an action has its name as 'kind'"
        raise ActionError(f"{named}; known: {', '.join(sorted(ACTIONS))}")
    arguments = {str(key): _frozen(value) for key, value in data.items() if key != "kind"}
    known = _arguments(cls.kind)
    required = {name for name, argument in known.items() if argument.required}
    for problem, names in (("unknown", arguments.keys() - known), ("missing", required - arguments.keys())):
        if names:
            told = ", ".join(sorted(names))  # in ASCII: a name may hold what no answer can say
            raise ActionError(
                f"{kind}: {problem} argument {ascii(told)[1:-1]:.200}; it takes {', '.join(known) or 'none'}"
            )
    return cls(**arguments)


def check_on_screen(action: Action, screen: Size, capabilities: Iterable[Capability]) -> None:
    """Reject an action that this screen cannot perform.

    Raises:
        ActionError: A point lies outside the screen, or the environment lacks the capability.
    """
    if action.needs != "talk" and action.needs not in set(capabilities):
        raise ActionError(f"{action.kind} is not available in this environment")
    for point in action.points():
        if not (0 <= point.x < screen.width and 0 <= point.y < screen.height):
            raise ActionError(f"{action.kind}: ({point.x}, {point.y}) lies outside the {screen} screen")


# Words


def _named(button: Button) -> str:
    return "" if button == "left" else f"{button} "


def _clicked(button: Button, count: int) -> str:
    return f"{_named(button)}{('', 'double-', 'triple-')[count - 1]}click"


def _held(modifiers: tuple[str, ...]) -> str:
    return "".join(f"{key}+" for key in modifiers)


def _quoted(text: str, limit: int = 60) -> str:
    return f"“{short(text, limit)}”"


# Values


def _known_keys(kind: str, keys: tuple[str, ...]) -> None:
    if not keys or len(keys) > 6:
        raise ActionError(f"{kind}: give 1 to 6 keys, not {len(keys)}")
    for key in keys:
        if canonical_key(key) != key:
            raise ActionError(f"{kind}: key {key!r} is written {canonical_key(key)!r}")


def _clicks(kind: str, count: int) -> None:
    if not 1 <= count <= 3:
        raise ActionError(f"{kind}: count is {count}, but must be 1, 2 or 3")


def _tab(kind: str, index: int | None) -> None:
    if index is not None and index < 0:
        raise ActionError(f"{kind}: index is {index}, but tabs are counted from 0")


def _modifiers(action: Click | Drag | Scroll) -> None:
    unknown = set(action.modifiers) - MODIFIERS
    if unknown:
        raise ActionError(f"{action.kind}: {sorted(unknown)} are no modifiers; known: {sorted(MODIFIERS)}")


def _duration(kind: str, seconds: float) -> None:
    if not 0 <= seconds <= MAX_WAIT:  # false for NaN, too
        raise ActionError(f"{kind}: seconds is {seconds}, but must be 0 to {MAX_WAIT:g}")


def _text(kind: str, text: str) -> None:
    if len(text) > MAX_TEXT:
        raise ActionError(f"{kind}: the text has {len(text)} characters, at most {MAX_TEXT} are taken")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ActionError(f"{kind}: the text holds a broken character (a lone surrogate)")


# Types: the annotations are the schema.


class _Argument(NamedTuple):
    """An argument of an action: its type, whether a value is of it, and whether it has to be given."""

    allowed: Any
    fits: Callable[[object], bool]
    required: bool


@cache
def _arguments(kind: str) -> dict[str, _Argument]:
    cls = ACTIONS[kind]
    hints = typing.get_type_hints(cls)
    return {
        field.name: _Argument(hints[field.name], _fitting(hints[field.name]), field.default is MISSING)
        for field in fields(cls)
    }


def _fitting(allowed: Any) -> Callable[[object], bool]:
    """Return whether a value is of a type, as a function of the value."""
    origin, parts = typing.get_origin(allowed), get_args(allowed)
    if origin is Literal:
        return lambda value: value in parts
    if origin is types.UnionType:
        options = [_fitting(part) for part in parts]
        return lambda value: any(fits(value) for fits in options)
    if origin is tuple:
        items = [_fitting(part) for part in parts if part is not Ellipsis]
        if parts[-1] is Ellipsis:
            return lambda value: isinstance(value, tuple) and all(map(items[0], value))
        return lambda value: (
            isinstance(value, tuple)
            and len(value) == len(items)
            and all(fits(item) for fits, item in zip(items, value, strict=True))
        )
    if allowed in (int, float):
        numbers = (int,) if allowed is int else (int, float)
        return lambda value: isinstance(value, numbers) and not isinstance(value, bool)
    return lambda value: isinstance(value, allowed)


def _words(allowed: Any) -> str:
    if typing.get_origin(allowed) is Literal:
        return "one of " + ", ".join(map(repr, get_args(allowed)))
    names = {int: "a whole number", float: "a number", str: "text", types.NoneType: "nothing"}
    if typing.get_origin(allowed) is types.UnionType:
        return " or ".join(_words(option) for option in get_args(allowed))
    if typing.get_origin(allowed) is not tuple:
        return names.get(allowed, str(allowed))
    item = get_args(allowed)[0]
    return "a list of points, each [x, y]" if typing.get_origin(item) is tuple else "a list"


def _listed(value: object) -> object:
    """Return a value with lists for tuples, as it was sent."""
    return [_listed(item) for item in value] if isinstance(value, tuple) else value


def _frozen(value: Any, deeper: int = 3) -> Any:
    """Return a value with tuples for lists, which no argument nests further than points in a path."""
    if not isinstance(value, list | tuple):
        return value
    if not deeper:
        raise ActionError("an argument is nested too deeply")
    return tuple(_frozen(item, deeper - 1) for item in value)


@dataclass(frozen=True, slots=True)
class CoordinateSpace:
    """Coordinate space of a model, based on the image that is sent to it.

    Pass numbers as the model wrote them: in a space of cells an `int` is a cell and means its middle, so that clicks
    on a scaled image do not drift up and left; a `float` is a position.

    Attributes:
        span: The coordinate of the right and bottom edges: the image's size for pixels, (1, 1) for fractions.
        cells: Whether whole numbers name cells (pixels of an image, steps of 0-999) and not places on a scale.
    """

    screen: Size
    span: tuple[float, float]
    cells: bool = False

    @classmethod
    def native(cls, screen: Size) -> CoordinateSpace:
        """Pixels of the screen itself."""
        return cls.image(screen, screen)

    @classmethod
    def image(cls, screen: Size, image: Size) -> CoordinateSpace:
        """Pixels of an image that shows the whole screen at another size."""
        return cls(screen, image, cells=True)

    @classmethod
    def normalised(cls, screen: Size, top: float) -> CoordinateSpace:
        """Numbers from 0 to `top` in both directions: a scale to 1 or 1000, or the thousand cells 0 to 999."""
        return cls(screen, (1000, 1000), cells=True) if top == 999 else cls(screen, (top, top))

    def to_screen(self, x: float, y: float) -> Point:
        """Convert a model's coordinate to a screen pixel.

        Raises:
            ActionError: The coordinate is not a finite number or lies outside the space.
        """
        return Point(
            self._pixel(_number(x), self.span[0], self.screen.width, "x"),
            self._pixel(_number(y), self.span[1], self.screen.height, "y"),
        )

    def from_screen(self, point: Point) -> tuple[float, float]:
        """Convert a pixel's middle to the model's coordinate."""
        return (
            (point.x + 0.5) * self.span[0] / self.screen.width,
            (point.y + 0.5) * self.span[1] / self.screen.height,
        )

    def _pixel(self, value: float, span: float, pixels: int, axis: str) -> int:
        cell = self.cells and isinstance(value, int)
        if not _is_number(value) or not 0 <= value <= (span - 1 if cell else span):  # false for NaN, too
            top = span - 1 if self.cells else span
            raise ActionError(f"{axis}={value!s:.20} lies outside this screen's coordinates 0 to {top:g}")
        place = value + 0.5 if cell else value
        return min(pixels - 1, int(place * pixels / span))  # the edge itself is in the last pixel


_is_number = _fitting(float)
_DIGITS = re.compile(r"\s*[+-]?[0-9]{1,15}(\.[0-9]{0,15})?\s*", re.ASCII)


def _number(value: float | str) -> float:
    """Return a number that a model may have written as text; anything else as it is."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value  # type: ignore[return-value]
