"""Raw input events of the browser's protocol, gathered into actions: a press and its release are one click.

Events are answered before they are carried out where more may follow, such as the keys of a word. A gathered action is
carried out when it is complete, when no event has come for a while, and before the program looks at anything.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

from pytest_cuabench.agents.program.endpoints.gathering import Gathered
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action, Button
from pytest_cuabench.task.keys import MODIFIERS, canonical_key

NOTCH = 120  # pixels of one wheel notch
_BITS = {"alt": 1, "ctrl": 2, "meta": 4, "shift": 8}
_MOUSE = ("mouseMoved", "mousePressed", "mouseReleased", "mouseWheel")
_FAR = 1_000_000
_MOST_POINTS = 1000  # of a drag
_MOST_CLICKS = 3  # in a row
_MOST_ACTIONS = 50  # gathered before they are carried out


@dataclass(frozen=True)
class _Press:
    """A button that the program holds.

    Attributes:
        told: Whether the screen knows of it already.
    """

    button: Button
    path: tuple[tuple[int, int], ...]
    modifiers: tuple[str, ...]
    count: int
    told: bool = False


class Gathering(Gathered):
    """The input of one program.

    Attributes:
        complete: Whether the last event completed an action, which is to be carried out now.
    """

    def __init__(self) -> None:
        super().__init__()
        self.complete = False
        self._at = (-1, -1)
        self._press: _Press | None = None
        self._held: dict[str, bool] = {}  # modifiers, and whether they were used
        self._told: list[str] = []  # modifiers that the screen knows of
        self._key: tuple[str, ...] = ()  # a chord that may still become a character
        self._clicked: act.Click | None = None  # carried out last

    @property
    def waiting(self) -> bool:
        """Whether anything is gathered."""
        return bool(self.actions or self._key or (self._press and not self._press.told))

    def take(self, method: str, event: Mapping[str, Any]) -> None:
        """Add an event.

        Raises:
            ActionError: It is malformed, or its key is unknown.
        """
        self.complete = False
        if method == "Input.insertText":
            self.type(_text(event, "text"))
            self.complete = True
        elif method == "Input.synthesizeScrollGesture":
            self._scroll(event, -_number(event, "xDistance"), -_number(event, "yDistance"))
        elif method == "Input.dispatchKeyEvent":
            self._keyed(event)
        elif method == "Input.dispatchDragEvent":
            self._dragged(event)
        else:
            self._moused(event)
        self.complete = self.complete or len(self.actions) >= _MOST_ACTIONS

    def taken(self) -> list[Action]:
        """Return what is gathered, to be carried out now; a button or modifier that is held becomes known by it."""
        self._end_key()
        press = self._press
        if press is not None and not press.told:
            self._drop_move(press.path[0])
            self.actions += [act.KeyDown(key) for key in press.modifiers]
            self._told = list(press.modifiers)
            self.actions.append(act.MouseDown(*press.path[0], button=press.button))
            self.actions += [act.Move(*point) for point in press.path[1:]]
            self._press = replace(press, told=True)
        last = self.last
        actions, self.actions, self.complete = self.actions, [], False
        if actions:
            self._clicked = last if isinstance(last, act.Click) else None
        return actions

    # Mouse

    def _moused(self, event: Mapping[str, Any]) -> None:
        self._end_key()
        kind = event.get("type")
        if kind == "mouseWheel":
            self._scroll(event, _number(event, "deltaX"), _number(event, "deltaY"))
        elif kind == "mouseMoved":
            self._moved(_point(event))
        elif kind == "mousePressed":
            if self._press is None:
                button = event.get("button", "left")
                if button not in get_args(Button):
                    raise ActionError(
                        f"button is {button!r:.40}, but must be one of {', '.join(get_args(Button))}"
                    )
                count = min(max(1, round(_number(event, "clickCount", 1))), _MOST_CLICKS)
                self._at = _point(event)
                self._press = _Press(button, (self._at,), self._modifiers(event), count)
        elif kind == "mouseReleased":
            self._released(_point(event))
        else:
            raise ActionError(f"type is {kind!r:.40}, but must be {', '.join(_MOUSE)}")

    def _moved(self, to: tuple[int, int]) -> None:
        press = self._press
        if to == self._at:
            return
        self._at = to
        if press is not None and not press.told:
            if len(press.path) < _MOST_POINTS - 1:  # the release adds the last one
                self._press = replace(press, path=(*press.path, to))
            return
        if isinstance(self.last, act.Move) and press is None:
            self.actions.pop()
        self.actions.append(act.Move(*to))

    def _released(self, at: tuple[int, int]) -> None:
        press, self._press = self._press, None
        self._at = at
        if press is None:
            return
        self.complete = True
        if press.told:
            self.actions.append(act.MouseUp(*at, button=press.button))
            self.actions += [act.KeyUp(key) for key in reversed(self._told)]
            self._told = []
        elif len(path := (*press.path, *([at] if at != press.path[-1] else []))) > 1:
            self._drop_move(path[0])
            self.actions.append(act.Drag(path, press.button, press.modifiers))
        else:
            self._click(press)

    def _click(self, press: _Press) -> None:
        click = act.Click(*press.path[0], press.button, 1, press.modifiers)
        self._drop_move(press.path[0])
        before = self.last
        if press.count > 1 and before == replace(click, count=press.count - 1):
            self.actions[-1] = replace(click, count=press.count)
        elif press.count > 1 and before is None and self._clicked == replace(click, count=press.count - 1):
            # The first click is carried out already; pressing soon after it makes them two.
            at = press.path[0]
            self.actions += [act.MouseDown(*at, button=press.button), act.MouseUp(*at, button=press.button)]
        else:
            self.actions.append(replace(click, count=press.count))

    def _drop_move(self, to: tuple[int, int]) -> None:
        if self.last == act.Move(*to):
            self.actions.pop()

    def _scroll(self, event: Mapping[str, Any], dx: float, dy: float) -> None:
        self._end_key()
        at = self._at = _point(event)
        self._drop_move(at)
        x, y = _notches(dx), _notches(dy)
        if x or y:
            self.actions.append(act.Scroll(*at, dx=x, dy=y, modifiers=self._modifiers(event)))
        self.complete = True

    def _dragged(self, event: Mapping[str, Any]) -> None:
        if event.get("type") in ("dragEnter", "dragOver"):
            self._moved(_point(event))
        elif event.get("type") == "drop":
            self._released(_point(event))

    # Keys

    def _keyed(self, event: Mapping[str, Any]) -> None:
        kind = event.get("type")
        if kind == "char":
            self._character(_text(event, "text"))
            return
        if kind not in ("keyDown", "rawKeyDown", "keyUp"):
            raise ActionError(f"type is {kind!r:.40}, but must be keyDown, keyUp, rawKeyDown or char")
        key = canonical_key(_text(event, "key") or _text(event, "code").removeprefix("Key"))
        if key in MODIFIERS:
            self._modifier(key, down=kind != "keyUp")
            return
        if kind == "keyUp":
            # A text stays open: the next character may belong to it.
            self.complete = bool(self._key) or (
                bool(self.actions) and not isinstance(self.actions[-1], act.Type)
            )
            self._end_key()
            return
        self._end_key()
        held = self._modifiers(event)
        text = "" if kind == "rawKeyDown" else _text(event, "text")
        if text.isprintable() and text and not {"ctrl", "alt", "meta"} & set(held):
            self.type(text)
            return
        # Shift alone is in the character already; with other modifiers it is a key of the chord.
        chord = (*(name for name in held if len(key) > 1 or name != "shift" or len(held) > 1), key)
        if text or held or (len(key) > 1 and key not in ("enter", "space")):
            self.press(chord)
        else:
            self._key = chord  # a character may follow

    def _character(self, text: str) -> None:
        """Add the character of the key before."""
        if text in ("\r", "\n"):
            self._end_key()
            return
        self._key = ()
        self.type(text)

    def _end_key(self) -> None:
        if self._key:
            self.press(self._key)
        self._key = ()

    def _modifier(self, key: str, *, down: bool) -> None:
        if down:
            self._held.setdefault(key, False)
        elif self._held.pop(key, True) is False:
            self.press((key,))  # pressed for its own sake
            self.complete = True

    def _modifiers(self, event: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the modifiers of an event in the order of a chord."""
        bits = round(_number(event, "modifiers", 0))
        for key in self._held:
            self._held[key] = True
        return tuple(key for key, bit in _BITS.items() if bits & bit or key in self._held)


def _notches(pixels: float) -> int:
    if not pixels:
        return 0
    return int(math.copysign(min(100, max(1, round(abs(pixels) / NOTCH))), pixels))


def _point(event: Mapping[str, Any]) -> tuple[int, int]:
    return math.floor(_number(event, "x")), math.floor(_number(event, "y"))  # the pixel that holds the point


def _number(event: Mapping[str, Any], name: str, default: float | None = None) -> float:
    value = event.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < _FAR:
        where = f" from -{_FAR} to {_FAR}" if isinstance(value, float | int) else ""
        raise ActionError(f"{name} is {value!r:.40}, but must be a number{where}")
    return value


def _text(event: Mapping[str, Any], name: str) -> str:
    value = event.get(name, "")
    if not isinstance(value, str):
        raise ActionError(f"{name} is {value!r:.40}, but must be text")
    return value
