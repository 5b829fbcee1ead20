"""Actions of OpenAI's computer tool, read into canonical ones; nothing of them is trusted or guessed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button, CoordinateSpace, Point
from pytest_cuabench.task.keys import MODIFIERS, canonical_key, parse_chord

PIXELS_PER_NOTCH = 120
PAUSE = 2.0  # seconds of a `wait`, which names none


def read_action(action: object, space: CoordinateSpace) -> tuple[Action, ...]:
    """Return the canonical actions of one of OpenAI's, with places in screen pixels.

    Raises:
        ActionError: It is unknown, lacks a field, has one that is not known, or names what is not there.
    """
    if not isinstance(action, dict):
        raise ActionError("an action is an object with a type")
    kind = action.get("type")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ActionError(f"unknown action {kind!r:.80}; known: {', '.join(_KINDS)}")
    known = _KINDS[kind]
    given = {name for name, value in action.items() if value is not None and name != "type"}
    if lacking := known.fields - given:
        raise ActionError(f"{kind} lacks {', '.join(sorted(lacking))}")
    if strange := given - known.fields - known.optional:
        raise ActionError(f"{kind} takes no {', '.join(sorted(strange)):.80}")
    return known.read(action, space)


# The kinds of actions

_BUTTONS: dict[str, Button] = {
    "left": "left",
    "right": "right",
    "wheel": "middle",
    "back": "back",
    "forward": "forward",
}


def _click(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    button = action["button"]
    if not isinstance(button, str) or button not in _BUTTONS:
        raise ActionError(f"click: button is {button!r:.80}, but must be one of {', '.join(_BUTTONS)}")
    return (act.Click(*_place(action, space), button=_BUTTONS[button], modifiers=_held(action)),)


def _double_click(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    return (act.Click(*_place(action, space), count=2, modifiers=_held(action)),)


def _drag(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    path = action["path"]
    if not isinstance(path, list) or not all(isinstance(p, dict) and {"x", "y"} == set(p) for p in path):
        raise ActionError("drag: path must be a list of objects with x and y")
    points = [_place(point, space) for point in path]
    return (act.Drag(tuple((x, y) for x, y in points), modifiers=_held(action)),)


def _keypress(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    chord = tuple(key for name in _names(action) for key in parse_chord(name))
    if MODIFIERS - {"shift"} & set(chord):  # CTRL+A names the key, not the capital letter
        chord = tuple(key.lower() if len(key) == 1 else key for key in chord)
    return (act.Key(chord),)


def _move(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    held = _held(action)
    down, up = (act.KeyDown(key) for key in held), (act.KeyUp(key) for key in reversed(held))
    return (*down, act.Move(*_place(action, space)), *up)


def _scroll(action: dict[str, Any], space: CoordinateSpace) -> tuple[Action, ...]:
    dx, dy = _notches(action, "scroll_x"), _notches(action, "scroll_y")
    if not dx and not dy:
        raise ActionError("scroll: scroll_x and scroll_y are both 0")
    return (act.Scroll(*_place(action, space), dx=dx, dy=dy, modifiers=_held(action)),)


def _place(action: dict[str, Any], space: CoordinateSpace) -> Point:
    return space.to_screen(action["x"], action["y"])


def _names(action: dict[str, Any]) -> list[str]:
    names = action["keys"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ActionError(f"{action['type']}: keys must be a list of names of keys")
    return names


def _held(action: dict[str, Any]) -> tuple[str, ...]:
    if action.get("keys") is None:
        return ()
    held = tuple(dict.fromkeys(map(canonical_key, _names(action))))
    if strange := set(held) - MODIFIERS:
        raise ActionError(f"{action['type']}: {sorted(strange)} cannot be held; known: {sorted(MODIFIERS)}")
    return held


def _notches(action: dict[str, Any], name: str) -> int:
    """Return wheel notches for pixels, away from zero, so that a small scroll moves something."""
    pixels = action[name]
    if isinstance(pixels, bool) or not isinstance(pixels, int | float) or not -1e6 <= pixels <= 1e6:
        raise ActionError(f"scroll: {name} is {pixels!r:.80}, but must be a number of pixels")
    return int(math.copysign(math.ceil(abs(pixels) / PIXELS_PER_NOTCH), pixels))


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of action is written, and what it means here."""

    read: Callable[[dict[str, Any], CoordinateSpace], tuple[Action, ...]]
    fields: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()


_XY, _KEYS = frozenset({"x", "y"}), frozenset({"keys"})
_KINDS = {
    "click": _Kind(_click, _XY | {"button"}, _KEYS),
    "double_click": _Kind(_double_click, _XY, _KEYS),
    "drag": _Kind(_drag, frozenset({"path"}), _KEYS),
    "keypress": _Kind(_keypress, _KEYS),
    "move": _Kind(_move, _XY, _KEYS),
    "screenshot": _Kind(lambda action, space: (act.Screenshot(),)),
    "scroll": _Kind(_scroll, _XY | {"scroll_x", "scroll_y"}, _KEYS),
    "type": _Kind(lambda action, space: (act.Type(action["text"]),), frozenset({"text"})),
    "wait": _Kind(lambda action, space: (act.Wait(PAUSE),)),
}
