"""Where the clock of Stellarium is set to; `kind` tells how the goal names the moment."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

from pytest_cuabench import Case, Evidence, Findings, Milestone, Pilot, State, Values, wrong
from pytest_cuabench.task.kinds import Number

from ..toolkit.ephemeris import full_moons
from . import sky
from .sky import setup

__all__ = ["setup"]

_DAY = 86400  # seconds
_TIME = ("clock", "time", "jd")


def case(state: State, random: Random, values: Values) -> Values:
    now = sky.now(state)
    start = sky.moment_of(now)
    near = 5.0  # seconds
    about, target = "", start
    match values["kind"]:
        case "days" | "weeks":
            count = random.choice((3, 4, 5, 6)) * random.choice((-1, 1))
            unit = values["kind"]
            about = f"{abs(count)} {unit} {'later' if count > 0 else 'earlier'}"
            target = start + timedelta(**{unit: count})
        case "date":
            target = start.replace(month=start.month % 12 + 1, day=random.randint(3, 25))
            about = f"{target:%-d %B %Y}"
        case "full_moon":
            moons = [sky.moment_of(day) for day in full_moons(now + 20, now + 110)]
            target, near = (
                random.choice([moon for moon in moons if moon.day < 30]),
                _DAY / 2,
            )  # no second ones
            about = f"{target:%B %Y}"
    return {
        "about": about,
        "target": target.isoformat(),
        "near": near,
        "days": round((target - start) / timedelta(days=1)),
    }


def check(evidence: Evidence, case: Case) -> Findings:
    """The clock stands at the moment, and nothing else was changed."""
    seen, target = sky.now(evidence.after), sky.day_of(datetime.fromisoformat(case["target"]))
    reached = Number(tolerance=case["near"] / _DAY).same(seen, target, _TIME)
    expected = f"{case['target']}, {case['near']:g} s off at most"
    told = f"{sky.moment_of(seen)}, {abs(seen - target) * _DAY:.0f} s off"
    yield Milestone("moment", reached, 1.0, expected, told)
    yield from sky.nothing_else(evidence, {_TIME})


async def solve(pilot: Pilot, case: Case) -> None:
    """Press the keys for weeks and days."""
    weeks, days = divmod(abs(case["days"]), 7)
    week, day = ("]", "=") if case["days"] > 0 else ("[", "-")
    for key, count in ((week, weeks), (day, days)):
        if count:
            await pilot.press(key, repeat=count)


@wrong("milestone:moment")
async def a_day_late(pilot: Pilot, case: Case) -> None:
    """Take the day after, as by a slip in counting."""
    await solve(pilot, case)
    await pilot.press("=")


@wrong("record_integrity/major")
async def running_clock(pilot: Pilot, case: Case) -> None:
    """Set the moment, but let the clock run in the end."""
    await solve(pilot, case)
    await pilot.press("l")
