"""Time limits of actions: every timeout grows with the amount of work in the action.

The result is added to the usual timeout of a driver, a guest's client or an episode. It is many times the usual
duration of an action, because a timeout is for hanging actions only, and 16 workers may share two processors.
"""

from __future__ import annotations

from pytest_cuabench.task import action as act
from pytest_cuabench.task.action import Action

_CHARACTER = 0.1  # seconds for one character of a text
_POINT = 0.25  # for one point of a drag's path
_STROKE = 0.2  # for one repeat of a chord
_NOTCH = 0.1  # for one notch of the wheel


def seconds_for(action: Action) -> float:
    """Return the seconds to add to the usual timeout for an action."""
    match action:
        case act.Type(text=text) | act.FillElement(text=text):
            return _CHARACTER * len(text)
        case act.Drag(path=path):
            return _POINT * (len(path) - 2)
        case act.Key(repeat=repeat):
            return _STROKE * (repeat - 1)
        case act.Scroll(dx=dx, dy=dy):
            return _NOTCH * (abs(dx) + abs(dy) - 1)
        case act.Wait(seconds=seconds) | act.HoldKey(seconds=seconds):
            return 1.5 * seconds
    return 0.0
