"""Base class of agents that are backed by a model server."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import ClassVar, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.base import Briefing, Decision
from pytest_cuabench.agents.models import prompts
from pytest_cuabench.agents.models.budget import Hold, SpendLimit
from pytest_cuabench.agents.models.calls import DEADLINE, TIMEOUT, Caller, Trouble, overflows, require_server
from pytest_cuabench.agents.models.money import Prices, Tariff, most_tokens, most_tokens_of_pictures
from pytest_cuabench.agents.models.pictures import Limit, resized
from pytest_cuabench.agents.models.rates import Booking, Rates, rates_file
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.errors import (
    AgentFailure,
    BudgetSpent,
    CuabenchError,
    EnvironmentFailure,
    ProviderFailure,
    SettingError,
    Unacceptable,
)
from pytest_cuabench.task.action import CoordinateSpace, Size
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

_T = TypeVar("_T")

# Upper bounds for every vendor, because a call must not cost more than it reserves.
_OVERHEAD = 10_000  # tokens of tools and instructions
_TURN = 1_000  # tokens of formatting around a turn's texts

SafetyPolicy = Literal["deny", "ack", "ask"]


class ModelOptions(BaseModel):
    """`[options]` of a profile with a model.

    Attributes:
        url: URL of the server, instead of the vendor's.
        max_tokens: Longest reply.
        temperature: Sent only if given.
        history: Number of screenshots in a request, including the newest; older ones are replaced by a word.
        image: Longest edge and maximum pixels of a picture, instead of the known limits of the model.
        safety: Answer to confirmations that the vendor's server asks for: `deny` ends the episode, `ack` confirms,
            `ask` prompts the person at the terminal. Every question is counted in the record.
        system: Replaces the default instructions.
        timeout: Timeout of one try, in seconds.
        deadline: Timeout of all tries of a call, in seconds.
        prices: US dollars per million tokens, if genai-prices lacks them or is wrong.
        requests_per_minute: Maximum requests per minute of all workers of this machine.
        tokens_per_minute: Maximum tokens per minute, in and out, of all workers of this machine.
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


class Shown(NamedTuple):
    """What a request holds: its pictures, and whether it begins with the whole request before, from a cache.

    Attributes:
        written: Whether the rest is written to a cache, at a price of its own.
    """

    pictures: int
    cached: bool = False
    written: bool = False


