"""The base of all action spaces: replies, coordinates, and strict parsing of calls.

Parsers are generators: they yield actions and raise `ActionError` at the first malformed one. So nothing is guessed or
dropped, and the actions before a mistake are still performed. What a maker's own parser reads although it is written
wrongly is read here, too, and yields a `Repair` beside the actions, so that it is counted.
"""

from __future__ import annotations

import json
import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import Action, CoordinateSpace, Point, Scroll, Size
from pytest_cuabench.task.keys import canonical_key, parse_chord

MAX_REPLY = 100_000  # characters
MAX_ACTIONS = 100  # in one reply
_MOST_NOTCHES = 1000
_LARGEST = 1_000_000  # limit of coordinates, durations and counts
_SENTENCE = 400  # characters of an error message for a model
_NUMBER = re.compile(r"[+-]?(\d{1,7}(\.\d{0,20})?|\.\d{1,20})")
_ANY = Limit()
_MISSING: Any = object()
HERE: tuple[None, None] = (None, None)  # the position of the pointer
_TURNS = 5  # notches of a scroll that says none
DIRECTIONS: Mapping[str, tuple[int, int]] = {  # notches down and right
    "down": (_TURNS, 0), "up": (-_TURNS, 0), "right": (0, _TURNS), "left": (0, -_TURNS),
}  # fmt: skip
SWIPES: Mapping[str, tuple[int, int]] = {  # of a finger, which the page follows
    "up": (_TURNS, 0), "down": (-_TURNS, 0), "left": (0, _TURNS), "right": (0, -_TURNS),
}  # fmt: skip


class Repair(NamedTuple):
    """A mistake that was read as it was meant; `kind` is a few words for tables, such as "unclosed tag"."""

    kind: str


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A native tool call; `arguments` is the model's JSON text."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's reply, with its thoughts separated."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Coordinates:
    """A coordinate system.

    Attributes:
        words: The description for the model; `{image}` is the size of its image.
        top: The coordinate at the right and bottom edges; None for pixels of the image.
        limit: The image size that these coordinates require.
    """

    words: str
    top: float | None = None
    limit: Limit = _ANY

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the coordinate space of an image of a screen."""
        if self.top is None:
            return CoordinateSpace.image(screen, image)
        return CoordinateSpace.normalised(screen, self.top)

    def describe(self, image: Size) -> str:
        """Return the description of the coordinates for the model."""
        return self.words.format(image=image)


_IN_PIXELS = "Coordinates are pixels of the screen as you see it, {image}, counted from its top left corner."
_ON_A_SCALE = (
    "Coordinates are relative: (0, 0) is the top left corner of the screen, {corner} the bottom right."
)
COORDINATES: Mapping[str, Coordinates] = {
    "absolute": Coordinates(_IN_PIXELS),
    # As in the models' own preprocessors, which cut a picture into squares of 28 pixels.
    "qwen25": Coordinates(_IN_PIXELS, limit=Limit(pixels=12_845_056, tile=28, least=3136)),
    "uitars15": Coordinates(_IN_PIXELS, limit=Limit(pixels=16384 * 28 * 28, tile=28, least=100 * 28 * 28)),
    "relative": Coordinates(_ON_A_SCALE.format(corner="(1, 1)"), 1),
    "relative999": Coordinates(_ON_A_SCALE.format(corner="(999, 999)"), 999),
    "relative1000": Coordinates(_ON_A_SCALE.format(corner="(1000, 1000)"), 1000),
}


class ActionSpace(Protocol):
    """An action space: its instructions and its parser. Objects have no state between calls.

    Attributes:
        coordinates: Its coordinate system.
        official: The name of its maker's prompt, see `chat/official.py`; empty if there is none.
        limit: The limits of images.
        asks_in_user: Whether the instructions are part of the first user message instead of a system message.
    """

    coordinates: Coordinates
    official: str
    asks_in_user: bool

    @property
    def limit(self) -> Limit:
        """The largest image that the model does not scale down."""

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions; `image` is the size of images, `native` whether functions are sent as well."""

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return the native tool definitions; empty if the action space has none."""

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the coordinate space of an image of a screen."""

    def read(self, reply: Reply, space: CoordinateSpace) -> Decision:
        """Parse a reply; never raises."""


