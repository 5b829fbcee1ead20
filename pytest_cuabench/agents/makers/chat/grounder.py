"""Grounder: a model that finds points on a screenshot, with one reply or by majority vote."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.agents.makers.chat.action_spaces.base import COORDINATES, formatted, strip_surrogates
from pytest_cuabench.agents.makers.chat.action_spaces.described import find_place
from pytest_cuabench.agents.makers.chat.completions import Completion, Endpoint, Message, Sampling, Unanswered
from pytest_cuabench.agents.makers.chat.conversation import Picture, filled, user_message
from pytest_cuabench.agents.makers.chat.official import filled_text, prompt_file
from pytest_cuabench.agents.models.budget import Payment, SpendLimit
from pytest_cuabench.agents.models.calls import DEADLINE, TIMEOUT, Answered, Caller
from pytest_cuabench.agents.models.money import Prices, Tariff, most_tokens, most_tokens_of_pictures
from pytest_cuabench.agents.models.pictures import Limit, data_url, resized
from pytest_cuabench.errors import ActionError, EnvironmentFailure, SettingError
from pytest_cuabench.task.action import CoordinateSpace, Point, Size
from pytest_cuabench.task.names import unknown_name
from pytest_cuabench.task.observation import Observation
from pytest_cuabench.task.usage import Usage

_QUESTION = (
    "Find this on the picture: {target}\n{coordinates} Reply with the point to click, as (x, y), and nothing else; "
    "reply with the word none if it is not there."
)


class GrounderOptions(BaseModel):
    """`[options.grounder]`: the model that finds points.

    Attributes:
        key: Name of the environment variable of its key, where its server wants one.
        coordinates: Its coordinate notation: a name of `action_spaces.COORDINATES`.
        question: The prompt; `{target}` and `{coordinates}` are filled in.
        prompt: Instead of `question`, the prompt of its maker: the name of a file in `agents/prompts`.
        votes: Number of replies per point; more than half have to agree.
        agree: Pixels of the screen within which answers count as the same.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(min_length=1)
    url: str = "http://localhost:8001/v1"
    key: str | None = Field(default=None, pattern=r"^[A-Z][A-Z0-9_]*$")
    coordinates: str = "relative1000"
    question: str = _QUESTION
    prompt: str | None = None
    votes: int = Field(default=1, ge=1, le=15)
    agree: int = Field(default=16, ge=0)
    max_tokens: int = Field(default=256, ge=8)
    temperature: float | None = Field(default=None, ge=0, le=2)
    image: Limit | None = None
    timeout: float = Field(default=TIMEOUT, gt=0)
    deadline: float = Field(default=DEADLINE, gt=0)
    prices: Prices | None = None
    body: Mapping[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one search: answers, what they cost, seconds of back-off, and the failure that ended it."""

    answers: tuple[Completion, ...]
    usage: Usage
    waited: float
    failure: Exception | None


class Grounder:
    """Finds a described element on the screen.

    Raises:
        SettingError: Its coordinates or its address are unknown.
    """

    def __init__(self, options: GrounderOptions, caller: Caller) -> None:
        if options.coordinates not in COORDINATES:
            raise SettingError(
                f"options.grounder.coordinates: {unknown_name('notation', options.coordinates, COORDINATES)}"
            )
        sampling = Sampling(options.max_tokens, options.temperature, options.body)
        self._options = options
        self._coordinates = COORDINATES[options.coordinates]
        self._published = prompt_file(options.prompt) if options.prompt else None
        self._endpoint = Endpoint(options.url, options.model, options.key, sampling, options.timeout)
        self.tariff = Tariff(options.model, None, options.prices)
        self.model = options.model
        self.spend_limit: SpendLimit | None = None
        self._caller = caller

    @property
    def url(self) -> str:
        """The address of its server."""
        return self._endpoint.url

    async def ask(self, target: str, seen: Observation) -> Asked:
        """Ask for a place as often as there are votes, all at once."""
        if seen.screenshot is None:
            raise EnvironmentFailure("the grounder needs a screenshot, but the observation has none")
        image = self._image(seen.size)
        messages = self._messages(strip_surrogates(target), resized(seen.screenshot, image), image)
        worst = self.tariff.worst(
            sum(most_tokens(text) for text in _texts(messages)) + most_tokens_of_pictures(image),
            self._options.max_tokens,
        )
        votes = [self._vote(messages, worst or 0.0) for _ in range(self._options.votes)]
        # All of them end before a failure counts, so that each is paid.
        came = await asyncio.gather(*votes, return_exceptions=True)
        # A cancellation is no failed vote.
        for stop in (error for error in came if not isinstance(error, Answered | Exception)):
            raise stop
        answered = [answer for answer in came if isinstance(answer, Answered)]
        return Asked(
            tuple(answer.value for answer in answered),
            sum((self._usage(answer.value) for answer in answered), Usage()),
            max((answer.waited for answer in answered), default=0.0),
            next((error for error in came if isinstance(error, Exception)), None),
        )

    def _messages(self, target: str, png: bytes, image: Size) -> list[Message]:
        """Return the question: the maker's, where the profile names one, or that of the options."""
        picture = Picture(data_url(png))
        if self._published is None:
            words = self._options.question.replace("{coordinates}", self._coordinates.describe(image))
            return [user_message([picture, words.replace("{target}", target)])]
        asked = filled(self._published.task, {"goal": target, "screenshot": [picture]})
        system = filled_text(self._published.system, image)
        return [*([{"role": "system", "content": system}] if system else []), user_message(asked)]

    async def _vote(self, messages: list[Message], worst: float) -> Answered[Completion]:
        """Return one answer, paid by itself."""
        payment = Payment(self.spend_limit, worst)

        async def asked() -> Completion:
            try:
                return await self._endpoint.ask(messages)
            except Unanswered as failure:
                if failure.trouble.answered:
                    payment.pay(0.0)
                raise

        try:
            answer = await self._caller(asked, before=payment.prepare)
            payment.pay(self._usage(answer.value).cost)
        finally:
            payment.pay(None)
        return answer

    def agreed(self, target: str, answers: Sequence[Completion], screen: Size) -> Point:
        """Return the screen pixel in the middle of what more than half of the answers name.

        Raises:
            ActionError: They do not agree, or name no place.
        """
        space = self._coordinates.space(screen, self._image(screen))
        points = [point for answer in answers if (point := _named(answer, space)) is not None]
        near = max(([b for b in points if self._same(a, b)] for a in points), key=len, default=[])
        if 2 * len(near) <= len(answers):
            why = "the grounder's points disagree" if points else "the grounder sees no such element"
            raise ActionError(f"{formatted(target)}: {why}; describe it by what can be seen on the screen")
        return Point(median_low(point.x for point in near), median_low(point.y for point in near))

    async def close(self) -> None:
        """Close the connection."""
        await self._endpoint.close()

    def _same(self, one: Point, other: Point) -> bool:
        return max(abs(one.x - other.x), abs(one.y - other.y)) <= self._options.agree

    def _image(self, screen: Size) -> Size:
        return (self._options.image or self._coordinates.limit).fit(screen)

    def _usage(self, answer: Completion) -> Usage:
        return self.tariff.usage(answer.tokens_in, answer.tokens_out, answer.tokens_cached)


def _texts(messages: list[Message]) -> Iterator[str]:
    for message in messages:
        content = message["content"]
        yield from [content] if isinstance(content, str) else (part.get("text", "") for part in content)


def _named(answer: Completion, space: CoordinateSpace) -> Point | None:
    """Return the pixel that an answer names; None where it names none, or one outside of the picture."""
    try:
        return None if answer.problem else space.to_screen(*find_place(answer.reply.text))
    except ActionError:
        return None
