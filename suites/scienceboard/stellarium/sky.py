"""What tasks with Stellarium share: the first sky, what may be looked at, and how the window is used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pytest_cuabench import Evidence, Findings, Pilot, State, Violation
from pytest_cuabench.task.kinds import Place, free

from ..toolkit.ephemeris import Sky

Steps = Iterator[Mapping[str, Any]]

_SITES = (
    (51.48, 0.0, 47),
    (48.84, 2.34, 67),
    (40.75, -73.99, 20),
    (35.68, 139.76, 40),
    (-33.86, 151.2, 30),
    (19.43, -99.13, 2240),
)
_LOOKING = (  # `astrocalc` is what was looked up last in the calculations, which Stellarium saves by itself
    *("view/", "selection/", "properties/StelMovementMgr.tracking:", "settings/config.ini/astrocalc:"),
    "clock/time:jd",
)
_EPOCH = datetime(2000, 1, 1, 12, tzinfo=UTC)  # Julian date 2451545


def setup(random: Random) -> Steps:
    """A place, and a whole minute of one of the next years."""
    latitude, longitude, altitude = random.choice(_SITES)
    yield {"do": "site", "latitude": latitude, "longitude": longitude, "altitude": altitude}
    moment = datetime(
        random.choice((2026, 2027, 2028)),
        random.randint(1, 11),
        random.randint(2, 26),
        random.randint(1, 22),
        random.randint(2, 57),
        tzinfo=UTC,
    )
    yield {"do": "day", "jd": day_of(moment)}


def day_of(moment: datetime) -> float:
    """Return the Julian date of a moment."""
    return round(2451545 + (moment - _EPOCH) / timedelta(days=1), 6)


def moment_of(jd: float) -> datetime:
    """Return the moment of a Julian date, to the nearest second."""
    return (_EPOCH + timedelta(days=jd - 2451545, milliseconds=500)).replace(microsecond=0)


def now(state: State) -> float:
    """Return the Julian date of Stellarium's clock."""
    return float(state.collections["clock"]["time"]["jd"])


def above(state: State) -> Sky:
    """Return the sky of Stellarium's place."""
    site = state.collections["place"]["site"]
    return Sky(site["latitude"], site["longitude"], site["altitude"])


def nothing_else(
    evidence: Evidence, places: Collection[Place] = (), open: Collection[Place] = (), clock: bool = False
) -> Findings:
    """Judge what was changed at other places (collection, row, field) as violations; one may look around.

    Args:
        places: What the task asks to change, and judges.
        open: What may change with it.
        clock: Whether the clock may stand at another time, too.
    """
    looking = _LOOKING if clock else _LOOKING[:-1]
    for change in evidence.changes:
        row = (change.collection, change.key)
        if f"{'/'.join(row)}:".startswith(looking):
            free(row, "how one looks at the sky is left open")
        for field, (before, after) in change.fields.items():
            place = f"{'/'.join(row)}:{field}"
            if place.startswith(looking) or (*row, field) in open:
                free((*row, field), "it may be so to see more")
            elif (*row, field) not in places:
                detail = f"{place} was changed from {before!r:.60} to {after!r:.60}."
                yield Violation("record_integrity", "major", place, detail)


async def search(pilot: Pilot, name: str) -> None:
    """Search for an object, which selects it and brings it to the middle."""
    await pilot.press("f3")
    await pilot.type(name)
    await pilot.press("enter")
