"""The actions that raw input is gathered into, whichever door it comes by: `cdp/input.py` and `vnc/gestures.py`."""

from __future__ import annotations

from dataclasses import replace

from pytest_cuabench.task.action import MAX_REPEAT, MAX_TEXT, Action, Key, Type


class Gathered:
    """Actions of a step, in which characters in a row are one text, and a repeated chord one action.

    Attributes:
        actions: What is gathered and not carried out yet.
    """

    def __init__(self) -> None:
        self.actions: list[Action] = []

    @property
    def last(self) -> Action | None:
        """The action before; None at the beginning of a step."""
        return self.actions[-1] if self.actions else None

    def type(self, text: str) -> None:
        """Add characters."""
        last = self.last
        if isinstance(last, Type) and len(last.text) + len(text) <= MAX_TEXT:
            self.actions[-1] = Type(last.text + text)
        elif text:
            self.actions.append(Type(text))

    def press(self, chord: tuple[str, ...]) -> None:
        """Add keys that are pressed together."""
        last = self.last
        if isinstance(last, Key) and last.keys == chord and last.repeat < MAX_REPEAT:
            self.actions[-1] = replace(last, repeat=last.repeat + 1)
        else:
            self.actions.append(Key(chord))
