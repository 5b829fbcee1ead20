"""Estimate of a run: a range of tokens and cost, with its assumptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pydantic import ValidationError

from pytest_cuabench.agents.models.model import Shown
from pytest_cuabench.agents.models.money import Prices, Tariff
from pytest_cuabench.agents.profile import Profile
from pytest_cuabench.task.action import Size
from pytest_cuabench.task.text import dollars

if TYPE_CHECKING:
    from pytest_cuabench.agents.models.model import ModelAgent

Budget = tuple[int, Size]  # decisions allowed, screen
Request = Callable[[int], Shown]  # what the request of a call holds
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
    """Tokens in and out; `cached` and `written` are the parts of the input read from and written to a cache."""

    input: int
    output: int
    cached: int = 0
    written: int = 0


def tokens(steps: int, picture: Size, observation: str, shown: Request, habits: Habits) -> Tokens:
    """Return the tokens of one episode: every call sends the instructions, some looks and all replies again."""
    calls = max(1, round(steps * habits.share))
    seen = picture.width * picture.height // habits.pixels if observation in _WITH_PICTURE else 0
    look = seen + (habits.text if observation != "screenshot" else 0)
    sent = cached = written = before = 0
    for call in range(calls):
        request = shown(call)
        size = habits.instructions + request.pictures * look + call * habits.reply
        kept = min(before, size) if request.cached else 0
        sent, cached, before = sent + size, cached + kept, size
        written += size - kept if request.written else 0
    return Tokens(sent, calls * habits.reply, cached, written)


_WITH_PICTURE = ("screenshot", "screenshot+tree", "marks")


def estimated(
    budgets: Sequence[Budget],
    profile: Profile,
    player: ModelAgent | None,
    observation: str,
    max_cost: float | None = None,
) -> Iterator[str]:
    """Yield the lines of an estimate; `player` is an agent of the profile if it is a `ModelAgent`."""
    shown = player.shown if player else _shown
    tariff = player.tariff if player else Tariff(profile.model or "", None, _own_prices(profile))
    pictures = [_picture(player, screen) for _, screen in budgets]
    few, many = (
        [
            tokens(steps, picture, observation, shown, habits)
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
    longest = max((steps for steps, _ in budgets), default=1)
    most = max(shown(call).pictures for call in range(longest))
    share = _share(many)
    cache = f"{share:.0%} of the input from a cache".replace("%", " %") if share else "no cache"
    yield f"            pictures of {sizes}, up to {most} of them in a call; {cache}; no second attempts"


def _picture(player: ModelAgent | None, screen: Size) -> Size:
    return (player.limits.image or player.picture_limit()).fit(screen) if player else screen


def _own_prices(profile: Profile) -> Prices | None:
    try:
        return Prices.model_validate(profile.options.get("prices"))
    except ValidationError:
        return None


def _cost(tariff: Tariff, episodes: Sequence[Tokens]) -> float | None:
    """Return what they cost at the price of small calls; that of large ones would be taken for whole episodes."""
    sums = Tokens(*(sum(counts) for counts in zip(*episodes, strict=True))) if episodes else Tokens(0, 0)
    plain = sums.input - sums.cached - sums.written
    counted = (
        (plain, tariff.cost(1000, 0)),
        (sums.output, tariff.cost(0, 1000)),
        (sums.cached, tariff.cost(1000, 0, 1000)),
        (sums.written, tariff.cost(1000, 0, 0, 1000)),
    )
    prices = [price for _, price in counted if price is not None]
    if len(prices) < len(counted):
        return None
    return sum(count * price for (count, _), price in zip(counted, prices, strict=True)) / 1000


def _share(episodes: Sequence[Tokens]) -> float:
    sent = sum(episode.input for episode in episodes)
    return sum(episode.cached for episode in episodes) / sent if sent else 0.0


def _shown(call: int) -> Shown:
    """Return what a player that is not made of ours may send."""
    return Shown(min(call + 1, _HISTORY))


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
