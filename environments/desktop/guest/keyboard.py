"""The keyboard: every key of the layout, and every other symbol on keycodes that the layout leaves free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

import xcffib.xproto as x

from guest.consumed import Consumption
from guest.display import Display
from guest.symbols import MODIFIERS

_PRESS, _RELEASE = 2, 3
_SHIFT = MODIFIERS["shift"]
_MULTIMEDIA = range(0x1008FE00, 0x10090000)  # symbols of keys that a desktop without them does not miss
_CORE_KEYBOARD = 0x100
_LOCKS = 0xFF
_BUSY_SECONDS = 10.0  # that a program may take to read keys before their codes get another meaning


class Keyboard:
    """The keys of a display; to be used in the display's thread.

    A program looks up what a keycode means when it takes the event from its queue, which may be later. So a
    keycode gets a new meaning only when all programs have consumed what was typed before.
    """

    def __init__(self, display: Display, consumption: Consumption) -> None:
        self._display = display
        self._consumption = consumption
        self._held: list[int] = []
        self._codes: dict[int, tuple[int, bool]] = {}  # symbol -> keycode, whether Shift is needed
        self._free: list[int] = []
        self._borrowed: dict[int, int] = {}  # symbol -> keycode, the longest unused first
        self._read_layout()

    def press(self, symbol: int) -> None:
        """Press a key and keep it down, with Shift before it where the layout needs that."""
        code, shifted = self._code(symbol)
        if shifted and not self._shift_is_down():
            self.press(_SHIFT)
        self._fake(_PRESS, code)
        if code not in self._held:
            self._held.append(code)

    def release(self, symbol: int) -> None:
        """Let a key go; one that is not down stays as it is."""
        code, shifted = self._code(symbol)
        if code in self._held:
            self._held.remove(code)
            self._fake(_RELEASE, code)
        if shifted and self._codes[_SHIFT][0] in self._held:
            self.release(_SHIFT)

    def repeat(self, on: bool) -> None:
        """Have keys that are held down repeat, or not."""
        mode = x.AutoRepeatMode.On if on else x.AutoRepeatMode.Off
        self._display.core.ChangeKeyboardControl(x.KB.AutoRepeatMode, [mode])
        self._display.sync()

    def release_all(self) -> None:
        """Let all keys go, the last pressed first, and put locks off."""
        for code in reversed(self._held):
            self._fake(_RELEASE, code)
        self._held.clear()
        self._lock(0)

    @contextmanager
    def chord(self, symbols: Sequence[int]) -> Iterator[None]:
        """Hold keys down, pressed in this order and let go in the reverse one."""
        mine: list[int] = []
        self._bring(symbols)
        try:
            for symbol in symbols:
                before = set(self._held)
                self.press(symbol)
                mine += [code for code in self._held if code not in before]
            yield
        finally:
            for code in reversed(mine):
                self._fake(_RELEASE, code)
                self._held.remove(code)
            self._display.connection.flush()

    def tap(self, symbols: Sequence[int]) -> None:
        """Press a chord and let it go."""
        with self.chord(symbols):
            pass

    def write(self, symbols: Sequence[int]) -> None:
        """Write symbols one after the other, none lost, whatever Caps Lock says."""
        locks = self._locks()
        if locks & x.ModMask.Lock:
            self._lock(locks & ~x.ModMask.Lock)
        rest = list(symbols)
        while rest:
            batch = self._batch(rest)
            self._bring(batch)
            for symbol in batch:
                self._tap(symbol)
            self._display.sync()
            rest = rest[len(batch) :]
        if locks & x.ModMask.Lock:
            self._consumption.wait()  # Caps Lock must not reach back to what is still in a queue
            self._lock(locks)

    def _tap(self, symbol: int) -> None:
        code, shifted = self._code(symbol)
        shift = self._codes[_SHIFT][0] if shifted and not self._shift_is_down() else None
        strokes = [(_PRESS, code), (_RELEASE, code)]
        for kind, one in strokes if shift is None else [(_PRESS, shift), *strokes, (_RELEASE, shift)]:
            self._fake(kind, one)

    def _batch(self, symbols: Sequence[int]) -> list[int]:
        """Return as many symbols from the front as can be on the keyboard at the same time."""
        foreign: set[int] = set()
        room = len(self._free) + len(self._borrowed)
        for place, symbol in enumerate(symbols):
            if symbol not in self._codes and symbol not in foreign:
                if len(foreign) == room:
                    return list(symbols[:place])
                foreign.add(symbol)
        return list(symbols)

    def _code(self, symbol: int) -> tuple[int, bool]:
        if symbol in self._codes:
            return self._codes[symbol]
        if symbol not in self._borrowed:
            self._bring([symbol])
        return self._borrowed[symbol], False

    def _bring(self, symbols: Iterable[int]) -> None:
        """Put foreign symbols on keycodes of their own."""
        wanted = list(dict.fromkeys(one for one in symbols if one not in self._codes))
        new = [one for one in wanted if one not in self._borrowed]
        for symbol in wanted:
            if symbol in self._borrowed:  # used again, so it is forgotten last
                self._borrowed[symbol] = self._borrowed.pop(symbol)
        if len(new) > len(self._free):
            self._display.sync()
            self._consumption.wait(_BUSY_SECONDS)
        for symbol in new:
            self._borrowed[symbol] = self._free.pop() if self._free else self._take_back()
        self._map({self._borrowed[symbol]: symbol for symbol in new})

    def _map(self, meanings: dict[int, int]) -> None:
        """Change keycodes, neighbours in one request: every program reads the keyboard again after each."""
        codes = sorted(meanings)
        starts = [code for code in codes if code - 1 not in meanings]
        for start in starts:
            run = [
                code for code in range(start, codes[-1] + 1) if set(range(start, code + 1)) <= meanings.keys()
            ]
            both = [
                symbol for code in run for symbol in (meanings[code], meanings[code])
            ]  # with and without Shift
            self._display.core.ChangeKeyboardMapping(len(run), start, 2, both)
        if codes:
            self._display.sync()

    def _take_back(self) -> int:
        return self._borrowed.pop(next(iter(self._borrowed)))

    def _shift_is_down(self) -> bool:
        return self._codes[_SHIFT][0] in self._held

    def _fake(self, kind: int, code: int) -> None:
        self._display.xtest.FakeInput(kind, code, 0, 0, 0, 0, 0)

    def _locks(self) -> int:
        return int(self._display.xkb.GetState(_CORE_KEYBOARD).reply().lockedMods)

    def _lock(self, locks: int) -> None:
        self._display.xkb.LatchLockState(_CORE_KEYBOARD, _LOCKS, locks, False, 0, 0, False, 0)
        self._display.sync()

    def _read_layout(self) -> None:
        setup, core = self._display.connection.get_setup(), self._display.core
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        reply = core.GetKeyboardMapping(first, count).reply()
        width, every = reply.keysyms_per_keycode, list(reply.keysyms)
        free: list[int] = []
        modifiers = {code for code in core.GetModifierMapping().reply().keycodes if code}
        for place in range(count):
            code, row = first + place, every[place * width : (place + 1) * width]
            used = [symbol for symbol in row if symbol]
            if code not in modifiers and all(symbol in _MULTIMEDIA for symbol in used):
                free.append(code)
                continue
            for level, symbol in enumerate(row[:2]):
                if symbol:
                    self._codes.setdefault(symbol, (code, level == 1))
        self._free = _neighbours_last(free)


def _neighbours_last(codes: list[int]) -> list[int]:
    """Return keycodes so that those taken first, from the end, are neighbours: they change in one request."""
    stretches = [list(group) for _, group in groupby(codes, key=lambda code: code - codes.index(code))]
    return [code for stretch in sorted(stretches, key=len) for code in reversed(stretch)]
