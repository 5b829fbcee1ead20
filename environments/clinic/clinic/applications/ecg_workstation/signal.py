"""What a recording is made of, as the database keeps it."""

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Signal:
    """The heart behind one recording; intervals in milliseconds, the axis in degrees.

    Attributes:
        shape: How the ventricles are activated: `normal`, `lvh`, `lbbb`, `rbbb`, `ventricular`.
        injury: The territory whose ST segments are raised, or nothing.
        scar: The territory that is electrically silent, or nothing.
        voltage: Height of the ventricular complexes, 1 is usual.
        t_wave: Height of the T waves, 1 is usual.
        arms_swapped: The cables of both arms were confused.
    """

    seed: int
    rhythm: str
    rate: float
    pr_ms: int | None
    qrs_ms: int
    qt_ms: int
    axis: int
    shape: str = "normal"
    injury: str = ""
    scar: str = ""
    voltage: float = 1.0
    t_wave: float = 1.0
    arms_swapped: bool = False

    @property
    def pr(self) -> float:
        """The PR interval in seconds, where there is one."""
        return (self.pr_ms or 0) / 1000


def read(row: sqlite3.Row) -> Signal:
    """Return the signal of a row of `signals`."""
    values = {name: row[name] for name in Signal.__dataclass_fields__}
    return Signal(**values | {"arms_swapped": bool(row["arms_swapped"])})
