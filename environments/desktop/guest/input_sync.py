"""Waits until the window manager and the programs have read all input from their queues.

This replaces sleeping after input. A window manager grabs the pointer until it has handled a click, and needs time for
a changed keyboard; it answers a request for frame extents in the order of its queue. Toolkits (GTK, Qt, wx) answer
`_NET_WM_PING` likewise. Windows that do not announce support for it are not pinged.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import cycle
from typing import Any

import xcffib
import xcffib.xproto as x

from guest.display import Display
from guest.timeouts import scaled

_SECONDS = scaled(0.5)  # timeout for a busy program
_MANAGER_SECONDS = scaled(5.0)  # timeout for the window manager
_WINDOWS = 16  # used in turn: a manager may answer more than once, and late answers must not count
# GTK answers with SubstructureNotify on the root, Qt 5 with StructureNotify.
_REPLY_MASK = x.EventMask.SubstructureNotify | x.EventMask.StructureNotify
_MANAGER_MASK = x.EventMask.SubstructureNotify | x.EventMask.SubstructureRedirect


class InputSync:
    """Pings the windows of a display; for use in the display's thread."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._number = 0
        display.core.ChangeWindowAttributes(display.root, x.CW.EventMask, [_REPLY_MASK])
        self._windows = cycle([self._window() for _ in range(_WINDOWS)])
        display.sync()

    def wait(self, seconds: float = _SECONDS) -> bool:
        """Return whether the manager and every pinged window answered in time; False if there is no such window."""
        self._wait_for_manager()
        windows = self._supporting_windows()
        return bool(windows) and self._answered(windows, time.monotonic() + seconds)

    def focused_window_read(self, seconds: float) -> bool:
        """Return whether the focused window read its input in time; True if it does not support pings or is gone."""
        self._wait_for_manager()
        end = time.monotonic() + seconds
        while windows := self._supporting_windows() & set(
            self._display.property(self._display.root, "_NET_ACTIVE_WINDOW")
        ):
            now = time.monotonic()
            if now >= end:
                return False
            if self._answered(windows, min(end, now + _SECONDS)):
                return True
        return True

    def _answered(self, windows: set[int], end: float) -> bool:
        waiting = {(self._ping(window), window) for window in windows}

        def answered(event: Any) -> bool:
            if isinstance(event, x.ClientMessageEvent):
                waiting.discard((event.data.data32[1], event.data.data32[2]))
            return not waiting

        return self._until(answered, end)

    def _wait_for_manager(self) -> None:
        """Wait until the window manager has handled all earlier events."""
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

    def _supporting_windows(self) -> set[int]:
        display = self._display
        ping = display.atom("_NET_WM_PING")
        windows = display.property(display.root, "_NET_CLIENT_LIST")
        return {window for window in windows if ping in display.property(window, "WM_PROTOCOLS")}

    def _ping(self, window: int) -> int:
        self._number = self._number % 0x7FFFFFFF + 1
        words = [self._display.atom("_NET_WM_PING"), self._number, window, 0, 0]
        try:
            self._send(window, "WM_PROTOCOLS", words, window, 0)
        except xcffib.xproto.WindowError:  # the window has just been closed
            return 0
        return self._number

    def _send(self, about: int, kind: str, words: list[int], to: int, mask: int) -> None:
        data: Any = x.ClientMessageData
        message: Any = x.ClientMessageEvent
        event = message.synthetic(32, about, self._display.atom(kind), data.synthetic(words, "5I"))
        self._display.core.SendEvent(False, to, mask, event.pack(), is_checked=True).check()
