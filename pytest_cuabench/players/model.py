"""The base of players that are models behind a server: what is the same whoever made them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.action import Action, CoordinateSpace, Size
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.errors import EnvironmentFailure, ProviderFailure, SettingError
from pytest_cuabench.observation import Observation
from pytest_cuabench.players.calls import DEADLINE, TIMEOUT, Caller, Trouble
from pytest_cuabench.players.money import Prices, Tariff
from pytest_cuabench.players.pictures import Limit, resized
from pytest_cuabench.profile import Profile
from pytest_cuabench.usage import Usage

_T = TypeVar("_T")

SafetyPolicy = Literal["deny", "ack", "ask"]


class ModelOptions(BaseModel):
    """`[options]` of a profile whose player is a model.

    Attributes:
        url: Where the server is, instead of the maker's.
        max_tokens: Longest reply.
        temperature: Sent only where it is given.
        history: How many screenshots the model sees again, the newest included; older ones become a word.
        image: Longest edge and most pixels of a picture, instead of what is known of the model.
        safety: What is done when the maker's server asks for a confirmation: `deny` ends the episode, `ack`
            confirms, `ask` asks the person at the terminal. Every question is counted in the record.
        system: Instructions instead of ours.
        timeout: Seconds that one try may take.
        deadline: Seconds that all tries of one call may take.
        prices: US dollars for a million tokens, where genai-prices does not know them or is wrong.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    url: str | None = None
    max_tokens: int = Field(default=4096, ge=16)
    temperature: float | None = Field(default=None, ge=0, le=2)
    history: int = Field(default=3, ge=1)
    image: Limit | None = None
    safety: SafetyPolicy = "deny"
    system: str | None = None
    timeout: float = Field(default=TIMEOUT, gt=0)
    deadline: float = Field(default=DEADLINE, gt=0)
    prices: Prices | None = None


_Options = TypeVar("_Options", bound=ModelOptions)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply was understood as: the actions before the first that was not, and the sentence about that one."""

    actions: tuple[Action, ...] = ()
    thought: str = ""
    format_error: str | None = None
    raw: Mapping[str, Any] | None = None


class ModelAgent(ABC):
    """A model as a player. An adapter says how to begin a conversation and how to take a turn.

    A turn is: make the messages from the observation, `await self.call(request)`, `self.spend(...)` as soon as the
    reply is there, and read it. What is spent before a call dies is kept with the `ProviderFailure`.
    """

    server: ClassVar[str] = "the model's server"
    provider: ClassVar[str | None] = None  # its name in genai-prices
    briefing: Briefing

    def __init__(self, profile: Profile, options: ModelOptions) -> None:
        if not profile.model:
            raise SettingError(f'agent {profile.name!r} names no model; add model = "..." to its profile')
        self.profile = profile
        self.model = profile.model
        self.limits = options
        self.tariff = Tariff(profile.model, self.provider, options.prices)
        self._caller = Caller(self.explain, deadline=options.deadline)
        self._spent = Usage()
        self._waited = 0.0

    @abstractmethod
    def explain(self, error: Exception) -> Trouble | None:
        """Return what an exception of the maker's SDK means; None for what is no fault of the server."""

    @abstractmethod
    async def begin(self) -> None:
        """Begin a new conversation about `self.briefing`, and forget the one before."""

    @abstractmethod
    async def turn(self, seen: Observation) -> Reading:
        """Show what is seen, with the results and notices of the last decision, and read the reply."""

    def picture_limit(self) -> Limit:
        """Return what the model takes without shrinking it."""
        return Limit()

    # The seam of all agents

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode and forget the one before."""
        self.briefing = briefing
        await self.begin()

    async def decide(self, observation: Observation) -> Decision:
        """Return what the model wants done.

        Raises:
            ProviderFailure: The server failed for good; `usage` holds what had been spent by then.
        """
        self._spent, self._waited = Usage(), 0.0
        try:
            reading = await self.turn(observation)
        except ProviderFailure as failure:
            failure.usage += self._spent
            raise
        return Decision(
            reading.actions,
            reading.thought,
            self._spent,
            self._waited,
            reading.format_error,
            reading.raw,
        )

    @abstractmethod
    async def close(self) -> None:
        """Let go of the conversation and of the connection."""

    # For adapters

    async def call(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """Return the server's answer to a request, tried again where that may help.

        Raises:
            ProviderFailure: There is none.
        """
        answered = await self._caller(request)
        self._waited += answered.waited
        return answered.value

    def spend(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> None:
        """Note what a call used.

        `tokens_in` counts all input, `cached` the part of it read from a cache, `written` that put into one.
        """
        self._spent += self.tariff.usage(tokens_in, tokens_out, cached, written)

    @property
    def image_size(self) -> Size:
        """The size of the pictures that are sent."""
        return (self.limits.image or self.picture_limit()).fit(self.briefing.screen)

    @property
    def pixels(self) -> CoordinateSpace:
        """The space of a model that answers in pixels of the picture sent."""
        return CoordinateSpace.image(self.briefing.screen, self.image_size)

    def picture(self, seen: Observation) -> bytes:
        """Return the screenshot at the size that is sent, as PNG.

        Raises:
            EnvironmentFailure: There is none, or it is no picture.
        """
        if seen.screenshot is None:
            raise EnvironmentFailure(f"{self.profile.name} needs a screenshot, but the observation has none")
        return resized(seen.screenshot, self.image_size)


def read_options(profile: Profile, model: type[_Options]) -> _Options:
    """Return a profile's options, checked.

    Raises:
        SettingError: One is unknown or not allowed; the sentence names it.
    """
    try:
        return model.model_validate(dict(profile.options))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SettingError(f"agent {profile.name!r}: options.{place}: {first['msg']}") from None