class BaseActionSpace(ABC):
    """The base class of action spaces; subclasses define `system` and `actions`.

    Attributes:
        default: The name of its default coordinates.
        official: The name of its maker's prompt in `agents/prompts`; empty if none is published.
        hint: Appended to each error message: what a reply should look like.
    """

    default = "absolute"
    official = ""
    asks_in_user = False
    hint = ""

    def __init__(self, coordinates: Coordinates | None = None) -> None:
        self.coordinates = coordinates or COORDINATES[self.default]

    @property
    def limit(self) -> Limit:
        """The largest image that the model does not scale down."""
        return self.coordinates.limit

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the coordinate space of an image of a screen."""
        return self.coordinates.space(screen, image)

    @abstractmethod
    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return no functions."""
        return []

    def read(self, reply: Reply, space: CoordinateSpace) -> Decision:
        """Parse a reply; never raises."""
        thought_text, action_text = self.split(reply)
        return collect_actions(
            self.actions(action_text, reply.calls, space),
            join_thoughts(reply.thought, thought_text),
            reply,
            self.hint,
        )

    def split(self, reply: Reply) -> tuple[str, str]:
        """Split a reply into thought and actions."""
        return "", reply.text

    @abstractmethod
    def actions(
        self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace
    ) -> Iterator[Action | Repair]:
        """Yield the actions of a reply, and what was repaired.

        Raises:
            ActionError: The next action is malformed.
        """


def collect_actions(actions: Iterator[Action | Repair], thought: str, reply: Reply, hint: str) -> Decision:
    """Collect actions up to the first malformed one; a reply without actions is an error."""
    done: list[Action] = []
    repairs: list[str] = []
    try:
        if len(reply.text) + sum(len(call.arguments) for call in reply.calls) > MAX_REPLY:
            raise ActionError(f"the reply is longer than {MAX_REPLY} characters")
        for action in actions:
            if isinstance(action, Repair):
                repairs.append(action.kind)
                continue
            if len(done) == MAX_ACTIONS:
                raise ActionError(f"the reply holds more than {MAX_ACTIONS} actions")
            done.append(action)
        if not done:
            raise ActionError("the reply holds no action" if reply.text.strip() else "the reply is empty")
    except ActionError as error:
        problem = f"{shortened(str(error))}. {hint}".strip(". ") + "."
        return Decision(tuple(done), thought, format_error=problem, repairs=tuple(repairs))
    return Decision(tuple(done), thought, repairs=tuple(repairs))


def join_thoughts(*parts: str) -> str:
    """Join the parts of a model's thought."""
    return "\n".join(part.strip() for part in parts if part.strip())


def shortened(sentence: str) -> str:
    """Shorten a message, and remove lone surrogates."""
    return strip_surrogates(sentence if len(sentence) <= _SENTENCE else sentence[:_SENTENCE] + "…")


def strip_surrogates(text: str) -> str:
    """Return a text without lone surrogates, which cannot be encoded."""
    return text.encode("utf-8", "replace").decode()


def formatted(value: object) -> str:
    """Format a value of any size and depth for a message."""
    try:
        return reprlib.repr(value)
    except ValueError:  # an integer with more digits than Python converts
        return "a very large number"


def number(value: object) -> int | float | None:
    """Return a number as int or float; None for anything else, and for numbers beyond the limit."""
    if isinstance(value, str) and len(value) < 40 and _NUMBER.fullmatch(value.strip()):
        value = float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        return None
    return value


def from_json(text: str) -> Any:
    """Parse JSON.

    Raises:
        ActionError: It is not JSON.
    """
    try:
        return json.loads(text, strict=False)  # models write line breaks into texts
    except (ValueError, RecursionError) as error:
        raise ActionError(f"{formatted(text.strip())} is not valid JSON ({shortened(str(error))})") from None


class Mark(NamedTuple):
    """The number of a mark, given instead of a point."""

    number: int


