"""The keyboard: the keys of the layout, and other symbols mapped to free keycodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import xcffib.xproto as x

from guest.display import Display
from guest.errors import Conflict
from guest.input_sync import InputSync
from guest.spare_keys import SpareKeys
from guest.symbols import MODIFIERS

_PRESS, _RELEASE = 2, 3
_SHIFT = MODIFIERS["shift"]
_NUMBERS = range(0xFFAE, 0xFFBA)  # of the keypad, whose keys write them with Num Lock
_MULTIMEDIA = range(0x1008FE00, 0x10090000)  # symbols whose keycodes may be reused
# Keycodes by which browsers go to another page whatever their symbols: favourites, back, forward, home, reload, close,
# new, redo, stop, search.
_NAVIGATING = frozenset({164, 166, 167, 180, 181, 182, 189, 190, 214, 136, 225})
_CORE_KEYBOARD = 0x100
_LOCKS = 0xFF
_BUSY_SECONDS = 5.0  # for programs to read their input before keycodes are remapped


class Keyboard:
    """The keys of a display; for use in the display's thread.

    A program looks up a keycode when it reads the event from its queue, which may be later. So a keycode is remapped
    only after all programs have read the earlier input.
    """

    def __init__(self, display: Display, sync: InputSync) -> None:
        self._display = display
        self._sync = sync
        self._held: list[int] = []
        self._codes: dict[int, tuple[int, bool]] = {}  # symbol -> keycode, whether Shift is needed
        self._numbers: set[int] = set()  # keycodes that need Num Lock
        self._locks: int | None = None  # the locks to restore once these are released
        self._spare = SpareKeys(display, self._read_layout())

    def press(self, symbol: int) -> None:
        """Press a key and keep it down, with Shift if the layout needs it."""
        code, shifted = self._code(symbol)
        if shifted and not self._shift_is_down():
            self.press(_SHIFT)
        if symbol in _NUMBERS and code in self._numbers:
            self._lock_numbers()
        self._send(_PRESS, code)
        if code not in self._held:
            self._held.append(code)

    def release(self, symbol: int) -> None:
        """Release a key if it is down."""
        code, shifted = self._code(symbol)
        if code in self._held:
            self._lift(code)
        if shifted and self._codes[_SHIFT][0] in self._held:
            self.release(_SHIFT)

    def repeat(self, on: bool) -> None:
        """Turn auto-repeat on or off."""
        mode = x.AutoRepeatMode.On if on else x.AutoRepeatMode.Off
        self._display.core.ChangeKeyboardControl(x.KB.AutoRepeatMode, [mode])
        self._display.sync()

    def release_all(self) -> None:
        """Release all keys, the last pressed first, and turn off locks."""
        for code in reversed(self._held[:]):
            self._lift(code)
        self.lock(0)

    @contextmanager
    def chord(self, symbols: Sequence[int]) -> Iterator[None]:
        """Hold keys, pressed in this order and released in reverse."""
        mine: list[int] = []
        self._map_foreign(symbols)
        try:
            for symbol in symbols:
                before = set(self._held)
                self.press(symbol)
                mine += [code for code in self._held if code not in before]
            yield
        finally:
            for code in reversed(mine):
                self._lift(code)
            self._display.connection.flush()

    def tap(self, symbols: Sequence[int]) -> None:
        """Press and release a chord."""
        with self.chord(symbols):
            pass

    def write(self, symbols: Sequence[int]) -> None:
        """Type symbols that fit on the keyboard together."""
        self._map_foreign(symbols)
        for symbol in symbols:
            self._tap(symbol)
        self._display.sync()

    def fitting(self, symbols: Sequence[int]) -> Sequence[int]:
        """Return the longest prefix of symbols that fits on the keyboard together."""
        foreign: set[int] = set()
        for place, symbol in enumerate(symbols):
            if symbol not in self._codes and symbol not in foreign:
                if len(foreign) == self._spare.room:
                    return symbols[:place]
                foreign.add(symbol)
        return symbols

    def release_caps_lock(self) -> int | None:
        """Turn off Caps Lock and return the locks that were on; None if it is off already."""
        locks = self._locked()
        if not locks & x.ModMask.Lock:
            return None
        self.lock(locks & ~x.ModMask.Lock)
        return locks

    def lock(self, locks: int) -> None:
        """Set the locks."""
        self._display.xkb.LatchLockState(_CORE_KEYBOARD, _LOCKS, locks, False, 0, 0, False, 0)
        self._display.sync()

    def _locked(self) -> int:
        return int(self._display.xkb.GetState(_CORE_KEYBOARD).reply().lockedMods)

    def _lock_numbers(self) -> None:
        """Turn on Num Lock until the last key that needs it is released."""
        if self._locks is None:
            self._locks = self._locked()
            self.lock(self._locks | x.ModMask._2)

    def _lift(self, code: int) -> None:
        """Release a held key."""
        self._held.remove(code)
        self._send(_RELEASE, code)
        if self._locks is not None and not self._numbers & set(self._held):
            self.lock(self._locks)
            self._locks = None

    def _tap(self, symbol: int) -> None:
        code, shifted = self._code(symbol)
        shift = self._codes[_SHIFT][0] if shifted and not self._shift_is_down() else None
        strokes = [(_PRESS, code), (_RELEASE, code)]
        for kind, one in strokes if shift is None else [(_PRESS, shift), *strokes, (_RELEASE, shift)]:
            self._send(kind, one)

    def _code(self, symbol: int) -> tuple[int, bool]:
        if symbol in self._codes:
            return self._codes[symbol]
        self._map_foreign([symbol])
        place = self._spare.where(symbol)
        assert place is not None, "it has just been put there"
        return place

    def _map_foreign(self, symbols: Iterable[int]) -> None:
        """Map symbols that are not in the layout to free keycodes.

        Raises:
            Conflict: The application has not read the earlier input of these keycodes.
        """
        wanted = [one for one in symbols if one not in self._codes]
        if not self._spare.fit(wanted):
            self._display.sync()
            if not self._sync.wait() and not self._sync.focused_window_read(_BUSY_SECONDS):
                raise Conflict(
                    "the application is busy and has not read what was typed before; wait, then type again"
                )
            self._spare.forget()
        self._spare.put(wanted)

    def _shift_is_down(self) -> bool:
        return self._codes[_SHIFT][0] in self._held

    def _send(self, kind: int, code: int) -> None:
        self._display.xtest.FakeInput(kind, code, 0, 0, 0, 0, 0)

    def _read_layout(self) -> list[int]:
        """Read the layout, and return its free keycodes."""
        setup, core = self._display.connection.get_setup(), self._display.core
        first, count = setup.min_keycode, setup.max_keycode - setup.min_keycode + 1
        reply = core.GetKeyboardMapping(first, count).reply()
        width, every = reply.keysyms_per_keycode, list(reply.keysyms)
        free: list[int] = []
        modifiers = {code for code in core.GetModifierMapping().reply().keycodes if code}
        for place in range(count):
            code, row = first + place, every[place * width : (place + 1) * width]
            used = [symbol for symbol in row if symbol]
            if code not in modifiers | _NAVIGATING and all(symbol in _MULTIMEDIA for symbol in used):
                free.append(code)
                continue
            for level, symbol in enumerate(row[:2]):
                number = level == 1 and symbol in _NUMBERS
                if number:
                    self._numbers.add(code)
                    self._codes[symbol] = (code, False)
                elif symbol:
                    self._codes.setdefault(symbol, (code, level == 1))
        return free
