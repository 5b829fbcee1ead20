"""The input script for OSWorld machines: this file's text is sent there, followed by a call of `main`.

It needs only python-xlib, which every such machine has as a dependency of pyautogui. It uses XTEST directly because
pyautogui drops characters missing from the layout, writes `>` for `<` on some layouts, and has three mouse buttons.
It must run on Python 3.8.
"""

from __future__ import annotations

import json
import os
import select
import tempfile
import time

from Xlib import XK, X, display
from Xlib.error import XError
from Xlib.ext import xtest
from Xlib.protocol.event import ClientMessage

_LAST = os.path.join(tempfile.gettempdir(), "cuabench-last-action")
_BUTTONS = {"left": 1, "middle": 2, "right": 3, "back": 8, "forward": 9}
_KEYS = {
    "ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "meta": "Super_L", "enter": "Return", "tab": "Tab",
    "escape": "Escape", "backspace": "BackSpace", "delete": "Delete", "insert": "Insert", "home": "Home",
    "end": "End", "pageup": "Prior", "pagedown": "Next", "up": "Up", "down": "Down", "left": "Left",
    "right": "Right", "space": "space", "capslock": "Caps_Lock", "numlock": "Num_Lock",
    "scrolllock": "Scroll_Lock", "printscreen": "Print", "pause": "Pause", "menu": "Menu", "help": "Help",
    "undo": "Undo", "redo": "Redo", "find": "Find", "cancel": "Cancel", "select": "Select", "execute": "Execute",
    "clear": "Clear", "compose": "Multi_key", **{f"kp_{digit}": f"KP_{digit}" for digit in range(10)},
    **{f"kp_{name.lower()}": f"KP_{name}" for name in ("Enter", "Add", "Subtract", "Multiply", "Divide", "Decimal")},
}  # fmt: skip
_DEAD = {  # keysyms that python-xlib does not load
    "grave": 0xFE50, "acute": 0xFE51, "circumflex": 0xFE52, "tilde": 0xFE53, "macron": 0xFE54, "breve": 0xFE55,
    "abovedot": 0xFE56, "diaeresis": 0xFE57, "abovering": 0xFE58, "doubleacute": 0xFE59, "caron": 0xFE5A,
    "cedilla": 0xFE5B, "ogonek": 0xFE5C, "belowdot": 0xFE60, "horn": 0xFE62,
}  # fmt: skip
_MAPPED = (  # symbols for which keys are borrowed: Unicode, Latin-1, dead keys, Compose, Select to Help, F13 to F24
    range(0x1000001, 0x1110000), range(0xA0, 0x100), range(0xFE50, 0xFE70), range(0xFF20, 0xFF21),
    range(0xFF60, 0xFF6C), range(0xFFCA, 0xFFD6),
)  # fmt: skip
_NUMBERS = range(0xFFAE, 0xFFBA)  # of the keypad, whose keys write them with Num Lock
_PACE = 0.005  # seconds between the moves of a drag: applications compress moves without a pause
_MOVES = 2000  # of one drag, at least one for each point: the server ends a call after two minutes
_MAPPING_DELAY = 0.2  # seconds for applications to notice a changed keyboard mapping
_BUSY = 40.0  # seconds that the focused window may take to read its input
_BUSY_BEFORE = 30.0  # the same for the input of an earlier call
_NO_DOUBLE_CLICK = 0.6  # seconds between separate clicks; up to 0.5 count as a double click


class Busy(Exception):
    """Raised when keys cannot be remapped because the focused window has not read its input."""


