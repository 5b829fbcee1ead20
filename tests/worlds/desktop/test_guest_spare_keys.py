"""Symbols that no key writes are put on free keycodes in as few requests as can be."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from guest.spare_keys import SpareKeys

FREE = [8, 93, *range(147, 187), *range(191, 203), *range(232, 252)]


class FakeDisplay:
    """Keeps what a keyboard would write."""

    def __init__(self) -> None:
        self.requests = 0
        self.keys: dict[tuple[int, bool], int] = {}
        self.core: Any = SimpleNamespace(ChangeKeyboardMapping=self.change)

    def change(self, count: int, first: int, width: int, symbols: list[int]) -> None:
        """Take a request."""
        assert (width, len(symbols)) == (2, 2 * count)
        self.requests += 1
        for place in range(count):
            self.keys[first + place, False], self.keys[first + place, True] = symbols[
                2 * place : 2 * place + 2
            ]

    def sync(self) -> None:
        """Wait for nothing."""


def test_neighbours_change_together() -> None:
    """As many symbols as the longest stretch of free keycodes holds take one request."""
    display = FakeDisplay()
    SpareKeys(display, FREE).put(range(1000, 1040))  # type: ignore[arg-type]
    assert display.requests == 1


def test_every_symbol_is_where_it_is_told() -> None:
    """With and without Shift, also after more symbols came and after all were forgotten."""
    display = FakeDisplay()
    keys = SpareKeys(display, FREE)  # type: ignore[arg-type]
    for symbols in (
        range(1000, 1003),
        range(1001, 1050),
        range(1000, 1000 + keys.room),
        range(5000, 5000 + keys.room),
    ):
        if not keys.fit(symbols):
            keys.forget()
        before = display.requests
        keys.put(symbols)
        assert display.requests - before <= 6
        places = [keys.where(symbol) for symbol in symbols]
        assert [place and display.keys[place] for place in places] == list(symbols)
    assert keys.room == 2 * (len(FREE))


def test_what_does_not_fit_is_known_before() -> None:
    """Symbols that are there already take no room."""
    keys = SpareKeys(FakeDisplay(), FREE)  # type: ignore[arg-type]
    keys.put(range(keys.room))
    assert keys.fit(range(keys.room))
    assert not keys.fit([keys.room])
    assert keys.where(keys.room) is None
