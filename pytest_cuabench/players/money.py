"""What calls cost: prices from genai-prices, or from the profile; an unknown price stays unknown."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from pytest_cuabench.usage import Usage


class Prices(BaseModel):
    """A profile's own prices, in US dollars for a million tokens.

    Attributes:
        cached: Of input read from a cache; the price of `input` where it is not said.
        written: Of input put into a cache; the price of `input` where it is not said.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    written: float | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True)
class Tariff:
    """What tokens of one model cost.

    Attributes:
        provider: Its name in genai-prices; None where only the profile knows a price.
    """

    model: str
    provider: str | None
    own: Prices | None = None

    def usage(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> Usage:
        """Return what a call used.

        `tokens_in` counts all input, `cached` the part of it read from a cache, `written` that put into one.
        """
        return Usage(tokens_in, tokens_out, cached, self.cost(tokens_in, tokens_out, cached, written))

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0, written: int = 0) -> float | None:
        """Return US dollars, or None when nobody knows the price."""
        if self.own is not None:
            own = self.own
            read = own.input if own.cached is None else own.cached
            write = own.input if own.written is None else own.written
            fresh = tokens_in - cached - written
            whole = fresh * own.input + cached * read + written * write + tokens_out * own.output
            return whole / 1_000_000
        if self.provider is None:
            return None
        from genai_prices import Usage as Used
        from genai_prices import calc_price

        used = Used(
            input_tokens=tokens_in,
            output_tokens=tokens_out,
            cache_read_tokens=cached or None,
            cache_write_tokens=written or None,
        )
        try:
            return float(calc_price(used, model_ref=self.model, provider_id=self.provider).total_price)
        except LookupError:
            return None
