"""The hand that acts inside an OSWorld machine: this file's text is sent there, with one action behind it.

It stands alone on python-xlib, which every such machine has because pyautogui is made of it. XTEST is spoken to
directly because pyautogui drops what no key of the layout writes, writes `>` for `<` on some layouts, and knows
three mouse buttons. Nothing here may need a newer Python than 3.8.
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
    "scrolllock": "Scroll_Lock", "printscreen": "Print", "pause": "Pause", "menu": "Menu",
}  # fmt: skip
_PACE = 0.005  # seconds between the moves of a drag: applications compress moves that come at once
_MOVES = 2000  # of one drag, or one for each point: the machine ends a call after two minutes
_LEARN = 0.2  # seconds for applications to hear that keys write something else now
_BUSY = 40.0  # seconds that the window with the focus may take to read what was typed
_BUSY_BEFORE = 30.0  # the same for what an earlier call typed
_APART = 0.6  # seconds between clicks that are not meant as one double click; applications allow up to 0.5


class Busy(Exception):
    """The window with the focus has not read what was typed, so no key may get another meaning."""


class Hand:
    """Mouse and keyboard of one X display."""

    def __init__(self):
        self.display = display.Display()
        self.first = self.display.display.info.min_keycode
        last = self.display.display.info.max_keycode
        self.table = [
            list(row) for row in self.display.get_keyboard_mapping(self.first, last - self.first + 1)
        ]

    def act(self, action):
        """Carry out one canonical action, given as plain data; return whether it was read, None if nobody can tell."""
        return getattr(self, action["kind"])(action)

    def fake(self, kind, detail=0, x=0, y=0):
        xtest.fake_input(self.display, kind, detail, x=x, y=y)
        self.display.sync()

    def go(self, action):
        if action.get("x") is not None:
            self.fake(X.MotionNotify, x=action["x"], y=action["y"])

    def button(self, kind, action):
        self.fake(kind, _BUTTONS[action.get("button", "left")])

    def held(self, keys, inner):
        """Do something while keys are down; they are let go whatever happens."""
        codes = [code for key in keys for code in self.codes(key)]
        down = []
        try:
            for code in codes:
                self.fake(X.KeyPress, code)
                down.append(code)
            inner()
        finally:
            for code in reversed(down):
                self.fake(X.KeyRelease, code)

    def move(self, action):
        self.go(action)

    def click(self, action):
        def clicks():
            for _ in range(action.get("count", 1)):
                self.button(X.ButtonPress, action)
                self.button(X.ButtonRelease, action)

        self.go(action)
        self.held(action.get("modifiers", ()), clicks)

    def mouse_down(self, action):
        self.go(action)
        self.button(X.ButtonPress, action)

    def mouse_up(self, action):
        self.go(action)
        self.button(X.ButtonRelease, action)

    def drag(self, action):
        def along():
            self.button(X.ButtonPress, action)
            try:
                for start, end in zip(path, path[1:]):
                    for step in range(1, steps + 1):
                        x, y = (round(a + (b - a) * step / steps) for a, b in zip(start, end))
                        self.fake(X.MotionNotify, x=x, y=y)
                        time.sleep(_PACE)
            finally:
                self.button(X.ButtonRelease, action)

        path = action["path"]
        steps = max(1, min(10, _MOVES // len(path)))
        self.fake(X.MotionNotify, x=path[0][0], y=path[0][1])
        self.held(action.get("modifiers", ()), along)
        return self.taken(_BUSY)

    def scroll(self, action):
        def notches():
            for button, turns in ((5, down), (4, -down), (7, right), (6, -right)):
                for _ in range(turns):
                    self.fake(X.ButtonPress, button)
                    self.fake(X.ButtonRelease, button)

        down, right = action.get("dy", 0), action.get("dx", 0)
        self.go(action)
        self.held(action.get("modifiers", ()), notches)

    def key(self, action):
        for _ in range(action.get("repeat", 1)):
            self.held(action["keys"], lambda: None)

    def hold_key(self, action):
        self.held(action["keys"], lambda: time.sleep(action["seconds"]))

    def key_down(self, action):
        """Keep a key down, without repeating: how often it did would be a matter of how slow the line is."""
        for code in self.codes(action["key"]):
            self.display.change_keyboard_control(key=code, auto_repeat_mode=X.AutoRepeatModeOff)
            self.fake(X.KeyPress, code)

    def key_up(self, action):
        for code in reversed(self.codes(action["key"])):
            self.fake(X.KeyRelease, code)
            self.display.change_keyboard_control(key=code, auto_repeat_mode=X.AutoRepeatModeDefault)
        self.display.sync()

    def type(self, action):
        """Write a text; characters that no key writes are taught to spare keys, as many at a time as there are."""
        locked = self.display.screen().root.query_pointer().mask & X.LockMask
        if locked:
            self.key({"keys": ["capslock"]})
        try:
            return self.write(action["text"].replace("\r\n", "\n"))
        finally:
            if locked:
                self.key({"keys": ["capslock"]})

    def write(self, text):
        """Press the keys of a text, and return whether it was read."""
        while text:
            now = self.teachable(text)
            for character in text[:now]:
                self.held(
                    [{"\n": "enter", "\r": "enter", "\t": "tab"}.get(character, character)], lambda: None
                )
            text = text[now:]
        return self.taken(_BUSY)

    def taken(self, seconds):
        """Wait until the window with the focus has read its input, where it can tell: it answers a ping in its turn.

        Returns whether it did, or None where it cannot tell.
        """
        root, atom = self.display.screen().root, self.display.intern_atom
        end = time.time() + seconds
        self.managed(seconds / 2)  # one that is late has not lost anything; only the window's answer counts
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
        return self.heard(
            lambda event: event.type == X.ClientMessage and list(event.data[1])[1] == stamp, end - time.time()
        )

    def managed(self, seconds):
        """Wait until the window manager has read its input: it holds the pointer while it reads a changed keyboard.

        It answers a question about frames in its turn. Returns whether it did, or None where it cannot tell.
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
        found = self.heard(
            lambda event: event.type == X.PropertyNotify and event.window.id == mine.id, seconds
        )
        mine.destroy()
        return found

    def heard(self, wanted, seconds):
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
        """Return the keycodes to press for a key: Shift before it where its character needs that."""
        symbol = self.symbol(key)
        found = self.find(symbol)
        if found is None:
            self.teach([symbol])
            found = self.find(symbol)
        code, shifted = found
        return [*self.codes("shift"), code] if shifted else [code]

    def symbol(self, key):
        """Return the keysym of a canonical key."""
        if len(key) == 1:
            return ord(key) if 0x20 <= ord(key) < 0x7F or 0xA0 <= ord(key) < 0x100 else 0x1000000 + ord(key)
        return XK.string_to_keysym(_KEYS.get(key, key.upper()))

    def find(self, symbol):
        """Return the keycode that writes a keysym, and whether with Shift."""
        for level in (0, 1):
            for at, row in enumerate(self.table):
                if row[level : level + 1] == [symbol]:
                    return self.first + at, bool(level)
        return None

    def spare(self):
        """Return places of the table that write nothing."""
        return [at for at, row in enumerate(self.table) if not any(row)]

    def teachable(self, text):
        """Teach the missing characters of a text's beginning, and return how many characters that begins."""
        room = len(self.spare())
        if room == 0:
            self.forget()
            room = len(self.spare())
        missing = []
        for at, character in enumerate(text):
            symbol = self.symbol(character) if character not in "\n\r\t" else 0
            if symbol and symbol not in missing and self.find(symbol) is None:
                if len(missing) == room:
                    self.teach(missing)
                    return at
                missing.append(symbol)
        self.teach(missing)
        return len(text)

    def teach(self, symbols):
        """Have spare keys write symbols; neighbours change by one request, since each is read by all applications."""
        if not symbols:
            return
        if len(self.spare()) < len(symbols):
            self.forget()
        places = self.spare()[: len(symbols)]
        for at, symbol in zip(places, symbols):
            self.table[at] = [symbol, symbol]
        for at in places:
            if at - 1 not in places:
                stop = at + 1
                while stop in places:
                    stop += 1
                self.display.change_keyboard_mapping(self.first + at, self.table[at:stop])
        self.display.sync()
        time.sleep(_LEARN)

    def forget(self):
        """Free the keys that were taught something: those that write the same with Shift as without, and no letter."""
        if self.taken(_BUSY_BEFORE) is False:
            raise Busy
        time.sleep(_LEARN)  # a window that cannot tell is still reading what was typed with them
        for at, row in enumerate(self.table):
            if row[:2] == [row[0], row[0]] and row[0] > 0x1000000:
                self.table[at] = [0, 0]


def last_action():
    """Return the mark of the last action, and when it clicked, if it did."""
    try:
        with open(_LAST, encoding="ascii") as file:
            mark, clicked = file.read().split()
            return mark, float(clicked)
    except (OSError, ValueError):
        return "", 0.0


def remember(mark, clicked):
    """Write them down for the next call."""
    with open(_LAST, "w", encoding="ascii") as file:
        file.write(f"{mark} {clicked:f}")


def main(action, mark):
    """Act and say so; what was begun before is not begun again, however often it is sent."""
    last, clicked = last_action()
    taken, busy = None, False
    if mark != last:
        remember(mark, clicked)
        if action["kind"] in ("click", "mouse_down", "drag"):
            time.sleep(max(0.0, min(_APART, clicked + _APART - time.time())))
            remember(mark, time.time())
        hand = Hand()
        try:
            taken = hand.act(action)
        except Busy:
            busy = True
        finally:
            hand.display.close()
    print(json.dumps({"mark": mark, "again": mark == last, "taken": taken, "busy": busy}))
