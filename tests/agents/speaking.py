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
TROUBLES = ("busy", "broken", "silent", "cut", "refusal", "empty")


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

    url: str
    answer: Callable[[Conductor], None]
    refused: Callable[[], Sequence[str]]


@dataclass(frozen=True, eq=False, kw_only=True)
class Speaker(ABC):
    """One model of one maker.

    Attributes:
        adapter: Who reads it, by its class: a checkout plays without being installed anew.
        name: What it is called here.
        plays: The shipped profile that it plays for.
        model: Instead of the profile's.
        options: Beside the profile's.
        numbers: How it writes places.
        most: Actions in one reply.
        asks: Whether its maker has a safety service that asks for confirmations.
    """

    adapter: ClassVar[str]
    asks: ClassVar[bool] = False
    name: str
    plays: str
    model: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    numbers: Numbers = pixels
    most: int = 81

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

    @property
    @abstractmethod
    def key(self) -> str:
        """The key that its server takes."""

    @abstractmethod
    def serve(self) -> AbstractContextManager[Line]:
        """Run its maker's server."""

    @abstractmethod
    def picture(self, body: Body) -> Image.Image:
        """Return the newest picture of a request."""

    @abstractmethod
    def opens(self, body: Body) -> bool:
        """Whether a request begins an episode."""

    @abstractmethod
    def say(self, actions: Sequence[Action], at: At) -> Any:
        """Return the reply that does these actions."""

    @abstractmethod
    def trouble(self, name: str) -> Any:
        """Return what the server does instead of a reply: one of `TROUBLES`."""


def decoded(data: str) -> Image.Image:
    """Return a picture from base64."""
    return Image.open(io.BytesIO(base64.b64decode(data)))
