"""Pointer and key events of VNC clients, gathered into the actions of a step.

A press and a release at one place are a click, two in quick succession a double click, with movement in between a
drag; characters in a row are a text, keys with held modifiers a chord. A key counts when it is pressed, as often as the
client repeats it. A button or modifier that is still pressed at the end of a step stays pressed until its release.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from pytest_cuabench.agents.program.endpoints.gathering import Gathered
from pytest_cuabench.agents.program.endpoints.vnc.keysyms import LEVELS, key_of
from pytest_cuabench.agents.program.endpoints.wire import MOST_ACTIONS
from pytest_cuabench.errors import ActionError
from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import MAX_REPEAT, Action, Button, Point, Size
from pytest_cuabench.task.keys import MODIFIERS, canonical_key

_BUTTONS: dict[int, Button] = {0: "left", 1: "middle", 2: "right", 7: "back", 8: "forward"}  # by bit
_WHEEL = {3: (0, -1), 4: (0, 1), 5: (-1, 0), 6: (1, 0)}  # by bit: a notch is the press of a button
_NEAR = 3  # pixels that a click may shake
_QUICK = 0.5  # seconds between the clicks of a double click
_MOST_POINTS = 500  # of a drag


@dataclass
class _Pressed:
    """A button or modifier that is pressed.

    Attributes:
        path: Where the pointer has been since, from where the button was pressed.
        modifiers: The modifiers that were pressed with the button.
        used: Whether a modifier has been part of another action.
        told: Whether the environment knows that it is pressed.
    """

    path: list[Point]
    modifiers: tuple[str, ...] = ()
    used: bool = False
    told: bool = False


class Gestures(Gathered):
    """Takes events, and returns the actions that they mean.

    Attributes:
        ignored: The numbers of keys without a name since the last step.
    """

    def __init__(self, screen: Size, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.ignored: list[int] = []
        self._screen, self._clock = screen, clock
        self._at = Point(0, 0)
        self._mask = 0
        self._buttons: dict[Button, _Pressed] = {}
        self._modifiers: dict[str, _Pressed] = {}
        self._clicked = -_QUICK  # when the last click ended

    def __bool__(self) -> bool:
        """Whether there is anything to be done."""
        return bool(self.actions) or any(
            not pressed.told for pressed in (*self._buttons.values(), *self._modifiers.values())
        )

    @property
    def full(self) -> bool:
        """Whether a step cannot hold more."""
        return len(self.actions) >= MOST_ACTIONS

    def pointer(self, mask: int, x: int, y: int) -> None:
        """Take the pointer's place, and the buttons that are pressed as bits."""
        at = Point(min(x, self._screen.width - 1), min(y, self._screen.height - 1))
        if at != self._at:
            self._at = at
            self._moved()
        for bit, button in _BUTTONS.items():
            if mask & 1 << bit and button not in self._buttons:
                self._press(button)
            elif not mask & 1 << bit and button in self._buttons:
                self._release(button, self._buttons.pop(button))
        for bit, (dx, dy) in _WHEEL.items():
            if mask & ~self._mask & 1 << bit:
                self._scroll(dx, dy)
        self._mask = mask

    def key(self, down: bool, keysym: int) -> None:
        """Take a key."""
        name = key_of(keysym)
        if name in MODIFIERS:
            self._modify(down, name)
        elif down and name is not None:
            self._stroke(name)
        elif down and keysym not in LEVELS and len(self.ignored) < MOST_ACTIONS:
            self.ignored.append(keysym)

    def release(self) -> None:
        """Release everything, as for a client that is gone."""
        self.pointer(0, *self._at)
        for name, pressed in self._modifiers.items():
            if pressed.told:
                self.actions.append(act.KeyUp(name))
        self._modifiers.clear()

    def take(self) -> tuple[Action, ...]:
        """Return the actions of the step that ends here."""
        for name, pressed in self._modifiers.items():
            if not pressed.told:
                self.actions.append(act.KeyDown(name))
                pressed.told = True
        for button, pressed in self._buttons.items():
            self._tell(button, pressed)
        taken, self.actions, self.ignored = tuple(self.actions), [], []
        return taken

    # Pointer

    def _moved(self) -> None:
        gesture = next((pressed for pressed in self._buttons.values() if not pressed.told), None)
        if gesture is not None:
            gesture.path.append(self._at)
            if len(gesture.path) > _MOST_POINTS:
                del gesture.path[1:-1:2]
            return
        self._arrive()
        self.actions.append(act.Move(*self._at))

    def _arrive(self) -> None:
        """Leave out a movement that what follows makes itself."""
        if isinstance(self.last, act.Move):
            self.actions.pop()

    def _press(self, button: Button) -> None:
        for other, pressed in self._buttons.items():
            self._tell(other, pressed)
        self._arrive()
        self._buttons[button] = _Pressed([self._at], self._used())

    def _release(self, button: Button, pressed: _Pressed) -> None:
        start = pressed.path[0]
        if pressed.told:
            self._arrive()
            self.actions.append(act.MouseUp(*self._at, button))
        elif any(max(abs(x - start.x), abs(y - start.y)) > _NEAR for x, y in pressed.path):
            self.actions.append(act.Drag(tuple((x, y) for x, y in pressed.path), button, pressed.modifiers))
        else:
            self._click(act.Click(*start, button, modifiers=pressed.modifiers))

    def _click(self, click: act.Click) -> None:
        last = self.last
        quick, self._clicked = self._clock() - self._clicked < _QUICK, self._clock()
        if (
            quick
            and isinstance(last, act.Click)
            and last.count < 3
            and (last.button, last.modifiers) == (click.button, click.modifiers)
            and max(abs(last.points()[0].x - self._at.x), abs(last.points()[0].y - self._at.y)) <= _NEAR
        ):
            self.actions[-1] = replace(last, count=last.count + 1)
        else:
            self.actions.append(click)

    def _tell(self, button: Button, pressed: _Pressed) -> None:
        """Press a button in the environment, and keep it pressed."""
        if pressed.told:
            return
        pressed.told = True
        for name in pressed.modifiers:
            held = self._modifiers.get(name)
            if held is not None and not held.told:
                self.actions.append(act.KeyDown(name))
                held.told = True
        self.actions.append(act.MouseDown(*pressed.path[0], button))
        self.actions += [act.Move(*point) for point in pressed.path[-1:] if point != pressed.path[0]]

    def _scroll(self, dx: int, dy: int) -> None:
        self._arrive()
        last, modifiers = self.last, self._used()
        if isinstance(last, act.Scroll) and (last.points(), last.modifiers) == ((self._at,), modifiers):
            total = (last.dx + dx, last.dy + dy)
            if total != (0, 0) and max(map(abs, total)) <= MAX_REPEAT:
                self.actions[-1] = replace(last, dx=total[0], dy=total[1])
                return
        self.actions.append(act.Scroll(*self._at, dx, dy, modifiers))

    # Keys

    def _modify(self, down: bool, name: str) -> None:
        if down:
            self._modifiers.setdefault(name, _Pressed([]))
            return
        pressed = self._modifiers.pop(name, None)
        if pressed is not None and pressed.told:
            self.actions.append(act.KeyUp(name))
        elif pressed is not None and not pressed.used:
            self.press((name,))

    def _used(self) -> tuple[str, ...]:
        """Return the modifiers that belong to an action, as the environment does not know of them."""
        for pressed in self._modifiers.values():
            pressed.used = True
        return tuple(name for name in sorted(self._modifiers) if not self._modifiers[name].told)

    def _stroke(self, name: str) -> None:
        modifiers = self._used()
        held = [other for other, pressed in self._modifiers.items() if pressed.told]
        character = " " if name == "space" else name
        if not held and len(character) == 1 and not set(modifiers) - {"shift"}:
            self.type(character)
            return
        # Some capital letters, such as İ, are two characters in lower case.
        if len(name) == 1 and name.isupper() and len(name.lower()) == 1:
            name = name.lower()  # the letter's key; Shift is one of the modifiers
        with suppress(ActionError):  # a sign that is no key
            self.press((*modifiers, canonical_key(name)))
