"""Cost of calls: prices from genai-prices or from the profile; an unknown price stays unknown."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.task.action import Size
from pytest_cuabench.task.usage import Usage

_PIXELS_PER_TOKEN = 400  # on the safe side for every maker


class Prices(BaseModel):
    """A profile's prices in US dollars per million tokens.

    Attributes:
        cached: Of input read from a cache; that of `input` where it is not said.
        written: Of input written to a cache; that of `input` where it is not said.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    written: float | None = Field(default=None, ge=0)

    def cost(self, tokens_in: int, tokens_out: int, cached: int, written: int) -> float:
        """Return US dollars; cached and written tokens are among those of the input, and never more than these."""
        cached = min(cached, tokens_in)
        written = min(written, tokens_in - cached)
        read, write = (self.input if price is None else price for price in (self.cached, self.written))
        plain = tokens_in - cached - written
        whole = plain * self.input + cached * read + written * write + tokens_out * self.output
        return whole / 1_000_000


@dataclass(frozen=True, slots=True)
class Tariff:
    """The prices of one model.

    Attributes:
        provider: Its name in genai-prices; None where only the profile knows a price.
    """

    model: str
    provider: str | None
    own: Prices | None = None

    @property
    def known(self) -> bool:
        """Whether the price is known."""
        return self.cost(1, 1) is not None

    @property
    def free(self) -> bool:
        """Whether it is known to cost nothing."""
        return self.cost(1000, 1000) == 0

    def usage(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> Usage:
        """Return the usage of a call.

        `tokens_in` counts all input, `cached` the part of it read from a cache, `written` the part written to one.
        """
        if not tokens_in and not tokens_out and not self.free:
            return Usage(cost=None)  # every call uses tokens: the reply did not report them
        return Usage(tokens_in, tokens_out, cached, self.cost(tokens_in, tokens_out, cached, written))

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> float | None:
        """Return US dollars; None if the price is unknown, or the counts contradict each other."""
        if self.own is not None:
            return self.own.cost(tokens_in, tokens_out, cached, written)
        if self.provider is None:
            return None
        with suppress(LookupError, ValueError, ImportError):
            from genai_prices import Usage as Used
            from genai_prices import calc_price

            used = Used(
                input_tokens=tokens_in,
                output_tokens=tokens_out,
                cache_read_tokens=cached or None,
                cache_write_tokens=written or None,
            )
            return float(calc_price(used, model_ref=self.model, provider_id=self.provider).total_price)
        return None

    def worst(self, tokens_in: int, tokens_out: int) -> float | None:
        """Return the worst-case cost of a call: all of its input may be written to a cache."""
        plain, written = self.cost(tokens_in, tokens_out), self.cost(tokens_in, tokens_out, 0, tokens_in)
        return plain if plain is None or written is None else max(plain, written)


def most_tokens(text: str) -> int:
    """Return an upper bound of a text's tokens: its number of bytes."""
    return len(text.encode(errors="surrogatepass"))


def most_tokens_of_pictures(size: Size, number: int = 1) -> int:
    """Return an upper bound of the tokens of pictures of a size."""
    return number * size.width * size.height // _PIXELS_PER_TOKEN
