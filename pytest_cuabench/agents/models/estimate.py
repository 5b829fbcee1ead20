"""Estimate of a run: a range of tokens and cost, with its assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from pytest_cuabench.agents.models.money import Prices, Tariff
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.text import dollars

if TYPE_CHECKING:
    from pytest_cuabench.agents.models.model import ModelAgent

Budget = tuple[int, Size]  # decisions allowed, screen
_HISTORY = 3


@dataclass(frozen=True, slots=True)
class Habits:
    """Assumptions about a model.

    Attributes:
        share: Share of the step budget that it uses.
        instructions: Tokens of instructions and tools, sent with every call.
        pixels: Pixels of a picture per token.
        text: Tokens of an observation's text, if any.
        reply: Tokens of one reply, including thinking.
    """

    share: float
    instructions: int
    pixels: int
    text: int
    reply: int


THRIFTY = Habits(share=0.3, instructions=1500, pixels=1000, text=1000, reply=150)
LAVISH = Habits(share=1.0, instructions=5000, pixels=500, text=8000, reply=600)


class Tokens(NamedTuple):
    """Tokens in and out."""

    input: int
    output: int


def tokens(steps: int, picture: Size, observation: str, history: int, habits: Habits) -> Tokens:
    """Return the tokens of one episode: every call sends the instructions, the last looks and all replies again."""
    calls = max(1, round(steps * habits.share))
    seen = picture.width * picture.height // habits.pixels if observation in _WITH_PICTURE else 0
    look = seen + (habits.text if observation != "screenshot" else 0)
    sent = sum(
        habits.instructions + min(call + 1, history) * look + call * habits.reply for call in range(calls)
    )
    return Tokens(sent, calls * habits.reply)


_WITH_PICTURE = ("screenshot", "screenshot+tree", "marks")


def estimated(
    budgets: Sequence[Budget],
    profile: Profile,
    player: ModelAgent | None,
    observation: str,
    max_cost: float | None = None,
) -> Iterator[str]:
    """Yield the lines of an estimate; `player` is an agent of the profile if it is a `ModelAgent`."""
    history = player.limits.history if player else _HISTORY
    tariff = player.tariff if player else Tariff(profile.model or "", None, _own_prices(profile))
    pictures = [_picture(player, screen) for _, screen in budgets]
    few, many = (
        [
            tokens(steps, picture, observation, history, habits)
            for (steps, _), picture in zip(budgets, pictures, strict=True)
        ]
        for habits in (THRIFTY, LAVISH)
    )
    yield f"tokens in   {_range(few, many, 0)}"
    yield f"tokens out  {_range(few, many, 1)}"
    least, most = _cost(tariff, few), _cost(tariff, many)
    yield f"cost        {_money(least, most)}"
    for helper in player.helpers if player else ():
        yield f"            plus the calls of {helper}, which cannot be estimated"
    if max_cost is not None and most is not None and most > max_cost:
        yield f"            --cua-max-cost={max_cost:g} may stop the run early"
    sizes = ", ".join(sorted({str(size) for size in pictures})) or "none"
    yield f"assumed     at least {_words(THRIFTY)}"
    yield f"            at most {_words(LAVISH)}"
    yield f"            pictures of {sizes}, {history} of them in every call; no cache, no second attempts"


def _picture(player: ModelAgent | None, screen: Size) -> Size:
    return (player.limits.image or player.picture_limit()).fit(screen) if player else screen


def _own_prices(profile: Profile) -> Prices | None:
    try:
        return Prices.model_validate(profile.options.get("prices"))
    except ValidationError:
        return None


def _cost(tariff: Tariff, episodes: Sequence[Tokens]) -> float | None:
    """Return what they cost at the price of small calls; that of large ones would be taken for whole episodes."""
    inputs, outputs = (sum(tokens) for tokens in zip(*episodes, strict=True)) if episodes else (0, 0)
    prices = tariff.cost(1000, 0), tariff.cost(0, 1000)
    if prices[0] is None or prices[1] is None:
        return None
    return (inputs * prices[0] + outputs * prices[1]) / 1000


def _range(few: Sequence[Tokens], many: Sequence[Tokens], which: int) -> str:
    least, most = (sum(episode[which] for episode in episodes) for episodes in (few, many))
    return f"{least:,} to {most:,}"


def _money(least: float | None, most: float | None) -> str:
    if least is None or most is None:
        return "unknown; add the prices to the profile: [options.prices] input = ..., output = ..."
    return f"{dollars(least)} to {dollars(most)}"


def _words(habits: Habits) -> str:
    return (
        f"{habits.share:.0%} of the steps; tokens: {habits.instructions:,} of instructions and tools, "
        f"1 for {habits.pixels:,} pixels, {habits.reply:,} a reply"
    ).replace("%", " %")
