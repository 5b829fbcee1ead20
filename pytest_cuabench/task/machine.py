"""Records of a machine: its resets, and a person's input events."""

from __future__ import annotations

from dataclasses import dataclass

INPUT_EVENTS = ("click", "key", "scroll")
LAYERS = ("clean", "home", "desktop", "snapshot", "start", "recreate")


@dataclass(frozen=True, slots=True)
class Reset:
    """The last reset of a machine.

    Attributes:
        machine: The driver's name.
        layer: What was recreated, one of `LAYERS`: nothing; the application with its HOME; the whole desktop; the
            content of a snapshot; the machine for the first time; the machine in place of a broken one.
        reason: Why the machine was recreated, if it was.
        tier: How close to the real software it is, if it differs from the task's: see `Task.tier`.
    """

    machine: str
    layer: str
    reason: str | None = None
    tier: str | None = None
