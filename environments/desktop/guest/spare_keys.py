"""Maps symbols that are missing from the layout to free keycodes.

The window manager and every program reload the whole keyboard after each request that changes it, which is slow. So
symbols are mapped to adjacent keycodes of the longest free ranges, with and without Shift, as many as possible by one
request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from guest.display import Display

_MOST_STRETCHES = 6  # free ranges to use, each a request; the rest are usually single keycodes


class SpareKeys:
    """The current mapping of symbols; for use in the display's thread."""

    def __init__(self, display: Display, free: Sequence[int]) -> None:
        self._display = display
        self._stretches = _longest(sorted(free))
        codes = [code for stretch in self._stretches for code in stretch]
        self._places = [(code, shifted) for shifted in (False, True) for code in codes]
        self._rows: dict[int, list[int]] = {}  # keycode -> its symbols without Shift and with it
        self._at: dict[int, tuple[int, bool]] = {}  # symbol -> keycode, whether Shift is needed

    @property
    def room(self) -> int:
        """The number of symbols that can be mapped at the same time."""
        return len(self._places)

    def where(self, symbol: int) -> tuple[int, bool] | None:
        """Return the keycode of a symbol and whether it needs Shift."""
        return self._at.get(symbol)

    def fit(self, symbols: Iterable[int]) -> bool:
        """Whether further symbols fit."""
        return len(self._at.keys() | set(symbols)) <= self.room

    def forget(self) -> None:
        """Mark all keycodes as free; they keep their symbols until they are reused."""
        self._at.clear()
        self._rows.clear()

    def put(self, symbols: Iterable[int]) -> None:
        """Map symbols, which must fit."""
        new = [symbol for symbol in dict.fromkeys(symbols) if symbol not in self._at]
        places = self._places[len(self._at) : len(self._at) + len(new)]
        for symbol, (code, shifted) in zip(new, places, strict=True):
            self._at[symbol] = (code, shifted)
            self._rows[code] = [self._rows[code][0], symbol] if shifted else [symbol, symbol]
        changed = {code for code, _ in places}
        for stretch in self._stretches:
            mine = [code for code in stretch if code in changed]
            if mine:
                self._send(range(mine[0], mine[-1] + 1))
        if changed:
            self._display.sync()

    def _send(self, codes: range) -> None:
        symbols = [symbol for code in codes for symbol in self._rows[code]]
        self._display.core.ChangeKeyboardMapping(len(codes), codes[0], 2, symbols)


def _longest(codes: Sequence[int]) -> list[list[int]]:
    """Return the longest ranges of adjacent keycodes, longest first."""
    numbered = groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0])
    stretches = [[code for _, code in group] for _, group in numbered]
    return sorted(stretches, key=len, reverse=True)[:_MOST_STRETCHES]
