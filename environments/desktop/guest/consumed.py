"""Whether all input has been taken from its queues: by the window manager first, then by the programs.

This is what replaces sleeping after input. A window manager that focuses windows on a click holds the pointer until
it has seen the click, and takes its time over a changed keyboard; it answers a question about frames in its place in
the queue. Toolkits (GTK, Qt, wx) answer the window manager's `_NET_WM_PING` likewise. A window that does not
announce that is not asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import cycle
from typing import Any

import xcffib
import xcffib.xproto as x

from guest.display import Display
from guest.patience import patient

_SECONDS = patient(0.5)  # that a busy program is waited for
_MANAGER_SECONDS = patient(5.0)  # the window manager has nothing else to do
_WINDOWS = 16  # asked about in turn: a manager answers more than once, and late answers must not count
# GTK answers to whoever watches the root's children, Qt 5 to whoever watches the root itself.
_REPLY_MASK = x.EventMask.SubstructureNotify | x.EventMask.StructureNotify
_MANAGER_MASK = x.EventMask.SubstructureNotify | x.EventMask.SubstructureRedirect


class Consumption:
    """Asks the windows of a display; to be used in the display's thread."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._number = 0
        display.core.ChangeWindowAttributes(display.root, x.CW.EventMask, [_REPLY_MASK])
        self._windows = cycle([self._window() for _ in range(_WINDOWS)])
        display.sync()

    def wait(self, seconds: float = _SECONDS) -> bool:
        """Return whether the manager and every window that can answer did so in time, and there was one."""
        self._manager()
        windows = self._able()
        return bool(windows) and self._answered(windows, time.monotonic() + seconds)

    def over(self, seconds: float) -> bool:
        """Return whether the window that gets the keys took them in time; one that cannot tell, or has gone, did."""
        self._manager()
        end = time.monotonic() + seconds
        while windows := self._able() & set(self._display.property(self._display.root, "_NET_ACTIVE_WINDOW")):
            now = time.monotonic()
            if now >= end:
                return False
            if self._answered(windows, min(end, now + _SECONDS)):
                return True
        return True

    def _answered(self, windows: set[int], end: float) -> bool:
        waiting = {(self._ask(window), window) for window in windows}

        def answered(event: Any) -> bool:
            if isinstance(event, x.ClientMessageEvent):
                waiting.discard((event.data.data32[1], event.data.data32[2]))
            return not waiting

        return self._until(answered, end)

    def _manager(self) -> None:
        """Wait until the window manager has seen all that happened before."""
        display, name = self._display, "_NET_REQUEST_FRAME_EXTENTS"
        if display.atom(name) in display.property(display.root, "_NET_SUPPORTED"):
            window, end = next(self._windows), time.monotonic() + _MANAGER_SECONDS
            self._send(window, name, [0] * 5, display.root, _MANAGER_MASK)
            self._until(
                lambda event: isinstance(event, x.PropertyNotifyEvent) and event.window == window, end
            )

    def _window(self) -> int:
        display, number = self._display, int(self._display.connection.generate_id())
        place, kind = (-9, -9, 1, 1, 0), (x.WindowClass.InputOnly, 0)
        mask = (x.CW.EventMask, [x.EventMask.PropertyChange])
        display.core.CreateWindow(0, number, display.root, *place, *kind, *mask)
        return number

    def _until(self, answered: Callable[[Any], bool], end: float) -> bool:
        self._display.connection.flush()
        return any(answered(event) for event in self._display.events(end))

    def _able(self) -> set[int]:
        display = self._display
        ping = display.atom("_NET_WM_PING")
        windows = display.property(display.root, "_NET_CLIENT_LIST")
        return {window for window in windows if ping in display.property(window, "WM_PROTOCOLS")}

    def _ask(self, window: int) -> int:
        self._number = self._number % 0x7FFFFFFF + 1
        words = [self._display.atom("_NET_WM_PING"), self._number, window, 0, 0]
        try:
            self._send(window, "WM_PROTOCOLS", words, window, 0)
        except xcffib.xproto.WindowError:  # it has just been closed
            return 0
        return self._number

    def _send(self, about: int, kind: str, words: list[int], to: int, mask: int) -> None:
        data: Any = x.ClientMessageData
        message: Any = x.ClientMessageEvent
        event = message.synthetic(32, about, self._display.atom(kind), data.synthetic(words, "5I"))
        self._display.core.SendEvent(False, to, mask, event.pack(), is_checked=True).check()
