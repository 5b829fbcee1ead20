"""A case of the catalogue as data: actions in, events of the probe page out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_cuabench.task.action import Action, Key, Size

SCREEN = Size(1280, 800)
PAD, TEXT, LINE, WORD, SCROLLER = (100, 100), (500, 60), (500, 155), (430, 200), (150, 350)
INNER, OUTER = (100, 560), (290, 620)
ITEM, TARGET = (400, 290), (640, 320)
BUTTONS = {"left": 0, "middle": 1, "right": 2, "back": 3, "forward": 4}

LOCKS = {"capslock", "numlock", "scrolllock"}

Event = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """`has` must appear in the record in this order, each event with at least these properties."""

    name: str
    actions: tuple[Action, ...]
    has: tuple[Event, ...] = ()
    lacks: tuple[Event, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    heavy: bool = False  # needs more than some seconds

    @property
    def locks(self) -> tuple[Action, ...]:
        """The actions that toggle a lock; done again, they put it back."""
        return tuple(one for one in self.actions if isinstance(one, Key) and set(one.keys) & LOCKS)


def event(kind: str, **properties: Any) -> Event:
    """Return a partial event."""
    return {"type": kind, **properties}


def fits(partial: Event, recorded: Event) -> bool:
    """Whether a recorded event has all properties of a partial one."""
    return all(recorded.get(name) == value for name, value in partial.items())


def missing(case: Case, events: list[dict[str, Any]]) -> Event | None:
    """Return the first expected event that is not in the record in its order."""
    rest = iter(events)
    return next((one for one in case.has if not any(fits(one, recorded) for recorded in rest)), None)


def at(point: tuple[int, int]) -> dict[str, int]:
    """Return a point as the properties of an event."""
    return {"x": point[0], "y": point[1]}
