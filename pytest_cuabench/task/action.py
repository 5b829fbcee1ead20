"""The canonical actions of agents, independent of model and driver.

Points are screen pixels with the origin at the top left and y pointing down. Agents convert a model's own notation
into these actions, and drivers perform them. Parsing is strict: invalid input raises `ActionError`, whose message is
returned to the agent.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, get_args

from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.keys import MODIFIERS, canonical_key

Button = Literal["left", "middle", "right", "back", "forward"]
Status = Literal["success", "failure", "infeasible"]
Capability = Literal["pointer", "keyboard", "browser", "elements", "apps", "api", "code", "talk"]

MAX_TEXT = 20_000  # characters in one action: a page of a book, far beyond any form field
MAX_WAIT = 60.0  # seconds an agent may ask to wait or hold a key
MAX_REPEAT = 100


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
    """Base of all actions; `kind` is the name used in trajectories and in prompts."""

    kind: ClassVar[str] = ""
    needs: ClassVar[Capability] = "talk"

    def __post_init__(self) -> None:
        for name, allowed in _shape(self.kind).items():
            value = getattr(self, name)
            if not _fits(value, allowed):
                raise ActionError(
                    f"{self.kind}: {name} is {_listed(value)!r:.200}, but must be {_words(allowed)}"
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


@dataclass(frozen=True, slots=True)
class Move(Action):
    """Move the pointer."""

    kind: ClassVar[str] = "move"
    needs: ClassVar[Capability] = "pointer"

    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Click(_Pointed):
    """Click `count` times at a point, or where the pointer is."""

    kind: ClassVar[str] = "click"

    button: Button = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()

    def _validate(self) -> None:
        _Pointed._validate(self)
        _clicks(self.kind, self.count)
        _modifiers(self)


@dataclass(frozen=True, slots=True)
class MouseDown(_Pointed):
    """Press a mouse button and keep it down."""

    kind: ClassVar[str] = "mouse_down"

    button: Button = "left"


@dataclass(frozen=True, slots=True)
class MouseUp(_Pointed):
    """Release a mouse button."""

    kind: ClassVar[str] = "mouse_up"

    button: Button = "left"


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


@dataclass(frozen=True, slots=True)
class KeyDown(Action):
    """Press a key and keep it down."""

    kind: ClassVar[str] = "key_down"
    needs: ClassVar[Capability] = "keyboard"

    key: str

    def _validate(self) -> None:
        _known_keys(self.kind, (self.key,))


@dataclass(frozen=True, slots=True)
class KeyUp(Action):
    """Release a key."""

    kind: ClassVar[str] = "key_up"
    needs: ClassVar[Capability] = "keyboard"

    key: str

    def _validate(self) -> None:
        _known_keys(self.kind, (self.key,))


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


@dataclass(frozen=True, slots=True)
class Type(Action):
    """Type a text literally; a newline is the Enter key, a tab the Tab key."""

    kind: ClassVar[str] = "type"
    needs: ClassVar[Capability] = "keyboard"

    text: str


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Do nothing for some seconds."""

    kind: ClassVar[str] = "wait"

    seconds: float = 1.0

    def _validate(self) -> None:
        _duration(self.kind, self.seconds)


@dataclass(frozen=True, slots=True)
class Screenshot(Action):
    """Take a screenshot at this point of a batch."""

    kind: ClassVar[str] = "screenshot"


@dataclass(frozen=True, slots=True)
class Zoom(Action):
    """Take an enlarged screenshot of a region (left, top, right, bottom)."""

    kind: ClassVar[str] = "zoom"

    region: tuple[int, int, int, int]

    def _validate(self) -> None:
        left, top, right, bottom = self.region
        if left >= right or top >= bottom:
            raise ActionError(f"zoom: region {self.region} is empty; give left, top, right, bottom")

    def points(self) -> tuple[Point, ...]:
        left, top, right, bottom = self.region
        return (Point(left, top), Point(right - 1, bottom - 1))


