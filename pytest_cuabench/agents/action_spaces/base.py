"""What all notations share: what a reply is, how places are named, and how calls are read strictly.

A reader is a generator: it yields the actions it understands, and raises `ActionError` at the first that it does
not. So nothing is guessed, nothing is dropped, and what stood before a mistake is still carried out.
"""

from __future__ import annotations

import json
import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from pytest_cuabench.agents.base import Briefing
from pytest_cuabench.agents.models.model import Reading
from pytest_cuabench.agents.models.pictures import Limit
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task.action import (
    Action,
    CoordinateSpace,
    Point,
    Scroll,
    Size,
    canonical_key,
    parse_chord,
)

MAX_REPLY = 100_000  # characters; far beyond the longest reply that is asked for
MAX_ACTIONS = 100  # in one reply
_MOST_NOTCHES = 1000
_LARGEST = 1_000_000  # no coordinate, no duration and no count is larger
_SENTENCE = 400  # characters of what a model is told about its mistake
_NUMBER = re.compile(r"[+-]?(\d{1,7}(\.\d{0,20})?|\.\d{1,20})")
_ANY = Limit()
_MISSING: Any = object()
HERE: tuple[None, None] = (None, None)  # where the pointer is


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the server separated it from the text; `arguments` is JSON as the model wrote it."""

    name: str
    arguments: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, its thoughts already set apart."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    thought: str = ""


@dataclass(frozen=True, slots=True)
class Coordinates:
    """How places are named.

    Attributes:
        words: Said to the model; `{image}` is the size of what it sees.
        top: The number at the right and bottom edges; None where pixels of the picture are meant.
        limit: The size of pictures that these coordinates belong to.
    """

    words: str
    top: float | None = None
    limit: Limit = _ANY

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the space for a picture of a screen."""
        if self.top is None:
            return CoordinateSpace.image(screen, image)
        return CoordinateSpace.normalised(screen, self.top)

    def told(self, image: Size) -> str:
        """Return the sentence that tells them to the model."""
        return self.words.format(image=image)


_IN_PIXELS = "Coordinates are pixels of the screen as you see it, {image}, counted from its top left corner."
_ON_A_SCALE = (
    "Coordinates are relative: (0, 0) is the top left corner of the screen, {corner} the bottom right."
)
COORDINATES: Mapping[str, Coordinates] = {
    "absolute": Coordinates(_IN_PIXELS),
    "qwen25": Coordinates(_IN_PIXELS, limit=Limit(pixels=12_845_056, tile=28, least=3136)),
    "uitars15": Coordinates(_IN_PIXELS, limit=Limit(pixels=16384 * 28 * 28, tile=28, least=100 * 28 * 28)),
    "relative": Coordinates(_ON_A_SCALE.format(corner="(1, 1)"), 1),
    "relative999": Coordinates(_ON_A_SCALE.format(corner="(999, 999)"), 999),
    "relative1000": Coordinates(_ON_A_SCALE.format(corner="(1000, 1000)"), 1000),
}


class Dialect(Protocol):
    """One notation: how it is asked for, and how it is read. Objects keep nothing between calls.

    Attributes:
        coordinates: How places are named.
        limit: What pictures are sent.
        asks_in_user: Whether the instructions open the first user message, and are no system message.
    """

    coordinates: Coordinates
    asks_in_user: bool

    @property
    def limit(self) -> Limit:
        """What the model takes without shrinking it."""

    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions; `image` is the size of the pictures, `native` whether functions are sent beside."""

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return the functions for a server that separates calls from text; none where the notation has none."""

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the space of this notation's coordinates."""

    def read(self, reply: Reply, space: CoordinateSpace) -> Reading:
        """Return what a reply means; whatever it holds, this raises nothing."""


class Notation(ABC):
    """Common ground of the notations: they differ in words and in `actions`.

    Attributes:
        default: The name of its coordinates, where a profile names no others.
        hint: Said after each mistake: what a reply should look like.
    """

    default = "absolute"
    asks_in_user = False
    hint = ""

    def __init__(self, coordinates: Coordinates | None = None) -> None:
        self.coordinates = coordinates or COORDINATES[self.default]

    @property
    def limit(self) -> Limit:
        """What the model takes without shrinking it."""
        return self.coordinates.limit

    def space(self, screen: Size, image: Size) -> CoordinateSpace:
        """Return the space of this notation's coordinates."""
        return self.coordinates.space(screen, image)

    @abstractmethod
    def system(self, briefing: Briefing, image: Size, *, native: bool = False) -> str:
        """Return the instructions."""

    def tools(self, briefing: Briefing, image: Size) -> list[dict[str, Any]]:
        """Return no functions."""
        return []

    def read(self, reply: Reply, space: CoordinateSpace) -> Reading:
        """Return what a reply means; whatever it holds, this raises nothing."""
        said, acts = self.split(reply)
        return understood(self.actions(acts, reply.calls, space), told(reply.thought, said), reply, self.hint)

    def split(self, reply: Reply) -> tuple[str, str]:
        """Return what is said and what is done."""
        return "", reply.text

    @abstractmethod
    def actions(self, text: str, calls: tuple[ToolCall, ...], space: CoordinateSpace) -> Iterator[Action]:
        """Yield the actions of a reply.

        Raises:
            ActionError: The next one is not understood.
        """