class ModelAgent(ABC):
    """An agent backed by a model. A subclass implements beginning a conversation and taking a turn.

    A turn creates the messages from the observation, awaits `self.call(request)`, calls `self.spend(...)` as soon as
    the reply is there, and parses it. Usage before a failed call is kept in the `ProviderFailure`. Subclasses need no
    code for cost and rate limits: `call` sends nothing before the limits allow it.
    """

    server: ClassVar[str] = "the model's server"
    provider: ClassVar[str | None] = None  # its name in genai-prices
    briefing: Briefing

    def __init__(self, profile: Profile, options: ModelOptions) -> None:
        if not profile.model:
            raise SettingError(f'agent {profile.name!r} has no model; add model = "..." to its profile')
        self.profile = profile
        self.model = profile.model
        self.limits = options
        self.tariff = Tariff(profile.model, self.provider, options.prices)
        self._caller = Caller(self.explain, deadline=options.deadline, secret=self._key)
        self._rates = self._shared_rates()
        self._sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
        self._spend_limit: SpendLimit | None = None
        self._hold: Hold | None = None
        self._booking: Booking | None = None
        self._spent = Usage()
        self._settled = 0.0  # the part that was charged call by call
        self._waited = 0.0
        self._context = self._news = 0  # tokens of the conversation so far, and of what comes new to it

    @abstractmethod
    def explain(self, error: Exception) -> Trouble | None:
        """Explain an exception of the vendor's SDK; None if it is not a fault of the server."""

    @abstractmethod
    async def begin(self) -> None:
        """Begin a new conversation about `self.briefing`, and discard the previous one."""

    @abstractmethod
    async def turn(self, seen: Observation) -> Decision:
        """Send the observation, with the results and notices of the last step, and parse the reply."""

    def check(self) -> None:
        """See that the user's own servers take connections.

        Raises:
            SettingError: Nothing answers at one of them.
        """
        for url in self.own_servers():
            require_server(url, f"agent {self.profile.name!r}")

    def own_servers(self) -> tuple[str, ...]:
        """Return the addresses of servers that the user runs."""
        return (self.limits.url,) if self.limits.url else ()

    def picture_limit(self) -> Limit:
        """Return the largest picture that the model's server does not scale down."""
        return Limit()

    def shown(self, call: int) -> Shown:
        """Return what the request of an episode's call holds of the calls before; the first is 0."""
        return Shown(min(call + 1, self.limits.history))

    @property
    def helpers(self) -> tuple[str, ...]:
        """Names of further models that this agent calls."""
        return ()

    @property
    def longest_reply(self) -> int:
        """Maximum tokens of a reply, including thinking; the spending limit reserves as much."""
        return self.limits.max_tokens

    # The agent interface

    async def start(self, briefing: Briefing) -> None:
        """Begin a new episode, and discard the previous one."""
        self.briefing = briefing
        self._caller.replied = False  # in this episode
        texts = (prompts.task(briefing), self.limits.system or "")
        self._context, self._news = 0, _OVERHEAD + sum(map(most_tokens, texts))
        await self.begin()

    async def decide(self, observation: Observation) -> Decision:
        """Return the model's next step.

        Raises:
            ProviderFailure: The server failed permanently; `usage` holds the usage before.
            AgentFailure: It refuses a request permanently after a reply in the same episode.
            BudgetSpent: The rest of the spending limit does not cover the call; `usage` as above.
        """
        self._spent, self._settled, self._waited = Usage(), 0.0, 0.0
        self._news += _TURN + self._most_tokens_of(observation)
        try:
            decision = await self.turn(observation)
        except (ProviderFailure, BudgetSpent) as failure:
            failure.usage = (failure.usage or Usage()) + self._spent
            if isinstance(failure, Unacceptable):
                ending = "budget" if overflows(str(failure)) else "failure"
                raise AgentFailure(str(failure), failure.usage, ending) from failure
            raise
        except CuabenchError:
            raise
        except Exception as error:
            problem = f"agent {self.profile.name!r} failed: {type(error).__name__}: {error}"
            # Without a reply this is no fault of the model's; with one the model is told, and goes on.
            if not self._spent.tokens_out:
                raise ProviderFailure(problem, self._spent) from error
            decision = Decision(
                format_error=f"it cannot be read ({type(error).__name__})", raw={"fault": problem}
            )
        finally:
            self._settle()
        return replace(decision, usage=self._spent, waited=self._waited)

    @abstractmethod
    async def close(self) -> None:
        """Release the conversation and the connection."""

    # For subclasses

    async def call(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """Return the server's reply to a request, with retries.

        Raises:
            ProviderFailure: All tries failed.
        """
        answered = await self._caller(lambda: self._send(request), before=self._admit)
        self._waited += answered.waited
        return answered.value

    def spend(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> None:
        """Record the usage of a call.

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
            EnvironmentFailure: The screenshot is missing or invalid.
        """
        if seen.screenshot is None:
            raise EnvironmentFailure(f"{self.profile.name} needs a screenshot, but the observation has none")
        return resized(seen.screenshot, self.image_size)

    # Cost and rate limits

    def unpriced(self) -> str | None:
        """Return the message for a model of this agent with unknown prices; None if all are known."""
        return None if self.tariff.known else without_price(self.model, self.profile, "options.prices")

    def set_spend_limit(self, spend_limit: SpendLimit) -> None:
        """Reserve the worst-case cost of every call in this spending limit before it is sent.

        Raises:
            SettingError: The model's prices are unknown.
        """
        if unpriced := self.unpriced():
            raise SettingError(unpriced)
        self._spend_limit = spend_limit

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
        """Wait until the rate limit allows one more request, and reserve its worst-case cost."""
        if self._rates:
            await self._take_turn(self._rates)
        if self._spend_limit:
            self._pay(None)  # an earlier call without a reported cost
            worst = self.tariff.worst(self._context + self._news, self.longest_reply)
            self._hold = await self._spend_limit.hold(worst or 0.0)

    async def _take_turn(self, rates: Rates) -> None:
        longest = self.limits.deadline
        self._booking = rates.book(self._context + self._news, longest)
        if self._booking is None:
            raise ProviderFailure(
                f"the limits of agent {self.profile.name!r} (requests_per_minute, tokens_per_minute) allow no call "
                f"within {longest:g} s; use fewer workers (-n) or raise the limits"
            )
        await self._sleep(self._booking.wait)

    async def _send(self, request: Callable[[], Awaitable[_T]]) -> _T:
        """Send one try; it costs nothing on a reported failure, and the reserved amount if no cost is reported."""
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
            if cost is None:  # the length of the reply is unknown
                self._news += self.longest_reply
        elif self._spend_limit and cost:
            self._spend_limit.charge(cost)

    def _settle(self) -> None:
        """Charge spend that the calls did not report."""
        self._pay(None)
        if self._spend_limit and (self._spent.cost or 0.0) > self._settled:
            self._spend_limit.charge((self._spent.cost or 0.0) - self._settled)

    def _most_tokens_of(self, seen: Observation) -> int:
        size = self.image_size
        pictures = [seen.screenshot, *(result.image for result in seen.results)]
        shown = sum(picture is not None for picture in pictures)
        return most_tokens_of_pictures(size, shown) + most_tokens(prompts.look(seen))


def without_price(model: str, profile: Profile, table: str) -> str:
    """Return the message for a model with unknown prices; `table` is the profile's table for them."""
    return (
        f"--cua-max-cost: the prices of {model} are unknown; add them to the profile of agent {profile.name!r}, in "
        f"US dollars per million tokens: [{table}] input = ..., output = ..."
    )