class Input:
    """Mouse and keyboard of one X display."""

    def __init__(self):
        self.display = display.Display()
        self.first = self.display.display.info.min_keycode
        last = self.display.display.info.max_keycode
        self.table = [
            list(row) for row in self.display.get_keyboard_mapping(self.first, last - self.first + 1)
        ]

    def act(self, action):
        """Perform an action given as plain data; return whether the window read it, None if unknown."""
        return getattr(self, action["kind"])(action)

    def send(self, kind, detail=0, x=0, y=0):
        xtest.fake_input(self.display, kind, detail, x=x, y=y)
        self.display.sync()

    def move_to(self, action):
        if action.get("x") is not None:
            self.send(X.MotionNotify, x=action["x"], y=action["y"])

    def button(self, kind, action):
        self.send(kind, _BUTTONS[action.get("button", "left")])

    def holding(self, keys, inner):
        """Call a function while keys are held; they are always released."""
        if self.lacks_num_lock(keys):
            with_lock = self.codes("numlock")
            self.tap(with_lock)
            try:
                self.hold(keys, inner)
            finally:
                self.tap(with_lock)
        else:
            self.hold(keys, inner)

    def lacks_num_lock(self, keys):
        """Whether one of the keys needs Num Lock, which is off."""
        if not any(self.symbol(key) in _NUMBERS for key in keys):
            return False
        return not self.display.screen().root.query_pointer().mask & X.Mod2Mask

    def tap(self, codes):
        for kind in (X.KeyPress, X.KeyRelease):
            for code in codes:
                self.send(kind, code)

    def hold(self, keys, inner):
        codes = [code for key in keys for code in self.codes(key)]
        down = []
        try:
            for code in codes:
                self.send(X.KeyPress, code)
                down.append(code)
            inner()
        finally:
            for code in reversed(down):
                self.send(X.KeyRelease, code)

    def move(self, action):
        self.move_to(action)

    def click(self, action):
        def clicks():
            for _ in range(action.get("count", 1)):
                self.button(X.ButtonPress, action)
                self.button(X.ButtonRelease, action)

        self.move_to(action)
        self.holding(action.get("modifiers", ()), clicks)

    def mouse_down(self, action):
        self.move_to(action)
        self.button(X.ButtonPress, action)

    def mouse_up(self, action):
        self.move_to(action)
        self.button(X.ButtonRelease, action)

    def drag(self, action):
        def along():
            self.button(X.ButtonPress, action)
            try:
                for start, end in zip(path, path[1:]):
                    for step in range(1, steps + 1):
                        x, y = (round(a + (b - a) * step / steps) for a, b in zip(start, end))
                        self.send(X.MotionNotify, x=x, y=y)
                        time.sleep(_PACE)
            finally:
                self.button(X.ButtonRelease, action)

        path = action["path"]
        steps = max(1, min(10, _MOVES // len(path)))
        self.send(X.MotionNotify, x=path[0][0], y=path[0][1])
        self.holding(action.get("modifiers", ()), along)
        return self.wait_until_read(_BUSY)

    def scroll(self, action):
        def notches():
            for button, turns in ((5, down), (4, -down), (7, right), (6, -right)):
                for _ in range(turns):
                    self.send(X.ButtonPress, button)
                    self.send(X.ButtonRelease, button)

        down, right = action.get("dy", 0), action.get("dx", 0)
        self.move_to(action)
        self.holding(action.get("modifiers", ()), notches)

    def key(self, action):
        for _ in range(action.get("repeat", 1)):
            self.holding(action["keys"], lambda: None)

    def hold_key(self, action):
        self.holding(action["keys"], lambda: time.sleep(action["seconds"]))

    def key_down(self, action):
        """Press a key without auto-repeat, which would depend on the latency of the connection."""
        lock = self.codes("numlock") if self.lacks_num_lock([action["key"]]) else []
        self.tap(lock)
        for code in self.codes(action["key"]):
            self.display.change_keyboard_control(key=code, auto_repeat_mode=X.AutoRepeatModeOff)
            self.send(X.KeyPress, code)
        self.tap(lock)

    def key_up(self, action):
        for code in reversed(self.codes(action["key"])):
            self.send(X.KeyRelease, code)
            self.display.change_keyboard_control(key=code, auto_repeat_mode=X.AutoRepeatModeDefault)
        self.display.sync()

    def type(self, action):
        """Type a text; characters missing from the layout are mapped to free keys in batches."""
        locked = self.display.screen().root.query_pointer().mask & X.LockMask
        if locked:
            self.key({"keys": ["capslock"]})
        try:
            return self.write(action["text"].replace("\r\n", "\n"))
        finally:
            if locked:
                self.key({"keys": ["capslock"]})

    def write(self, text):
        """Press the keys of a text; return whether the window read them."""
        while text:
            now = self.map_characters(text)
            for character in text[:now]:
                self.holding(
                    [{"\n": "enter", "\r": "enter", "\t": "tab"}.get(character, character)], lambda: None
                )
            text = text[now:]
        return self.wait_until_read(_BUSY)

    def wait_until_read(self, seconds):
        """Wait until the focused window has read its input: it answers a ping after the events before it.

        Returns whether it did; None if it does not support pings.
        """
        root, atom = self.display.screen().root, self.display.intern_atom
        end = time.time() + seconds
        self.wait_for_manager(seconds / 2)  # a late manager is no error; only the window's answer counts
        try:
            active = root.get_full_property(atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType)
            if active is None or not active.value or not active.value[0]:
                return None
            window = self.display.create_resource_object("window", active.value[0])
            if atom("_NET_WM_PING") not in window.get_wm_protocols():
                return None
        except XError:  # it has just been closed
            return None
        root.change_attributes(event_mask=X.SubstructureNotifyMask | X.StructureNotifyMask)
        stamp = int(time.time() * 1000) & 0x7FFFFFFF
        words = [atom("_NET_WM_PING"), stamp, window.id, 0, 0]
        window.send_event(ClientMessage(window=window, client_type=atom("WM_PROTOCOLS"), data=(32, words)))
        return self.wait_for_event(
            lambda event: event.type == X.ClientMessage and list(event.data[1])[1] == stamp, end - time.time()
        )

    def wait_for_manager(self, seconds):
        """Wait until the window manager has read its input: it grabs the pointer while it reads a changed keyboard.

        It answers a question about frames in its turn. Returns whether it did; None if it does not support pings.
        """
        root, atom = self.display.screen().root, self.display.intern_atom
        ask = atom("_NET_REQUEST_FRAME_EXTENTS")
        supported = root.get_full_property(atom("_NET_SUPPORTED"), X.AnyPropertyType)
        if supported is None or ask not in supported.value:
            return None
        mine = root.create_window(
            -9, -9, 1, 1, 0, 0, window_class=X.InputOnly, event_mask=X.PropertyChangeMask
        )
        root.send_event(
            ClientMessage(window=mine, client_type=ask, data=(32, [0] * 5)),
            event_mask=X.SubstructureNotifyMask | X.SubstructureRedirectMask,
        )
        found = self.wait_for_event(
            lambda event: event.type == X.PropertyNotify and event.window.id == mine.id, seconds
        )
        mine.destroy()
        return found

    def wait_for_event(self, wanted, seconds):
        """Wait for an event; return whether it came in time."""
        self.display.sync()
        end = time.time() + seconds
        while time.time() < end:
            while self.display.pending_events():
                if wanted(self.display.next_event()):
                    return True
            select.select([self.display.fileno()], [], [], 0.1)
        return False

    def codes(self, key):
        """Return the keycodes to press for a key, with Shift first if needed; numbers of the keypad need Num Lock."""
        symbol = self.symbol(key)
        found = self.find(symbol)
        if found is None:
            self.map_symbols([symbol])
            found = self.find(symbol)
        code, shifted = found
        return [*self.codes("shift"), code] if shifted and symbol not in _NUMBERS else [code]

    def symbol(self, key):
        """Return the keysym of a canonical key."""
        if len(key) == 1:
            return ord(key) if 0x20 <= ord(key) < 0x7F or 0xA0 <= ord(key) < 0x100 else 0x1000000 + ord(key)
        if key.startswith("dead_"):
            return _DEAD[key[5:]]
        return XK.string_to_keysym(_KEYS.get(key, key.upper()))

    def find(self, symbol):
        """Return the keycode of a keysym and whether it needs Shift; None if it has no key."""
        for level in (0, 1):
            for at, row in enumerate(self.table):
                if row[level : level + 1] == [symbol]:
                    return self.first + at, bool(level)
        return None

    def free_rows(self):
        """Return the rows of the table without symbols."""
        return [at for at, row in enumerate(self.table) if not any(row)]

    def map_characters(self, text):
        """Map missing characters from the beginning of a text; return the length of the part that can be typed."""
        room = len(self.free_rows())
        if room == 0:
            self.unmap_symbols()
            room = len(self.free_rows())
        missing = []
        for at, character in enumerate(text):
            symbol = self.symbol(character) if character not in "\n\r\t" else 0
            if symbol and symbol not in missing and self.find(symbol) is None:
                if len(missing) == room:
                    self.map_symbols(missing)
                    return at
                missing.append(symbol)
        self.map_symbols(missing)
        return len(text)

    def map_symbols(self, symbols):
        """Map symbols to free keys; neighbours share a request, since every application reads each change."""
        if not symbols:
            return
        if len(self.free_rows()) < len(symbols):
            self.unmap_symbols()
        places = self.free_rows()[: len(symbols)]
        for at, symbol in zip(places, symbols):
            self.table[at] = [symbol, symbol]
        for at in places:
            if at - 1 not in places:
                stop = at + 1
                while stop in places:
                    stop += 1
                self.display.change_keyboard_mapping(self.first + at, self.table[at:stop])
        self.display.sync()
        time.sleep(_MAPPING_DELAY)

    def unmap_symbols(self):
        """Free the mapped keys: those with the same symbol with and without Shift, of a kind that gets mapped."""
        if self.wait_until_read(_BUSY_BEFORE) is False:
            raise Busy
        time.sleep(_MAPPING_DELAY)  # a window without ping support may still be reading
        for at, row in enumerate(self.table):
            if row[:2] == [row[0], row[0]] and any(row[0] in kind for kind in _MAPPED):
                self.table[at] = [0, 0]


def last_action():
    """Return the id of the last action, and the time of the last click (0 if none)."""
    try:
        with open(_LAST, encoding="ascii") as file:
            mark, clicked = file.read().split()
            return mark, float(clicked)
    except (OSError, ValueError):
        return "", 0.0


def remember(mark, clicked):
    """Save them for the next call."""
    with open(_LAST, "w", encoding="ascii") as file:
        file.write(f"{mark} {clicked:f}")


def main(action, mark):
    """Perform an action once, even if it is sent again, and print the result as JSON."""
    last, clicked = last_action()
    taken, busy = None, False
    if mark != last:
        # Before the action: a call that is sent again after a broken connection must do nothing.
        remember(mark, clicked)
        if action["kind"] in ("click", "drag"):
            time.sleep(max(0.0, min(_NO_DOUBLE_CLICK, clicked + _NO_DOUBLE_CLICK - time.time())))
            remember(mark, time.time())
        device = Input()
        try:
            taken = device.act(action)
        except Busy:
            busy = True
        finally:
            device.display.close()
    print(json.dumps({"mark": mark, "again": mark == last, "taken": taken, "busy": busy}))
