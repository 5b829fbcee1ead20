"""The keyboard: every key of the layout, and every other symbol on keycodes that the layout leaves free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import xcffib.xproto as x

from guest.consumed import Consumption
from guest.display import Display
from guest.errors import NotNow
from guest.spare_keys import SpareKeys
from guest.symbols import MODIFIERS

_PRESS, _RELEASE = 2, 3
_SHIFT = MODIFIERS["shift"]
_MULTIMEDIA = range(0x1008FE00, 0x10090000)  # symbols of keys that a desktop without them does not miss
_CORE_KEYBOARD = 0x100
_LOCKS = 0xFF
_BUSY_SECONDS = 5.0  # that a program may take to read keys before their codes get another meaning


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
        self._spare = SpareKeys(display, self._read_layout())

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
        self.lock(0)

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
        """Write symbols that fit on the keyboard at the same time, one after the other."""
        self._bring(symbols)
        for symbol in symbols:
            self._tap(symbol)
        self._display.sync()

    def fitting(self, symbols: Sequence[int]) -> Sequence[int]:
        """Return as many symbols from the front as can be on the keyboard at the same time."""
        foreign: set[int] = set()
        for place, symbol in enumerate(symbols):
            if symbol not in self._codes and symbol not in foreign:
                if len(foreign) == self._spare.room:
                    return symbols[:place]
                foreign.add(symbol)
        return symbols

    def lift_caps_lock(self) -> int | None:
        """Put Caps Lock off, and return which locks were on; None where it is off already."""
        locks = int(self._display.xkb.GetState(_CORE_KEYBOARD).reply().lockedMods)
        if not locks & x.ModMask.Lock:
            return None
        self.lock(locks & ~x.ModMask.Lock)
        return locks

    def lock(self, locks: int) -> None:
        """Put these locks on, and the others off."""
        self._display.xkb.LatchLockState(_CORE_KEYBOARD, _LOCKS, locks, False, 0, 0, False, 0)
        self._display.sync()

    def _tap(self, symbol: int) -> None:
        code, shifted = self._code(symbol)
        shift = self._codes[_SHIFT][0] if shifted and not self._shift_is_down() else None
        strokes = [(_PRESS, code), (_RELEASE, code)]
        for kind, one in strokes if shift is None else [(_PRESS, shift), *strokes, (_RELEASE, shift)]:
            self._fake(kind, one)

    def _code(self, symbol: int) -> tuple[int, bool]:
        if symbol in self._codes:
            return self._codes[symbol]
        self._bring([symbol])
        place = self._spare.where(symbol)
        assert place is not None, "it has just been put there"
        return place

    def _bring(self, symbols: Iterable[int]) -> None:
        """Put foreign symbols on keycodes of their own.

        Raises:
            NotNow: The application has not read what was typed with these keycodes before.
        """
        wanted = [one for one in symbols if one not in self._codes]
        if not self._spare.fit(wanted):
            self._display.sync()
            if not self._consumption.wait() and not self._consumption.over(_BUSY_SECONDS):
                raise NotNow(
                    "the application is busy and has not read what was typed before; wait, then type again"
                )
            self._spare.forget()
        self._spare.put(wanted)

    def _shift_is_down(self) -> bool:
        return self._codes[_SHIFT][0] in self._held

    def _fake(self, kind: int, code: int) -> None:
        self._display.xtest.FakeInput(kind, code, 0, 0, 0, 0, 0)

    def _read_layout(self) -> list[int]:
        """Learn where the layout has which symbol, and return the keycodes that it leaves free."""
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
        return free