@dataclass(frozen=True, slots=True)
class CursorPosition(Action):
    """Return the pointer's position."""

    kind: ClassVar[str] = "cursor_position"


@dataclass(frozen=True, slots=True)
class Navigate(Action):
    """Go to a URL of the world in the current tab."""

    kind: ClassVar[str] = "navigate"
    needs: ClassVar[Capability] = "browser"

    url: str


@dataclass(frozen=True, slots=True)
class Back(Action):
    """Go back in the current tab's history."""

    kind: ClassVar[str] = "back"
    needs: ClassVar[Capability] = "browser"


@dataclass(frozen=True, slots=True)
class Forward(Action):
    """Go forward in the current tab's history."""

    kind: ClassVar[str] = "forward"
    needs: ClassVar[Capability] = "browser"


@dataclass(frozen=True, slots=True)
class SwitchTab(Action):
    """Bring the tab with this index (from 0) to the front."""

    kind: ClassVar[str] = "switch_tab"
    needs: ClassVar[Capability] = "browser"

    index: int

    def _validate(self) -> None:
        _tab(self.kind, self.index)


@dataclass(frozen=True, slots=True)
class CloseTab(Action):
    """Close the tab with this index, or the current one."""

    kind: ClassVar[str] = "close_tab"
    needs: ClassVar[Capability] = "browser"

    index: int | None = None

    def _validate(self) -> None:
        _tab(self.kind, self.index)


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


@dataclass(frozen=True, slots=True)
class CallApi(Action):
    """Call an API function that the task offers besides the screen."""

    kind: ClassVar[str] = "call_api"
    needs: ClassVar[Capability] = "api"

    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class RunCode(Action):
    """Run a program inside the sandboxed guest, never on the host."""

    kind: ClassVar[str] = "run_code"
    needs: ClassVar[Capability] = "code"

    code: str
    language: Literal["python", "bash"] = "python"


@dataclass(frozen=True, slots=True)
class Terminate(Action):
    """End the episode with success, failure or infeasible."""

    kind: ClassVar[str] = "terminate"

    status: Status = "success"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer(Action):
    """Give the final answer and end the episode; the first one counts."""

    kind: ClassVar[str] = "answer"

    text: str


@dataclass(frozen=True, slots=True)
class CallUser(Action):
    """Ask the user a question; the result says that no user is present."""

    kind: ClassVar[str] = "call_user"

    text: str = ""


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
    known = [field.name for field in fields(cls)]
    required = {field.name for field in fields(cls) if field.default is MISSING}
    for problem, names in (("unknown", set(arguments) - set(known)), ("missing", required - set(arguments))):
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


@cache
def _shape(kind: str) -> dict[str, Any]:
    cls = ACTIONS[kind]
    hints = typing.get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls)}


def _fits(value: object, allowed: Any) -> bool:
    origin = typing.get_origin(allowed)
    if origin is Literal:
        return value in get_args(allowed)
    if origin is types.UnionType:
        return any(_fits(value, option) for option in get_args(allowed))
    if origin is tuple:
        return isinstance(value, tuple) and _items_fit(value, get_args(allowed))
    if allowed is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if allowed is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, allowed)


def _items_fit(value: tuple[object, ...], allowed: tuple[Any, ...]) -> bool:
    if len(allowed) == 2 and allowed[1] is Ellipsis:
        return all(_fits(item, allowed[0]) for item in value)
    return len(value) == len(allowed) and all(map(_fits, value, allowed))


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
        if not _fits(value, float) or not 0 <= value <= (span - 1 if cell else span):  # false for NaN, too
            top = span - 1 if self.cells else span
            raise ActionError(f"{axis}={value!s:.20} lies outside this screen's coordinates 0 to {top:g}")
        place = value + 0.5 if cell else value
        return min(pixels - 1, int(place * pixels / span))


_DIGITS = re.compile(r"\s*[+-]?[0-9]{1,15}(\.[0-9]{0,15})?\s*", re.ASCII)


def _number(value: float | str) -> float:
    """Return a number that a model may have written as text; anything else as it is."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value  # type: ignore[return-value]
