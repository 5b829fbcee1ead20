"""The text field of a dialog as pure data: its text, caret and selection, and what keys do with them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WAYS = {"left": -1, "right": 1}


@dataclass
class Line:
    """A text between whose characters the caret stands; the selection lies between `anchor` and `caret`."""

    text: str = ""
    anchor: int = 0
    caret: int = 0

    @classmethod
    def selected(cls, text: str) -> Line:
        """Return a line whose whole text is selected."""
        return cls(text, 0, len(text))

    @property
    def selection(self) -> tuple[int, int]:
        """Where the selection begins and ends; equal without one."""
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    def insert(self, text: str) -> None:
        """Write a text in place of the selection."""
        first, last = self.selection
        self.text = self.text[:first] + text + self.text[last:]
        self.anchor = self.caret = first + len(text)

    def copy(self) -> str:
        """Return the selected text."""
        first, last = self.selection
        return self.text[first:last]

    def key(self, key: str, *, ctrl: bool, shift: bool) -> bool:
        """Move the caret, select or delete by a key; False if it does none of these."""
        if key == "a" and ctrl:
            self.anchor, self.caret = 0, len(self.text)
        elif key in ("backspace", "delete"):
            self._delete(-1 if key == "backspace" else 1, ctrl)
        elif key in ("home", "up"):
            self._go(0, shift)
        elif key in ("end", "down"):
            self._go(len(self.text), shift)
        elif key in _WAYS:
            first, last = self.selection
            if first != last and not shift:
                self._go(first if key == "left" else last, shift=False)
            else:
                self._go(self._beside(_WAYS[key], ctrl), shift)
        else:
            return False
        return True

    def _go(self, place: int, shift: bool) -> None:
        self.caret = place
        if not shift:
            self.anchor = place

    def _delete(self, way: int, word: bool) -> None:
        if self.anchor == self.caret:
            self.caret = self._beside(way, word)
        self.insert("")

    def _beside(self, way: int, word: bool) -> int:
        """Return the place one character or word before or after the caret."""
        if not word:
            return max(0, min(len(self.text), self.caret + way))
        starts = [found.start() for found in re.finditer(r"\w+|[^\w\s]+", self.text)]
        if way < 0:
            return max((place for place in starts if place < self.caret), default=0)
        ends = (found.end() for found in re.finditer(r"\w+|[^\w\s]+", self.text))
        return min((place for place in ends if place > self.caret), default=len(self.text))
