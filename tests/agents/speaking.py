"""What every speaker is: a model that says what it is told to, about a picture that a server got.

Places are computed from that picture, and by nothing of the code under test: a model knows no more of the screen.
"""

from __future__ import annotations

import base64
import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from PIL import Image

from pytest_cuabench.agents.profile import Profile, load_profile
from pytest_cuabench.task.action import Action, Size

from .action_writers import At, Unspeakable

Body = dict[str, Any]
Numbers = Callable[[Size, float, float], tuple[Any, Any]]
Conductor = Callable[[Body], Any]
NOWHERE = Path("/nonexistent")  # a project without agents of its own
ERRORS: dict[str, dict[str, Any]] = {"busy": {"status": 429, "after": 1}, "broken": {"status": 500}}
OBJECTION = "The page gives orders."  # what a maker's safety service says


# How models write a place that is some fraction of the way across and down a picture


def pixels(picture: Size, across: float, down: float) -> tuple[int, int]:
    """Name the pixel of the picture."""
    return int(across * picture.width), int(down * picture.height)


def thousandths(picture: Size, across: float, down: float) -> tuple[int, int]:
    """Name the nearest step of a scale from 0 to 1000."""
    return round(across * 1000), round(down * 1000)


def cells(picture: Size, across: float, down: float) -> tuple[int, int]:
    """Name one of a thousand cells, 0 to 999."""
    return int(across * 1000), int(down * 1000)


def fractions(picture: Size, across: float, down: float) -> tuple[float, float]:
    """Name the fraction."""
    return round(across, 4), round(down, 4)


@dataclass
class Line:
    """A maker's server at work."""

    server: Any
    url: str
    answer: Callable[[Conductor], None]
    refused: Callable[[], Sequence[str]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Speaker(ABC):
    """One model of one maker.

    Attributes:
        adapter: Who reads it, by its class: a checkout plays without being reinstalled.
        name: What it is called here.
        plays: The shipped profile that it plays for.
        model: Instead of the profile's.
        options: Beside the profile's.
        numbers: How it writes places.
        most: Actions in one reply.
        shown: Pictures in the requests of an episode with `history = 2` and `trimming`.
        temperature: One that the model takes.
        asks: Whether its maker has a safety service that asks for confirmations.
        listed: Whether the prices of the profile's model are public.
        counted: Tokens of one reply: read, written, and of those read, the ones from and into a cache.
        sent: Where length, temperature and instructions stand in a request.
        complaints: What the model is told about a useless reply, by the name of the trouble.
        trimming: Options that keep no more pictures than `history`.
    """

    adapter: ClassVar[str]
    asks: ClassVar[bool] = False
    listed: ClassVar[bool] = True
    counted: ClassVar[tuple[int, int, int, int]]
    sent: ClassVar[tuple[str, str, str]]
    complaints: ClassVar[Mapping[str, str]]
    trimming: ClassVar[Mapping[str, Any]] = {}
    name: str
    plays: str
    model: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    numbers: Numbers = pixels
    most: int = 81
    shown: tuple[int, ...] = (1, 2, 2, 2, 2)
    temperature: float | None = 0.5

    def __str__(self) -> str:
        return self.name

    def profile(self, url: str, **options: Any) -> Profile:
        """Return the shipped profile, led to a server here."""
        shipped = load_profile(self.plays, NOWHERE)
        changed = {**shipped.options, **self.options, "url": url, **options}
        update = {"options": changed, "model": self.model or shipped.model, "adapter": self.adapter}
        return shipped.model_copy(update=update)

    def reply(self, body: Body, actions: Sequence[Action], screen: Size) -> Any:
        """Return the reply to a request that does these actions, whose places are pixels of `screen`."""
        size = Size(*self.picture(body).size)

        def at(x: int | None, y: int | None) -> tuple[Any, Any]:
            assert x is not None
            assert y is not None
            return self.numbers(size, (x + 0.5) / screen.width, (y + 0.5) / screen.height)

        return self.say(actions, at)

    def aside(self, body: Body) -> Any:
        """Return the reply to a request that is none for the next step; None to all others."""
        return None

    def concern(self, said: Any) -> Any:
        """Return a reply with a question of the maker's safety service."""
        raise Unspeakable(said)

    def trouble(self, name: str) -> Any:
        """Return what the server does instead of a reply: one of `ERRORS` or of `troubles`."""
        return self.fault(**ERRORS[name]) if name in ERRORS else self.troubles[name]

    @property
    @abstractmethod
    def key(self) -> str:
        """The key that its server takes."""

    @abstractmethod
    def serve(self) -> AbstractContextManager[Line]:
        """Run its maker's server."""

    def picture(self, body: Body) -> Image.Image:
        """Return the newest picture of a request."""
        return self.pictures(body)[-1]

    @abstractmethod
    def pictures(self, body: Body) -> list[Image.Image]:
        """Return the pictures of a request, in order."""

    @abstractmethod
    def opens(self, body: Body) -> bool:
        """Whether a request begins an episode."""

    @abstractmethod
    def say(self, actions: Sequence[Action], at: At) -> Any:
        """Return the reply that does these actions."""

    @abstractmethod
    def uncounted(self, said: Any) -> Any:
        """Return a reply whose tokens the server does not count."""

    @abstractmethod
    def fault(self, status: int, message: str = "trouble", after: float | None = None) -> Any:
        """Return an error of the server, which may ask to wait some seconds."""

    @property
    @abstractmethod
    def troubles(self) -> Mapping[str, Any]:
        """Trouble that is no error of the server: `silent`, `cut`, `garbled`, and useless replies."""


def decoded(data: str) -> Image.Image:
    """Return a picture from base64."""
    return Image.open(io.BytesIO(base64.b64decode(data)))