class Arguments:
    """The arguments of one call, taken by name and type; remaining ones are an error."""

    def __init__(self, call: str, given: object) -> None:
        if not isinstance(given, Mapping):
            raise ActionError(f"{call}: the arguments are {formatted(given)}, but must be an object")
        self.call = call
        self._left = {str(name): value for name, value in given.items()}

    def take(self, *names: str, default: Any = _MISSING) -> Any:
        """Return and remove the argument with one of these names.

        Raises:
            ActionError: The argument is missing or given twice.
        """
        found = [name for name in names if self._left.get(name) is not None]
        if len(found) > 1:
            raise ActionError(f"{self.call}: give {' or '.join(found)}, not both")
        for name in names:
            value = self._left.pop(name, None)
            if value is not None:
                return value
        if default is _MISSING:
            raise ActionError(f"{self.call}: {names[0]} is missing")
        return default

    def end(self) -> None:
        """Check that no argument remains.

        Raises:
            ActionError: An argument is unknown.
        """
        if self._left:
            unknown = ", ".join(sorted(name[:40] for name in self._left)[:5])
            raise ActionError(f"{self.call}: unknown argument {unknown}")

    def has(self, *names: str) -> bool:
        """Whether an argument with one of these names remains."""
        return any(self._left.get(name) is not None for name in names)

    def text(self, *names: str, default: str = _MISSING) -> str:
        """Return a text."""
        value = self.take(*names, default=default)
        if not isinstance(value, str):
            raise self._mistake(names, value, "text")
        return value

    def number(self, *names: str, default: float = _MISSING) -> float:
        """Return a number."""
        value = number(given := self.take(*names, default=default))
        if value is None:
            raise self._mistake(names, given, "a number")
        return value

    def whole(self, *names: str, default: int = _MISSING) -> int:
        """Return an integer."""
        value = number(given := self.take(*names, default=default))
        if value is None or int(value) != value:
            raise self._mistake(names, given, "a whole number")
        return int(value)

    def yes(self, *names: str, default: bool) -> bool:
        """Return a boolean."""
        value = self.take(*names, default=default)
        if not isinstance(value, bool):
            raise self._mistake(names, value, "true or false")
        return value

    def one_of(
        self, options: Mapping[str, Any], *names: str, default: str = _MISSING, ignore_case: bool = False
    ) -> Any:
        """Return the value for one of the words in `options`."""
        word = self.text(*names, default=default)
        if ignore_case:
            word = word.lower()
        if word not in options:
            raise self._mistake(names, word, f"one of {', '.join(options)}")
        return options[word]

    def keys(self, *names: str) -> tuple[str, ...]:
        """Return a chord from a list of keys, or from text like ctrl+a."""
        value = self.take(*names)
        if isinstance(value, str) and value.lstrip()[:1] == "[" and len(value) > 1:
            value = from_json(value)
        if isinstance(value, str):
            return parse_chord(value)
        if isinstance(value, list | tuple) and value and all(isinstance(key, str) for key in value):
            return parse_chord(value[0]) if len(value) == 1 else tuple(map(canonical_key, value))
        raise self._mistake(names, value, "a list of keys")

    def point(self, space: CoordinateSpace, *names: str) -> Point:
        """Return the screen pixel of a pair, of the middle of a box, or of a text with one of them."""
        return space.to_screen(*place(self.call, self.take(*names)))

    def _mistake(self, names: tuple[str, ...], value: object, wanted: str) -> ActionError:
        return ActionError(f"{self.call}: {names[0]} is {formatted(value)}, but must be {wanted}")


_TAGS = re.compile(r"<\|?/?(?:point|bbox|box|box_start|box_end|points)\|?>")
_PLACE = re.compile(r"\s*[(\[]?\s*([^()\[\]<>]*?)\s*[)\]]?\s*")


def place(call: str, value: object) -> tuple[float, float]:
    """Return x and y of a pair or of a box's middle, given as a list or text.

    Raises:
        ActionError: The value is neither.
    """
    parts: Iterable[object] = ()
    if isinstance(value, str) and len(value) < 200:
        inner = _PLACE.fullmatch(_TAGS.sub(" ", value))
        parts = re.split(r"\s*,\s*|\s+", inner[1]) if inner else ()
    elif isinstance(value, list | tuple):
        parts = value
    numbers = [number(part) for part in parts]
    match numbers:
        case [int() | float() as x, int() | float() as y]:
            return x, y
        case [
            int() | float() as left,
            int() | float() as top,
            int() | float() as right,
            int() | float() as bottom,
        ]:
            return middle(left, right), middle(top, bottom)
    raise ActionError(f"{call}: {formatted(value)} is not a point; write two numbers, x and y")


def middle(low: float, high: float) -> float:
    """Return the mean of two numbers; equal numbers are returned unchanged."""
    return low if low == high else (low + high) / 2


def notches(call: str, down: float, right: float, where: Point | None) -> Iterator[Action]:
    """Yield scroll actions, several if one action cannot have as many notches.

    Raises:
        ActionError: The number of notches is 0 or too large.
    """
    dx, dy = _rounded(right), _rounded(down)
    if not (dx or dy) or max(abs(dx), abs(dy)) > _MOST_NOTCHES:
        raise ActionError(f"{call}: scroll 1 to {_MOST_NOTCHES} notches, not ({dx}, {dy})")
    x, y = where or HERE
    while dx or dy:
        step_x, step_y = max(-100, min(100, dx)), max(-100, min(100, dy))
        yield Scroll(x, y, dx=step_x, dy=step_y)
        dx, dy = dx - step_x, dy - step_y


def _rounded(turns: float) -> int:
    """Round to whole notches, at least one unless 0."""
    return round(turns) or (0 if turns == 0 else 1 if turns > 0 else -1)


def fenced(text: str) -> tuple[str, list[str], bool]:
    """Return the text around fenced code blocks, the blocks, and whether the last one is unclosed."""
    parts = text.split("```")
    blocks = [without_language(block) for block in parts[1::2]]
    return "\n".join(part.strip() for part in parts[::2] if part.strip()), blocks, len(parts) % 2 == 0


def without_language(block: str) -> str:
    """Return the content of a fenced block without its language."""
    return _LANGUAGE.sub("", block, count=1).strip()


# The language before the first line; words in capitals are actions of some action spaces.
_LANGUAGE = re.compile(r"^[A-Za-z]?[a-z0-9_+-]*[ \t]*\n|^(?:python|py|json)\s")
