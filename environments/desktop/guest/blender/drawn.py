"""Runs in Blender: tells by files when the first picture is drawn, and when input was handled. `-- FOLDER`.

A question is a number in the file `asked`. It is copied to `answered` two rounds later, when Blender has read, handled
and drawn what was there before the question.
"""

from __future__ import annotations

import sys
from pathlib import Path

import bpy  # type: ignore[import-not-found]

_FOLDER = Path(sys.argv[-1])
_EVERY = 0.02  # seconds
_ROUNDS = 2


class _Teller:
    def __init__(self) -> None:
        self._asked, self._rounds = "", 0
        self._handler = bpy.types.SpaceView3D.draw_handler_add(self._drawn, (), "WINDOW", "POST_PIXEL")
        self._first = False

    def _drawn(self) -> None:
        self._first = True

    def tell(self) -> float:
        """Answer the question, if there is one."""
        if self._first and self._handler is not None:
            bpy.types.SpaceView3D.draw_handler_remove(self._handler, "WINDOW")
            self._handler = None
            self._write("drawn", "yes")
        asked = self._read("asked")
        self._rounds = self._rounds + 1 if asked == self._asked else 0
        self._asked = asked
        if asked and self._rounds == _ROUNDS:
            self._write("answered", asked)
        return _EVERY

    def _read(self, name: str) -> str:
        try:
            return (_FOLDER / name).read_text(encoding="utf-8")
        except OSError:
            return ""

    def _write(self, name: str, text: str) -> None:
        (_FOLDER / name).write_text(text, encoding="utf-8")


bpy.app.timers.register(_Teller().tell, first_interval=_EVERY, persistent=True)
