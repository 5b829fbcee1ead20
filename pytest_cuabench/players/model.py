"""The base of players that are models behind a server: what is the same whoever made them."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pytest_cuabench.action import Action, CoordinateSpace, Size
from pytest_cuabench.agent import Briefing, Decision
from pytest_cuabench.errors import (
    BudgetSpent,
    CuabenchError,
    EnvironmentFailure,
    ProviderFailure,
    SettingError,
)
from pytest_cuabench.observation import Observation
from pytest_cuabench.players import prompts
from pytest_cuabench.players.calls import DEADLINE, TIMEOUT, Caller, Trouble
from pytest_cuabench.players.money import Prices, Tariff, most_tokens, most_tokens_of_pictures
from pytest_cuabench.players.pictures import Limit, resized
from pytest_cuabench.players.purse import Hold, Purse
from pytest_cuabench.players.rates import Booking, Rates, rates_file
from pytest_cuabench.profile import Profile
from pytest_cuabench.usage import Usage

_T = TypeVar("_T")

# What a call holds in the purse must be no less than it costs; so these are on the safe side for every maker.
_OVERHEAD = 10_000  # tokens of the tools and instructions
_TURN = 1_000  # tokens of what stands around one turn's texts

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
        requests_per_minute: Requests that all workers of this machine may send together.
        tokens_per_minute: Tokens, in and out, that they may use together.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

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
    requests_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)


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
    reply is there, and read it. What is spent before a call dies is kept with the `ProviderFailure`. Money and rate
    limits are none of an adapter's business: `call` sends nothing before the purse and the limits allow it.
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
        self._caller = Caller(self.explain, deadline=options.deadline, secret=self._key)
        self._rates = self._shared_rates()
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._purse: Purse | None = None
        self._hold: Hold | None = None
        self._booking: Booking | None = None
        self._spent = Usage()
        self._settled = 0.0  # what of it was paid call by call
        self._waited = 0.0
        self._context = self._news = 0  # tokens of the conversation so far, and of what comes new to it

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

    @property
    def helpers(self) -> tuple[str, ...]:
        """Other models that this player asks besides its own."""
        return ()

    @property
    def longest_reply(self) -> int:
        """Tokens that a reply may have at most, thoughts included; the purse holds as much."""
        return self.limits.max_tokens

    # The seam of all agents

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode and forget the one before."""
        self.briefing = briefing
        texts = (prompts.task(briefing), self.limits.system or "")
        self._context, self._news = 0, _OVERHEAD + sum(map(most_tokens, texts))
        await self.begin()

    async def decide(self, observation: Observation) -> Decision:
        """Return what the model wants done.

        Raises:
            ProviderFailure: The server failed for good; `usage` holds what had been spent by then.
            BudgetSpent: The purse does not cover the call; `usage` as above.
        """
        self._spent, self._settled, self._waited = Usage(), 0.0, 0.0
        self._news += _TURN + self._most_tokens_of(observation)
        try:
            reading = await self.turn(observation)
        except (ProviderFailure, BudgetSpent) as failure:
            failure.usage += self._spent
            raise
        except CuabenchError:
            raise
        except Exception as error:
            problem = f"the player {self.profile.name!r} failed: {type(error).__name__}: {error}"
            raise ProviderFailure(problem, self._spent) from error
        finally:
            self._settle()
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
        answered = await self._caller(lambda: self._send(request), before=self._admit)
        self._waited += answered.waited
        return answered.value

    def spend(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> None:
        """Note what a call used.

        `tokens_in` counts all input, `cached` the part of it read from a cache, `written` the part written to one.
        """
        used = self.tariff.usage(tokens_in, tokens_out, cached, written)
        self._spent += used
        self._settled += used.cost or 0.0
        if tokens_in or tokens_out:
            self._context, self._news = tokens_in + tokens_out, _TURN
        if self._rates and self._booking:
            self._rates.settle(self._booking, tokens_in + tokens_out)
            self._booking = None
        self._pay(used.cost)

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

    # Money and rate limits

    def unpriced(self) -> str | None:
        """Return the sentence on a model of this player whose price nobody knows; None where all are known."""
        return None if self.tariff.known else without_price(self.model, self.profile, "options.prices")

    def pay_from(self, purse: Purse) -> None:
        """Hold the worst case of every call in this purse before it is sent.

        Raises:
            SettingError: Nobody knows what the model costs.
        """
        if unpriced := self.unpriced():
            raise SettingError(unpriced)
        self._purse = purse

    @property
    def _key(self) -> str | None:
        return os.environ.get(self.profile.key) if self.profile.key else None

    def _shared_rates(self) -> Rates | None:
        requests, tokens = self.limits.requests_per_minute, self.limits.tokens_per_minute
        if requests is None and tokens is None:
            return None
        file = rates_file(self.limits.url or self.server, self.model, self._key)
        return Rates(file, requests, tokens)

    async def _admit(self) -> None:
        """Wait until one more request fits into the minute, and set its worst case aside."""
        if self._rates:
            await self._take_turn(self._rates)
        if self._purse:
            self._pay(None)  # a call before this one that never told
            worst = self.tariff.worst(self._context + self._news, self.longest_reply)
            self._hold = await self._purse.hold(worst or 0.0)

    async def _take_turn(self, rates: Rates) -> None:
        longest = self.limits.deadline
        self._booking = rates.book(self._context + self._news, longest)
        if self._booking is None:
            raise ProviderFailure(
                f"the limits of agent {self.profile.name!r} (requests_per_minute, tokens_per_minute) leave no room for "
                f"a call within {longest:g} s; use fewer workers (-n) or raise them"
            )
        await self._sleep(self._booking.wait)

    async def _send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """Send one try; it is free where the server says that it failed, and no cheaper than held where nobody does."""
        try:
            return await request()
        except Exception as error:
            trouble = self.explain(error)
            if trouble and trouble.answered:
                self._pay(0.0)
            raise

    def _pay(self, cost: float | None) -> None:
        if self._hold and self._hold.open:
            self._hold.pay(cost)
            if cost is None:  # how long the reply was, nobody knows
                self._news += self.longest_reply
        elif self._purse and cost:
            self._purse.charge(cost)

    def _settle(self) -> None:
        """Pay for the decision what was not paid by its calls: a call that never told, and money spent besides."""
        self._pay(None)
        if self._purse and (self._spent.cost or 0.0) > self._settled:
            self._purse.charge((self._spent.cost or 0.0) - self._settled)

    def _most_tokens_of(self, seen: Observation) -> int:
        size = self.image_size
        pictures = [seen.screenshot, *(result.image for result in seen.results)]
        shown = sum(picture is not None for picture in pictures)
        return most_tokens_of_pictures(size, shown) + most_tokens(prompts.look(seen))


def without_price(model: str, profile: Profile, table: str) -> str:
    """Return the sentence on a model whose price nobody knows; `table` is where the profile says it."""
    return (
        f"--cua-max-cost: nobody knows what {model} costs; say it in the profile of agent {profile.name!r}, in "
        f"US dollars for a million tokens: [{table}] input = ..., output = ..."
    )


def read_options(profile: Profile, model: type[_Options]) -> _Options:
    """Return a profile's options, checked.

    Raises:
        SettingError: One is unknown or not allowed; the sentence names it.
    """
    try:
        return model.model_validate(dict(profile.options))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(("options", *map(str, first["loc"])))
        problem = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden" and len(first["loc"]) == 1:
            problem = f"there is no such option; known: {', '.join(sorted(model.model_fields))}"
        raise SettingError(f"agent {profile.name!r}: {place}: {problem}") from None
