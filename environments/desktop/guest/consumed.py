"""Whether the programs have taken all input from their queues: they answer a ping in its place in the queue.

This is what replaces sleeping after input. Toolkits (GTK, Qt, wx) answer the window manager's `_NET_WM_PING`;
a window that does not announce it is not asked.
"""

from __future__ import annotations

import time
from typing import Any

import xcffib
import xcffib.xproto as x

from guest.display import Display

_SECONDS = 0.5  # that a busy program is waited for
# GTK answers to whoever watches the root's children, Qt 5 to whoever watches the root itself.
_REPLY_MASK = x.EventMask.SubstructureNotify | x.EventMask.StructureNotify


class Consumption:
    """Asks the windows of a display; to be used in the display's thread."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._number = 0
        display.core.ChangeWindowAttributes(display.root, x.CW.EventMask, [_REPLY_MASK])
        display.sync()

    def wait(self, seconds: float = _SECONDS) -> bool:
        """Return whether every window that can answer did so in time, and there was one."""
        windows = self._able()
        waiting = {(self._ask(window), window) for window in windows}
        self._display.connection.flush()
        for event in self._display.events(time.monotonic() + seconds if waiting else 0):
            if isinstance(event, x.ClientMessageEvent):
                waiting.discard((event.data.data32[1], event.data.data32[2]))
            if not waiting:
                break
        return bool(windows) and not waiting

    def _able(self) -> list[int]:
        display = self._display
        ping = display.atom("_NET_WM_PING")
        windows = display.property(display.root, "_NET_CLIENT_LIST")
        return [window for window in windows if ping in display.property(window, "WM_PROTOCOLS")]

    def _ask(self, window: int) -> int:
        self._number = self._number % 0x7FFFFFFF + 1
        display = self._display
        words = [display.atom("_NET_WM_PING"), self._number, window, 0, 0]
        data: Any = x.ClientMessageData
        message: Any = x.ClientMessageEvent
        event = message.synthetic(32, window, display.atom("WM_PROTOCOLS"), data.synthetic(words, "5I"))
        try:
            display.core.SendEvent(False, window, 0, event.pack(), is_checked=True).check()
        except xcffib.xproto.WindowError:  # it has just been closed
            return 0
        return self._number