def understood(actions: Iterator[Action], thought: str, reply: Reply, hint: str) -> Reading:
    """Gather actions until the first that is not understood; a reply without any is not understood either."""
    done: list[Action] = []
    try:
        if len(reply.text) + sum(len(call.arguments) for call in reply.calls) > MAX_REPLY:
            raise ActionError(f"the reply is longer than {MAX_REPLY} characters")
        for action in actions:
            if len(done) == MAX_ACTIONS:
                raise ActionError(f"the reply holds more than {MAX_ACTIONS} actions")
            done.append(action)
        if not done:
            raise ActionError("the reply holds no action" if reply.text.strip() else "the reply is empty")
    except ActionError as error:
        problem = f"{short(str(error))}. {hint}".strip(". ") + "."
        return Reading(tuple(done), thought, problem)
    return Reading(tuple(done), thought)


def told(*parts: str) -> str:
    """Join what a model said of its reasons."""
    return "\n".join(part.strip() for part in parts if part.strip())


def short(sentence: str) -> str:
    """Return a sentence that may be sent and kept: not long, and without broken characters."""
    return sound(sentence if len(sentence) <= _SENTENCE else sentence[:_SENTENCE] + "…")


def sound(text: str) -> str:
    """Return a text without lone surrogates, which no server and no file takes."""
    return text.encode("utf-8", "replace").decode()


def shown(value: object) -> str:
    """Return a value as a message shows it, whatever its size and depth."""
    try:
        return reprlib.repr(value)
    except ValueError:  # a whole number with more digits than Python writes
        return "a very large number"


def number(value: object) -> int | float | None:
    """Return a number as it was written, whole or not; None for anything else, and for what no number here is."""
    if isinstance(value, str) and len(value) < 40 and _NUMBER.fullmatch(value.strip()):
        value = float(value) if "." in value else int(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _LARGEST:
        return None
    return value


def from_json(text: str) -> Any:
    """Return what JSON says.

    Raises:
        ActionError: It is no JSON.
    """
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError) as error:
        raise ActionError(f"{shown(text.strip())} is not valid JSON ({short(str(error))})") from None


class Mark(NamedTuple):
    """A numbered box that is named where a place is wanted."""

    number: int


class Arguments:
    """The arguments of one call: each is taken by name and kind, and what nobody took is a mistake."""

    def __init__(self, call: str, given: object) -> None:
        if not isinstance(given, Mapping):
            raise ActionError(f"{call}: the arguments are {shown(given)}, but must be an object")
        self.call = call
        self._left = {str(name): value for name, value in given.items()}

    def take(self, *names: str, default: Any = _MISSING) -> Any:
        """Return the argument that has one of these names.

        Raises:
            ActionError: It is missing, or given twice.
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
        """Say that no other argument is known.

        Raises:
            ActionError: There is one.
        """
        if self._left:
            unknown = ", ".join(sorted(name[:40] for name in self._left)[:5])
            raise ActionError(f"{self.call}: unknown argument {unknown}")

    def has(self, *names: str) -> bool:
        """Whether an argument of one of these names is left."""
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
        """Return a whole number."""
        value = number(given := self.take(*names, default=default))
        if value is None or int(value) != value:
            raise self._mistake(names, given, "a whole number")
        return int(value)

    def yes(self, *names: str, default: bool) -> bool:
        """Return whether something is so."""
        value = self.take(*names, default=default)
        if not isinstance(value, bool):
            raise self._mistake(names, value, "true or false")
        return value

    def one_of(self, options: Mapping[str, Any], *names: str, default: str = _MISSING) -> Any:
        """Return what one of some words stands for."""
        word = self.text(*names, default=default)
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
        """Return the screen pixel that a pair, a box or a text with one of them means."""
        return space.to_screen(*place(self.call, self.take(*names)))

    def _mistake(self, names: tuple[str, ...], value: object, wanted: str) -> ActionError:
        return ActionError(f"{self.call}: {names[0]} is {shown(value)}, but must be {wanted}")


_TAGS = re.compile(r"<\|?/?(?:point|bbox|box|box_start|box_end|points)\|?>")
_PLACE = re.compile(r"\s*[(\[]?\s*([^()\[\]<>]*?)\s*[)\]]?\s*")


def place(call: str, value: object) -> tuple[float, float]:
    """Return x and y of a pair, or of the middle of a box, written as a list or as text.

    Raises:
        ActionError: It is neither.
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
    raise ActionError(f"{call}: {shown(value)} is not a point; write two numbers, x and y")


def middle(low: float, high: float) -> float:
    """Return the middle between two numbers: a point given as a box without extent stays the number it was."""
    return low if low == high else (low + high) / 2


def notches(call: str, down: float, right: float, where: Point | None) -> Iterator[Action]:
    """Yield turns of the wheel, in several where one action does not take as many.

    Raises:
        ActionError: It is turned not at all, or beyond all reason.
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
    """Return whole notches, at least one where the wheel is turned at all."""
    return round(turns) or (0 if turns == 0 else 1 if turns > 0 else -1)


def fenced(text: str) -> tuple[str, list[str], bool]:
    """Return what stands around code blocks, the blocks without their language, and whether the last is unclosed."""
    parts = text.split("```")
    blocks = [without_language(block) for block in parts[1::2]]
    return "\n".join(part.strip() for part in parts[::2] if part.strip()), blocks, len(parts) % 2 == 0


def without_language(block: str) -> str:
    """Return what a fenced block holds, without the name of a language at its beginning."""
    return _LANGUAGE.sub("", block, count=1).strip()


# The name of a language before the first line: words in capitals are actions of some notations.
_LANGUAGE = re.compile(r"^[A-Za-z]?[a-z0-9_+-]*[ \t]*\n|^(?:python|py|json)\s")
