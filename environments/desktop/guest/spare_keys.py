"""Symbols that no key of the layout writes, on keycodes that the layout leaves free.

The window manager and every program read the whole keyboard again after each request that changes it, which takes
them far longer than the request. So symbols are put next to one another, on the longest stretches of free keycodes
only, with Shift and without, and as many of them as possible by one request.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from guest.display import Display

_MOST_STRETCHES = 6  # each is a request; the others of a usual layout are single keycodes


class SpareKeys:
    """Where symbols are at the moment; to be used in the display's thread."""

    def __init__(self, display: Display, free: Sequence[int]) -> None:
        self._display = display
        self._stretches = _longest(sorted(free))
        codes = [code for stretch in self._stretches for code in stretch]
        self._places = [(code, shifted) for shifted in (False, True) for code in codes]
        self._rows: dict[int, list[int]] = {}  # keycode -> its symbols without Shift and with it
        self._at: dict[int, tuple[int, bool]] = {}  # symbol -> keycode, whether Shift is needed

    @property
    def room(self) -> int:
        """How many symbols can be there at the same time."""
        return len(self._places)

    def where(self, symbol: int) -> tuple[int, bool] | None:
        """Return the keycode of a symbol, and whether it needs Shift."""
        return self._at.get(symbol)

    def fit(self, symbols: Iterable[int]) -> bool:
        """Whether symbols can be put beside those that are there."""
        return len(self._at.keys() | set(symbols)) <= self.room

    def forget(self) -> None:
        """Give all places to those that come next; the keys write what they wrote until then."""
        self._at.clear()
        self._rows.clear()

    def put(self, symbols: Iterable[int]) -> None:
        """Put symbols that fit where there is room."""
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
    """Return the longest stretches of neighbours, the longest first."""
    numbered = groupby(enumerate(codes), key=lambda pair: pair[1] - pair[0])
    stretches = [[code for _, code in group] for _, group in numbered]
    return sorted(stretches, key=len, reverse=True)[:_MOST_STRETCHES]
