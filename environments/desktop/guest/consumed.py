"""Whether all input has been taken from its queues: by the window manager first, then by the programs.

This is what replaces sleeping after input. A window manager that focuses windows on a click holds the pointer until
it has seen the click, and takes its time over a changed keyboard; it answers a question about frames in its place in
the queue. Toolkits (GTK, Qt, wx) answer the window manager's `_NET_WM_PING` likewise. A window that does not
announce that is not asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import xcffib
import xcffib.xproto as x

from guest.display import Display

_SECONDS = 0.5  # that a busy program is waited for
_MANAGER_MASK = x.EventMask.SubstructureNotify | x.EventMask.SubstructureRedirect


class Consumption:
    """Asks the windows of a display; to be used in the display's thread."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._number = 0
        core = display.core
        # Qt 5 sends its answer to whom the root itself is of interest, others to whom its windows are.
        heard = x.EventMask.SubstructureNotify | x.EventMask.StructureNotify
        core.ChangeWindowAttributes(display.root, x.CW.EventMask, [heard])
        self._window = display.connection.generate_id()
        place, kind = (-9, -9, 1, 1, 0), (x.WindowClass.InputOnly, 0)
        core.CreateWindow(
            0, self._window, display.root, *place, *kind, x.CW.EventMask, [x.EventMask.PropertyChange]
        )
        display.sync()

    def wait(self, seconds: float = _SECONDS) -> bool:
        """Return whether the manager and every window that can answer did so in time, and there was one."""
        end = time.monotonic() + seconds
        self._manager(end)
        windows = self._able()
        waiting = {(self._ask(window), window) for window in windows}

        def answered(event: Any) -> bool:
            if isinstance(event, x.ClientMessageEvent):
                waiting.discard((event.data.data32[1], event.data.data32[2]))
            return not waiting

        return bool(windows) and self._until(answered, end)

    def _manager(self, end: float) -> None:
        """Wait until the window manager has seen all that happened before."""
        display, name = self._display, "_NET_REQUEST_FRAME_EXTENTS"
        if display.atom(name) not in display.property(display.root, "_NET_SUPPORTED"):
            return
        self._send(self._window, name, [0] * 5, display.root, _MANAGER_MASK)
        self._until(lambda event: isinstance(event, x.PropertyNotifyEvent), end)

    def _until(self, answered: Callable[[Any], bool], end: float) -> bool:
        self._display.connection.flush()
        return any(answered(event) for event in self._display.events(end))

    def _able(self) -> list[int]:
        display = self._display
        ping = display.atom("_NET_WM_PING")
        windows = display.property(display.root, "_NET_CLIENT_LIST")
        return [window for window in windows if ping in display.property(window, "WM_PROTOCOLS")]

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
